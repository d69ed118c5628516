// SPDX-License-Identifier: GPL-3.0-or-later
// One body and one plane: answers known in closed form.
#include "catch.hpp"
#include "contact_scenes.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;

TEST_CASE("Avalanche: a ball comes back with the square root of en2, at any speed",
          "[physics][contact]") {
  const double en2 = GENERATE(0.81, 0.25, 0.05), speed = GENERATE(0.3, 3.0);
  CHECK(reboundSpeed("Avalanche", "velocityVerlet", 1e6, en2, speed, 5000) / speed ==
        Approx(std::sqrt(en2)).epsilon(1e-3));
}

TEST_CASE("GeoVisc: a block on a slope below the angle of friction creeps at mg sin / (4 visc)",
          "[physics][friction]") {
  const double angle = 20.0 * pi / 180.0, g = 9.81, visc = 2e5;
  const double mass = cubeMass();
  Scene scene = cubeOnPlane(0.5 - mass * g * std::cos(angle) / 4e7);
  scene.conf.forceLaw = "GeoVisc";
  scene.conf.gravity = g * Vec3(std::sin(angle), -std::cos(angle), 0);
  scene.law(0, 1, 1e7, 0.1, 0, 1.0);  // even the corners uphill stay below Coulomb's bound
  scene.conf.setLawParameter("viscTContact", 0, 1, visc);
  scene.conf.dt = 5e-5;
  auto s = scene.start();
  for (int k = 0; k < 20000; ++k) s->step();
  CHECK(s->bodies().vel[1].x() == Approx(mass * g * std::sin(angle) / (4 * visc)).epsilon(1e-6));
}

TEST_CASE("a contact is saved with the velocity that its law saw", "[physics]") {
  // Two balls head on. Velocity Verlet shows contacts the velocities of the half step, which are
  // those of its end less half a step of acceleration.
  Scene scene;
  scene.add(ball("Ball", 0.1), Vec3(0, 0, 0));
  scene.add(ball("Ball", 0.1), Vec3(0.1999, 0, 0));
  scene.conf.setDensity(0, 2500.0);
  scene.conf.particles[0].vel = Vec3(1.0, 0, 0);
  scene.conf.particles[1].vel = Vec3(-0.5, 0, 0);
  scene.law(0, 0, 1e6, 0.5, 8e5, 0.4);
  const auto s = scene.start();
  for (int k = 0; k < 3; ++k) s->step();
  const auto contacts = s->interactions();
  REQUIRE(contacts.size() == 1);
  REQUIRE(contacts[0].key.i == 0);
  const auto& b = s->bodies();
  const auto half = [&](std::size_t k) {
    return b.vel[k].x() - 0.5 * scene.conf.dt * b.acc[k].x();
  };
  CHECK(contacts[0].vel.x() == Approx(half(1) - half(0)).epsilon(1e-13));
  CHECK(contacts[0].vel.y() == 0.0);
}
