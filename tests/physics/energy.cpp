// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a run closes: what is held, lost and put in adds up. Each integrator shows its
// order, and accounts for the ways of bodies.
#include "bond_scenes.hpp"
#include "catch.hpp"
#include "free_bodies.hpp"
#include "heap_scenes.hpp"

#include <array>
#include <cmath>
#include <functional>

using namespace scree;
using namespace scree::scenes;

namespace {

struct Declared {
  std::string name;
  double order;
};
const std::array<Declared, 4> all{
    {{"velocityVerlet", 2}, {"Euler", 1}, {"Beeman", 3}, {"RungeKutta4", 4}}};

/// The order that results at dt = 2e-3, 1e-3, 5e-4 show: the differences of successive halvings
/// shrink by 2^order.
double orderSeen(const std::function<Eigen::VectorXd(double)>& result) {
  const Eigen::VectorXd coarse = result(2e-3), middle = result(1e-3), fine = result(5e-4);
  return std::log2((coarse - middle).norm() / (middle - fine).norm());
}

}  // namespace

// Steps are counted by the contact time of a body on one corner. A box on four is at half of it.
constexpr double wanted = 1e-4;

TEST_CASE("what the energy of boxes, rods and balls misses falls by the first order of the step",
          "[physics][energy]") {
  // The bounds for each law and partnership stand in verification/assemblies.cpp.
  const std::string law = GENERATE("Default", "Avalanche", "StickedLinks", "GeoVisc");
  const double middle = residualOf(countedHeap(law, 100), 0.6),
               fine = residualOf(countedHeap(law, 400), 0.6);
  INFO(law << ": " << middle << " " << fine);
  CHECK(fine < 0.1 * wanted);
  CHECK(0.5 * std::log2(middle / fine) > 0.9);
}

TEST_CASE("the energy of stacked cubes closes while contacts share their stiffness again and again",
          "[physics][energy]") {
  const std::string partnership = GENERATE("NumberWeight", "OverlapWeight");
  const std::string law = GENERATE("Default", "Avalanche", "StickedLinks");
  CAPTURE(partnership, law);
  Scene scene;
  scene.conf.forceLaw = law;
  scene.conf.contactPartnership = partnership;
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.add(plate("plate", 3.0, 0.05), {0, -0.05, 0});
  scene.conf.nDriven = 1;
  Rng rng(3);
  for (int k = 0; k < 4; ++k) {  // which tilt, rock and slide off
    const auto cube = scene.add(box("cube", 0.16, 0.16, 0.16, 0.02),
                                Vec3(0.03 * k, 0.105 + 0.21 * k, 0.02 * k), 1, Quat::Identity());
    scene.conf.particles[cube].vel = 0.5 * rng.direction();
    scene.conf.particles[cube].vrot = 2 * rng.direction();
  }
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e6, 0.2, 8e5, 0.4);
  scene.conf.dt = pi * std::sqrt(2500 * scene.shapes[1].volume / 4e6) / 50;
  auto s = scene.start();
  while (s->time() < 0.5) s->step();
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(std::abs(e.residual) < wanted * e.exchanged);
  CHECK(e.friction > 0.0);
  CHECK(e.viscosity >= 0.0);
  CHECK(std::abs(e.switching) > 10 * wanted * e.exchanged);  // what the sharing is worth
}

TEST_CASE("the energy of bodies in a round boundary closes", "[physics][energy]") {
  const auto [only, partnership] =
      GENERATE(std::pair(2, "None"), std::pair(0, "None"), std::pair(0, "NumberWeight"));
  CAPTURE(only, partnership);
  Scene scene = countedHeap("Default", only == 2 ? 100 : 200, 8, only);
  if (partnership != std::string("None")) scene.conf.contactPartnership = partnership;
  scene.conf.boundaries = {{sim::Boundary::Kind::ball, Vec3::Zero(), Vec3::UnitZ(), 1.0, 1}};
  scene.conf.particles[0].pos.y() = -10;  // the plate is out of the way
  CHECK(residualOf(scene, 1.2) < wanted);
}

TEST_CASE("the work of a shaken plate is in the energy budget", "[physics][energy]") {
  CHECK(residualOf(countedHeap("Default", 50, 24, 2), 0.6, shaken()) < 1e-5);
}

TEST_CASE("an elastic ball exchanges energy with its spring and loses none", "[physics][energy]") {
  const double mass = ballMass();
  Scene scene = ballOnPlane(radius + 0.1);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.law(0, 1, 1e6, 1.0, 0, 0);
  scene.conf.dt = pi * std::sqrt(mass / 1e6) / 200;
  auto s = scene.start();
  int bounces = 0;
  for (double before = 0.0; bounces < 10; before = s->bodies().vel[1].y()) {
    s->step();
    if (before > 0 && s->bodies().vel[1].y() <= 0) ++bounces;  // at the top
  }
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(std::abs(e.lost() - e.switching) < 1e-9 * e.exchanged);
  CHECK(std::abs(e.switching) < 2e-4 * e.exchanged);  // touches and partings within a step
  CHECK(std::abs(e.residual) < 1e-4 * e.exchanged);
  // Each bounce takes m g (h + overlap) in and gives it back; 1/2 kn overlap² = m g (h + overlap).
  const double sag = mass * 9.81 / 1e6, overlap = sag + std::sqrt(sag * sag + 2 * sag * 0.1);
  CHECK(e.exchanged == Approx(10 * 2 * mass * 9.81 * (0.1 + overlap)).epsilon(2e-3));
}

