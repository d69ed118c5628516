// SPDX-License-Identifier: GPL-3.0-or-later
// Bonds: answers known in closed form, and the same bits whatever happens to them.
#include "bond_scenes.hpp"
#include "catch.hpp"
#include "free_bodies.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::scenes;

TEST_CASE("BCM: an interface breaks once its bonds hold the energy of two new surfaces",
          "[physics][bond]") {
  // Right physics: four bonds share kn, hold 1/2 kn δ² together and break at 2 A Gc, so at
  // δ = 2 √(A Gc/kn). Rockable counts all of kn in each bond: √(A Gc/kn), the published figures
  // 2.236e-3 ... 1.000e-2 for a face of area 1.
  const auto [gc, published] =
      GENERATE(std::pair(5e-3, 2.236e-3), std::pair(1e-2, 3.162e-3), std::pair(2e-2, 4.472e-3),
               std::pair(4e-2, 6.325e-3), std::pair(8e-2, 8.944e-3), std::pair(1e-1, 1.0e-2));
  REQUIRE(*row(2, "BCM", 1e3, 1e3).conf.interfaces[0].area == Approx(0.64));  // corners of the core
  const Scene scene = cellPair(gc);
  const Rupture as = pulledApart(scene, Vec3::UnitX(), true);
  CHECK(as.at == Approx(published).epsilon(5e-4));
  CHECK(as.peak == Approx(1e3 * published).epsilon(1e-3));
  const Rupture right = pulledApart(scene, Vec3::UnitX());
  CHECK(right.at == Approx(2 * std::sqrt(gc / 1e3)).epsilon(1e-3));
  CHECK(right.lost == Approx(2 * gc).epsilon(2e-3));
  CHECK(right.bonds == 4);
}

TEST_CASE("a bonded cantilever sags as beam theory of its bonds says, at any dt and damping",
          "[physics][bond]") {
  const auto [dt, en2] = GENERATE(std::pair(2e-4, 0.1), std::pair(1e-4, 0.1), std::pair(2e-4, 0.0));
  const Cantilever beam;
  const double tip = beam.tip(), slope = beam.slope();
  CHECK(tip == Approx(7.088249e-3).epsilon(1e-6));
  CHECK(slope == Approx(2.286532e-3).epsilon(1e-6));

  const Scene scene = beam.scene(dt, en2);
  auto s = scene.start();
  while (s->time() < 14.0) s->step();
  CHECK(s->bodies().vel[4].norm() < 1e-5);
  CHECK(-s->bodies().pos[4].y() == Approx(tip).epsilon(5e-4));
  const Quat& q = s->bodies().q[4];
  CHECK(-2 * q.z() / q.w() == Approx(slope).epsilon(5e-4));
  CHECK(s->bonds().brokenInterfaces == 0);
}

TEST_CASE("bodies whose bonds broke under load push each other as contacts from the next step on",
          "[physics][bond]") {
  // Pressed together and sheared until the bonds give way: the normal force goes on, the tangential
  // one drops to what friction holds.
  const double kn = 1e6, mu = 0.3, press = 1e-3;
  Scene scene = row(2, "StickedLinks", kn, 1e6);
  scene.law(0, 0, kn, 1.0, 1e6, mu);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 1.0);
  scene.conf.setLawParameter("ft0InnerBond", 0, 0, 1500);
  scene.conf.particles[1].pos.x() = 1.0 - press;
  scene.conf.particles[1].vel = Vec3(0, 0.1, 0);
  scene.conf.setDensity(0, 1e9);  // too heavy for these forces to move
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  while (s->bonds().brokenInterfaces == 0) s->step();
  CHECK(s->bodies().force[0].x() == Approx(-4 * kn * press).epsilon(1e-2));
  CHECK(std::abs(s->bodies().force[0].y()) == Approx(4 * 1500).epsilon(1e-2));
  CHECK(s->contactCount() >= 4);
  s->step();
  // Each corner also stands over edges of the other face by now, whose contacts begin to push; the
  // four that were bonds keep their friction.
  CHECK(s->bodies().force[0].x() < -4 * kn * press * 0.98);
  CHECK(std::abs(s->bodies().force[0].y()) == Approx(4 * mu * kn * press).epsilon(5e-2));
}

