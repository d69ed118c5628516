// SPDX-License-Identifier: GPL-3.0-or-later
// Each integrator shows its order, and repeats to the bit.
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

Scene asymmetricTop() {
  Scene scene = slab();
  scene.conf.particles[0].vrot = Vec3(2, 1, 3);
  return scene;
}
}  // namespace

TEST_CASE("a free asymmetric top turns with the order of its integrator", "[physics][integrator]") {
  const Declared scheme = GENERATE(from_range(all));
  INFO(scheme.name);
  // Euler's equations, Jacobi functions: verification benchmarks, section 2.2.
  const Vec3 exact(-1.958902, -1.129981, 2.969243);
  Scene scene = asymmetricTop();
  scene.conf.integrator = scheme.name;
  const auto result = [&](double dt) {
    scene.conf.dt = dt;
    return Eigen::VectorXd(bodySpin(*after(scene, 2.0)));
  };
  const double order = orderSeen(result);
  CHECK(order > scheme.order - 0.1);
  CHECK(order < scheme.order + 0.3);
  scene.conf.dt = 1e-3;
  const auto start = scene.start();
  const auto end = after(scene, 2.0);
  const double energy = rotationEnergy(*end) / rotationEnergy(*start) - 1;
  const Vec3 momentum = momentumOfSpin(*start);
  CHECK(momentum.isApprox(Vec3(18.749072, 25.055570, 88.426085), 1e-7));
  // Angular momentum rests in space in all of them; energy is that of the order.
  CHECK((momentumOfSpin(*end) - momentum).norm() < 1e-12 * momentum.norm());
  CHECK(std::abs(energy) < (scheme.order == 1 ? 1e-2 : 1e-6));
  // Order 1: 33 dt; order 2: 5.3 dt²; beyond that the digits of `exact`.
  CHECK((bodySpin(*end) - exact).norm() <
        (scheme.order == 1 ? 40e-3 : (scheme.order == 2 ? 6e-6 : 1e-6)));
  CHECK(std::abs(end->bodies().q[0].norm() - 1) < 1e-14);
}

TEST_CASE("a ball that swings on an elastic plane shows the order of its integrator",
          "[physics][integrator]") {
  const Declared scheme = GENERATE(from_range(all));
  INFO(scheme.name);
  Swing swing;
  Scene scene = swing.scene(scheme.name);
  SECTION("straight up and down: y = sin(wt) v0/w") {
    const double order = swing.orderSeen(scheme.name);
    CHECK(order > scheme.order - 0.25);
    CHECK(order < scheme.order + 0.5);
  }
  SECTION("and sideways, by the memory of the tangential spring") {
    scene.conf.particles[1].vel.x() = 0.02;
    const auto result = [&](double dt) {
      scene.conf.dt = dt;
      const auto s = after(scene, 0.4);
      return Eigen::VectorXd(
          Eigen::Vector2d(s->bodies().pos[1].x(), s->bodies().spin[1].z() * radius));
    };
    // The spring grows by the mean motion of a step at the arm of its end. The arm breathes with
    // the overlap, by a thousandth of itself, which leaves an error of first order of that size.
    // RungeKutta4 shows that error once its own is gone.
    if (scheme.order < 4)
      CHECK(orderSeen(result) > std::min(scheme.order, 2.0) - 0.2);
    else
      CHECK((result(1e-3) - result(2.5e-4)).norm() < 1e-4 * result(2.5e-4).norm());
  }
}

TEST_CASE("a driven body follows its force and its moment with each integrator",
          "[physics][integrator][drive]") {
  using namespace scree::sim;
  const Declared scheme = GENERATE(from_range(all));
  INFO(scheme.name);
  Scene scene;
  scene.conf.integrator = scheme.name;
  scene.add(plate("plate", 1.0, 0.05), {0, 0, 0});  // mass 100, inertia 100 about each axis
  scene.conf.nDriven = 1;
  scene.conf.setDensity(0, 100);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.dt = 1e-3;
  const double t = 0.1, first = scheme.order == 1 ? scene.conf.dt / t : 0.0;
  const auto end = [&](std::vector<Control> controls) { return after(scene, t, {controls, {}}); };
  SECTION("force: F/m t²/2, no gravity; other components stay") {
    const auto s = end({{Imposed::force, 0, 0, Vec3(20, 0, 0)}});
    CHECK(s->bodies().pos[0].x() == Approx(0.5 * 0.2 * t * t * (1 - first)).epsilon(1e-12));
    CHECK(s->bodies().vel[0].x() == Approx(0.2 * t).epsilon(1e-12));
    CHECK(s->bodies().pos[0].y() == 0.0);
  }
  SECTION("velocity and force together") {
    const auto s =
        end({{Imposed::velocity, 1, 0, Vec3(0, 0.5, 0)}, {Imposed::force, 0, 0, Vec3(20, 0, 0)}});
    CHECK(s->bodies().pos[0].y() == Approx(0.05).epsilon(1e-12));
    CHECK(s->bodies().vel[0].y() == 0.5);
    CHECK(s->bodies().pos[0].x() == Approx(0.001 * (1 - first)).epsilon(1e-12));
  }
  SECTION("spin: turns and is seen") {
    const auto s = end({{Imposed::spin, 2, 0, Vec3(0, 0, 2 * pi)}});
    CHECK(
        (rotated(s->bodies().q[0], Vec3::UnitX()) - Vec3(std::cos(0.2 * pi), std::sin(0.2 * pi), 0))
            .norm() < 1e-9);
    CHECK(s->bodies().spin[0].z() == 2 * pi);
  }
  SECTION("moment about one axis: M/I t²/2") {
    const auto s = end({{Imposed::moment, 1, 0, Vec3(0, 2000, 0)}});
    const double angle = 0.5 * 20 * t * t * (1 - first);
    CHECK(s->bodies().spin[0].y() == Approx(20 * t).epsilon(1e-12));
    CHECK((rotated(s->bodies().q[0], Vec3::UnitX()) - Vec3(std::cos(angle), 0, -std::sin(angle)))
              .norm() < 1e-9);
  }
  SECTION("moment as a vector") {
    const auto s = end({{Imposed::moment, 3, 0, Vec3(0, 2000, 0)}});
    const double angle = 0.5 * 20 * t * t * (1 - first);
    CHECK((rotated(s->bodies().q[0], Vec3::UnitX()) - Vec3(std::cos(angle), 0, -std::sin(angle)))
              .norm() < 1e-6);
  }
  SECTION("moment about one axis beside a spin about another") {
    const auto s =
        end({{Imposed::spin, 0, 0, Vec3(3, 0, 0)}, {Imposed::moment, 1, 0, Vec3(0, 2000, 0)}});
    CHECK(s->bodies().spin[0].x() == 3.0);
    CHECK(s->bodies().spin[0].y() == Approx(20 * t).epsilon(1e-12));
  }
}

TEST_CASE("each integrator gives the same bits on 1, 2, 3 and 8 threads",
          "[physics][integrator][repeat]") {
  const std::string integrator = GENERATE("Euler", "Beeman", "RungeKutta4");
  Scene scene = heap("Default", {480});
  scene.conf.integrator = integrator;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    auto s = scene.start(threads, shaken());
    for (int k = 0; k < 300; ++k) s->step();
    hashes.push_back(s->stateHash());
    if (threads == 1) CHECK(s->contactCount() > 20);
  }
  for (const std::uint64_t h : hashes) CHECK(h == hashes[0]);
}