TEST_CASE("a sliding block loses mu m g times its way to friction", "[physics][energy]") {
  const double g = 9.81, mu = 0.3, mass = cubeMass();
  Scene scene = cubeOnPlane(0.5 - mass * g / 4e7);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.law(0, 1, 1e7, 0.1, 1e7, mu);
  scene.conf.particles[1].vel = Vec3(2, 0, 0);
  scene.conf.dt = 5e-5;
  auto s = scene.start();
  while (s->time() < 1.0) s->step();
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(e.friction + e.viscosity + e.tangential == Approx(0.5 * mass * 4).epsilon(2e-3));
  CHECK(e.friction > 0.95 * 0.5 * mass * 4);
  CHECK(std::abs(e.residual) < 1e-4 * e.exchanged);
}

TEST_CASE("the energy of beams that are thrown and break closes, breakage counted",
          "[physics][energy][bond]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  CAPTURE(law);
  const auto residual = [](Scene scene, double dt) {
    scene.conf.dt = dt;
    auto s = scene.start();
    while (s->time() < 0.12) s->step();
    CHECK(s->bonds().brokenInterfaces > 1);
    const sim::EnergyBudget e = s->energyBudget();
    CHECK(e.breakage != 0.0);
    return std::abs(e.residual) / e.exchanged;
  };
  const Scene whole = thrownWhole(law, 4);
  const double contactTime = pi * std::sqrt(2500 * whole.shapes[1].volume / 4e6);
  CHECK(residual(whole, contactTime / 200) < 0.5 * wanted);
  // Bonds that are torn from the start, and pairs on one bond that turn into each other: when that
  // breaks they burst apart.
  CHECK(residual(thrown(law, 4), contactTime / 200) < wanted);
}

TEST_CASE("mass that a course in time brings counts as work", "[physics][energy]") {
  Scene scene = countedHeap("Default", 100, 24, 2);
  sim::Tempo heavier;
  heavier.what = sim::Tempo::What::density;
  heavier.group1 = scene.conf.particles.back().group;
  heavier.t1 = 0.1;
  heavier.t2 = 0.5;
  heavier.v1 = scene.conf.densityOf(heavier.group1);
  heavier.v2 = 2.0 * heavier.v1;
  scene.conf.tempos = {heavier};
  const double residual = residualOf(scene, 0.6);
  INFO(residual);
  CHECK(residual < 1e-3);
}

TEST_CASE("a ball that swings sideways on an elastic plane shows the order of its integrator",
          "[physics][integrator]") {
  const Declared scheme = GENERATE(from_range(all));
  INFO(scheme.name);
  Scene scene = Swing().scene(scheme.name);
  scene.conf.particles[1].vel.x() = 0.02;
  const auto result = [&](double dt) {
    scene.conf.dt = dt;
    const auto s = after(scene, 0.4);
    return Eigen::VectorXd(
        Eigen::Vector2d(s->bodies().pos[1].x(), s->bodies().spin[1].z() * radius));
  };
  // The spring grows by the mean motion of a step at the arm of its end. The arm breathes with the
  // overlap, by a thousandth of itself, which leaves an error of first order of that size.
  // RungeKutta4 shows that error once its own is gone.
  if (scheme.order < 4)
    CHECK(orderSeen(result) > std::min(scheme.order, 2.0) - 0.2);
  else
    CHECK((result(1e-3) - result(2.5e-4)).norm() < 1e-4 * result(2.5e-4).norm());
}

TEST_CASE("the accumulated displacement bounds the way of each point of a body",
          "[physics][integrator]") {
  Scene scene = slab();
  scene.conf.integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(scene.conf.integrator);
  scene.conf.dt = 0.01;
  scene.conf.particles[0].vrot = Vec3(0, 0, 3);
  scene.conf.particles[0].vel = GENERATE(Vec3(0, 0, 0), Vec3(0.5, -0.2, 0.1));
  const auto s = scene.start();
  const sim::Bodies& b = s->bodies();
  const double reach = b.boundingRadius[0], begin = b.displacement[0];
  const auto point = [&] { return Vec3(b.pos[0] + reach * rotated(b.q[0], Vec3(0.6, 0.8, 0))); };
  double way = 0.0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 before = point();
    s->step();
    way += (point() - before).norm();
    REQUIRE(way <= b.displacement[0] - begin);
  }
  // No more than the way of a point at this distance whose two velocities agree. Stages and the
  // chords of turns of 0.03 differ from it by less than a thousandth.
  CHECK(b.displacement[0] - begin < 1.001 * (scene.conf.particles[0].vel.norm() + 3.0 * reach));
}
