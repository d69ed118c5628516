// SPDX-License-Identifier: GPL-3.0-or-later
// One body and one plane: answers known in closed form.
#include "catch.hpp"
#include "contact_scenes.hpp"

#include <cmath>
#include <string>
#include <utility>

using namespace scree;
using namespace scree::scenes;

TEST_CASE(
    "a ball comes back from a plane with the restitution of a spring and dashpot that cannot pull",
    "[physics][contact]") {
  // T. Schwager & T. Pöschel, Granular Matter 9, 2007: the contact ends where the force would turn.
  const std::string law = GENERATE("Default", "StickedLinks", "BCM", "GeoVisc");
  const double e = GENERATE(1.0, 0.9, 0.7, 0.5, 0.3, 0.1);
  const double perContact = 2000;
  CHECK(reboundSpeed(law, "velocityVerlet", 1e6, e * e, 1.0, perContact) ==
        Approx(clampedRestitution(dampingRatio(e)))
            .margin(0.5 / perContact + 1e-4));  // onset within one step
}

TEST_CASE("Avalanche: a ball comes back with the square root of en2, at any speed",
          "[physics][contact]") {
  const double en2 = GENERATE(0.81, 0.25, 0.05), speed = GENERATE(0.3, 3.0);
  CHECK(reboundSpeed("Avalanche", "velocityVerlet", 1e6, en2, speed, 5000) / speed ==
        Approx(std::sqrt(en2)).epsilon(1e-3));
}

TEST_CASE("a cube at rest sinks in by its weight over the stiffness of four corners",
          "[physics][contact]") {
  Scene scene = cubeOnPlane(0.5);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.law(0, 1, 1e7, 0.01, 1e7, 0.5);
  scene.conf.dt = 2e-5;
  auto s = scene.start();
  for (int k = 0; k < 50000; ++k) s->step();
  const double mass = cubeMass();
  CHECK(s->contactCount() == 4);
  CHECK(0.5 - s->bodies().pos[1].y() == Approx(mass * 9.81 / (4 * 1e7)).epsilon(1e-6));
}