TEST_CASE(
    "a bond pressed by more than the rounding of both bodies pushes on, and does not turn over",
    "[physics][bond]") {
  // The gap goes through that of the skeletons, 0.2.
  for (const double press : {0.15, 0.199, 0.201, 0.25}) {
    Scene scene = row(2, "StickedLinks", 1e6, 1e6);
    scene.conf.particles[1].pos.x() = 1.0 - press;
    scene.conf.setDensity(0, 1e9);
    auto s = scene.start();
    s->step();
    CHECK(s->bodies().force[0].x() == Approx(-4e6 * press).epsilon(1e-6));
  }
}

TEST_CASE("energy of a vibrating bonded row: kinetic, elastic and dissipated add up",
          "[physics][bond]") {
  Scene scene = row(5, "StickedLinks", 1e7, 4e6);
  scene.conf.nDriven = 0;
  scene.conf.setLawParameter("en2InnerBond", 0, 0, GENERATE(1.0, 0.5));
  scene.conf.setLawParameter("krInnerBond", 0, 0, 1e5);
  for (std::size_t k = 0; k < 5; ++k) {
    scene.conf.particles[k].vel = Vec3(0.1 * double(k % 2), 0.05 * double(k), -0.03);
    scene.conf.particles[k].vrot = Vec3(0.2, 0, 0.1 * double(k % 3));
  }
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  const double total = kineticEnergy(*s);
  double dissipated = 0.0, most = 0.0;
  for (int k = 0; k < 20000; ++k) {
    s->step();
    dissipated += s->bonds().energies.dissipated;
    most = std::max(most, s->bonds().energies.elastic);
  }
  CHECK(most > 0.01 * total);
  CHECK(kineticEnergy(*s) + s->bonds().energies.elastic + dissipated ==
        Approx(total).epsilon(2e-3));
}

TEST_CASE("a row glued across the sides of a periodic cell moves as one that is not",
          "[physics][bond][cell]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  Scene inside = row(3, law, 1e6, 1e6);
  inside.conf.nDriven = 0;
  inside.conf.setLawParameter("fn0InnerBond", 0, 0, 3000);
  inside.conf.setLawParameter("gcInnerBond", 0, 0, 5);
  inside.conf.cell.used = true;
  inside.conf.cell.h = 8.0 * Mat3::Identity();
  inside.conf.dt = 1e-4;
  for (std::size_t k = 0; k < 3; ++k) {
    inside.conf.particles[k].pos += Vec3(3, 3, 3);
    inside.conf.particles[k].vel = Vec3(0.4 * double(k), 0.1 * double(k % 2), 0);
    inside.conf.particles[k].vrot = Vec3(0, 0.3, 0.1 * double(k));
  }
  Scene across = inside;
  for (auto& p : across.conf.particles)
    p.pos.x() += p.pos.x() < 3.5 ? 4.0 : -4.0;  // a side of the cell between the first two
  auto a = inside.start(), b = across.start();
  for (int k = 0; k < 2000; ++k) {
    a->step();
    b->step();
  }
  CHECK(a->bonds().brokenInterfaces == b->bonds().brokenInterfaces);
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3 apart = (b->bodies().pos[k] - a->bodies().pos[k]) - Vec3(4, 0, 0);
    for (int c = 0; c < 3; ++c) apart[c] -= 8.0 * std::round(apart[c] / 8.0);
    CHECK(apart.norm() < 1e-9);
    CHECK((a->bodies().spin[k] - b->bodies().spin[k]).norm() < 1e-8);
  }
}