TEST_CASE("a cube on four corners sinks in four times as far where they share the stiffness",
          "[physics][contact]") {
  const auto [weights, corners] = GENERATE(std::pair("None", 4.0), std::pair("NumberWeight", 1.0),
                                           std::pair("OverlapWeight", 1.0));
  const std::string law = GENERATE("Default", "StickedLinks");
  Scene scene = cubeOnPlane(0.5);
  scene.conf.forceLaw = law;
  scene.conf.contactPartnership = weights;
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.law(0, 1, 1e7, 0.01, 1e7, 0.5);
  scene.conf.dt = 2e-5;
  auto s = scene.start();
  for (int k = 0; k < 30000; ++k) s->step();
  const double mass = cubeMass();
  CHECK(s->contactCount() == 4);
  CHECK(0.5 - s->bodies().pos[1].y() == Approx(mass * 9.81 / (corners * 1e7)).epsilon(1e-6));
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

TEST_CASE("a block sticks below the angle of friction and slides above it with g (sin - mu cos)",
          "[physics][friction]") {
  const double degrees = GENERATE(20.0, 30.0, 45.0), mu = 0.5, g = 9.81;
  const double angle = degrees * pi / 180.0;
  const double mass = cubeMass();
  Scene scene = cubeOnPlane(0.5 - mass * g * std::cos(angle) / 4e7);
  scene.conf.gravity = g * Vec3(std::sin(angle), -std::cos(angle), 0);  // the slope, turned level
  scene.law(0, 1, 1e7, 0.1, 1e7, mu);
  scene.conf.dt = 5e-5;
  auto s = scene.start();
  // Two moments well after the start; the mean acceleration between them.
  const int n = 6000;
  for (int k = 0; k < n; ++k) s->step();
  const double v0 = s->bodies().vel[1].x();
  for (int k = 0; k < n; ++k) s->step();
  const double a = (s->bodies().vel[1].x() - v0) / (n * scene.conf.dt);
  const double expected = std::tan(angle) > mu ? g * (std::sin(angle) - mu * std::cos(angle)) : 0.0;
  CHECK(a == Approx(expected).margin(2e-3 * g));
}

TEST_CASE("a ball that slides begins to roll at five sevenths of its speed",
          "[physics][friction]") {
  const double mu = 0.3, v0 = 2.0, g = 9.81;
  Scene scene = ballOnPlane(radius - ballMass() * g / 1e7);
  scene.law(0, 1, 1e7, 0.1, 1e7, mu);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.particles[1].vel = Vec3(v0, 0, 0);
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  const double slip = 2 * v0 / (7 * mu * g);
  while (s->time() < slip) s->step();
  CHECK(s->bodies().pos[1].x() == Approx(12 * v0 * v0 / (49 * mu * g)).epsilon(5e-4));
  while (s->time() < 0.3) s->step();
  // The tangential spring, let go under mu m g, swings on with the mass 2m/7. This slip speed
  // results, 2/7 of it in the velocity and 5/7 in the spin.
  const double swing = mu * ballMass() * g / std::sqrt(1e7 * 2.0 / 7.0 * ballMass());
  CHECK(s->bodies().vel[1].x() == Approx(5 * v0 / 7).margin(2.0 / 7.0 * swing + 5e-4));
  CHECK(s->bodies().spin[1].z() * radius == Approx(-5 * v0 / 7).margin(5.0 / 7.0 * swing + 5e-4));
}

TEST_CASE("rolling resistance brakes a ball by 5/7 mur g / R", "[physics][friction]") {
  const double mur = 0.002, g = 9.81, v0 = 1.0;
  Scene scene = ballOnPlane(radius - ballMass() * g / 1e7);
  scene.law(0, 1, 1e7, 0.1, 1e7, 0.5);
  scene.conf.setLawParameter("krContact", 0, 1, 1e4);
  scene.conf.setLawParameter("murContact", 0, 1, mur);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.particles[1].vel = Vec3(v0, 0, 0);
  scene.conf.particles[1].vrot = Vec3(0, 0, -v0 / radius);
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  while (s->time() < 0.1) s->step();
  const double v1 = s->bodies().vel[1].x(), t1 = s->time();
  while (s->time() < 0.5) s->step();
  CHECK((s->bodies().vel[1].x() - v1) / (s->time() - t1) ==
        Approx(-5.0 / 7.0 * mur * g / radius).epsilon(2e-3));
}

TEST_CASE("two bodies that collide far from everything keep momentum and angular momentum",
          "[physics][contact]") {
  const std::string law = GENERATE("Default", "Avalanche", "StickedLinks", "GeoVisc");
  Scene scene;
  scene.conf.forceLaw = law;
  scene.add(box("cube", 0.8, 0.5, 0.4, 0.1), {0, 0, 0}, 0, Quat(0.9, 0.3, -0.2, 0.1).normalized());
  scene.add(rod("rod", 1.0, 0.1), {0.9, 0.3, 0.1}, 0, Quat(0.5, 0.1, 0.7, 0.2).normalized());
  scene.conf.particles[0].vrot = Vec3(1, -2, 0.5);
  scene.conf.particles[1].vel = Vec3(-2, -0.4, 0);
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, 1e6, 0.3, 1e6, 0.4);
  auto s = scene.start();
  const auto momentum = [&] {
    const auto& b = s->bodies();
    Vec3 p = Vec3::Zero(), l = Vec3::Zero();
    for (std::size_t k = 0; k < 2; ++k) {
      p += b.mass[k] * b.vel[k];
      l += b.mass[k] * b.pos[k].cross(b.vel[k]) +
           rotated(b.q[k], b.inertia[k].cwiseProduct(turnedBack(b.q[k], b.spin[k])));
    }
    return std::pair(p, l);
  };
  const auto [p0, l0] = momentum();
  std::size_t touched = 0;
  for (int k = 0; k < 20000; ++k) {
    s->step();
    touched += s->contactCount() > 0;
  }
  const auto [p1, l1] = momentum();
  CHECK(touched > 100);
  CHECK((p1 - p0).norm() < 1e-11 * p0.norm());
  // Force and its point are those of one instant, so only the two half kicks' lever differs:
  // O(dt²).
  CHECK((l1 - l0).norm() < 1e-6 * l0.norm());
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
