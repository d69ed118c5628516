// SPDX-License-Identifier: GPL-3.0-or-later
// Drives by themselves: driven bodies against the integrals of what drives them, no simulation.
// The file `parts_energy.cpp` has what contradicts, what is replaced, and the work of drives.
#include "catch.hpp"
#include "engine/drive_system.hpp"
#include "lone_bodies.hpp"

#include <cmath>
#include <utility>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

/// Driven bodies and the steps of velocity Verlet for them.
struct DrivenBodies : LoneBodies {
  DriveSystem drives;
  double dt;
  std::uint64_t steps = 0;

  DrivenBodies(std::size_t n, double timeStep, Drives what)
      : LoneBodies(n), drives(std::move(what)), dt(timeStep) {
    bodies.driven = static_cast<std::uint32_t>(n);
    model.gravity = Vec3(1.0, -9.81, 2.0);  // does not act on driven bodies
  }
  double time() const { return static_cast<double>(steps) * dt; }
  void sumForces() {
    for (auto* sums : {&bodies.force, &bodies.moment}) sums->assign(bodies.size(), Vec3::Zero());
    drives.addForces(bodies);
  }
  void start() {
    drives.start(world(time()));
    sumForces();
    drives.finish(restraint, bodies, 0.0);
  }
  void step() {
    const double before = time();
    ++steps;
    drives.set(world(time()), before);
    drives.remember(bodies);
    drives.move(bodies, dt);
    sumForces();
    drives.setVelocities(false, bodies);
    drives.finish(restraint, bodies, dt);
  }
};

Control along(Imposed what, int axis, double value, BodyId body = 0) {
  Control c;
  c.what = what;
  c.axis = axis;
  c.body = body;
  c.value[axis] = value;
  return c;
}

Drives servoDrives(const AnyServo& servo, const std::vector<Control>& controls) {
  Drives drives;
  drives.controls = controls;
  drives.servos.push_back({servo, {}});
  for (std::size_t k = 0; k < controls.size(); ++k) drives.servos[0].controls.push_back(k);
  return drives;
}

}  // namespace

TEST_CASE("loads on one component add up, and come off the sums again", "[parts][drives]") {
  Drives drives;
  drives.controls = {along(Imposed::force, 0, 3.0), along(Imposed::force, 0, 5.0),
                     along(Imposed::moment, 2, 7.0)};
  DrivenBodies b(1, 0.125, drives);
  b.start();
  CHECK(b.bodies.force[0] == Vec3(8.0, 0.0, 0.0));
  CHECK(b.bodies.moment[0] == Vec3(0.0, 0.0, 7.0));
  std::vector<Vec3> force{Vec3(10.0, 1.0, 0.0)}, moment{Vec3(0.0, 0.0, 9.0)};
  b.drives.takeOffImposed(force, moment);
  CHECK(force[0] == Vec3(2.0, 1.0, 0.0));
  CHECK(moment[0] == Vec3(0.0, 0.0, 2.0));
}

TEST_CASE("six walls press by pressure times area, which they take from where they stand",
          "[parts][drives]") {
  const double dt = 1e-3, pressure = 40.0, rate = 10.0, speed = 0.05;
  Triaxial servo;
  servo.walls = {0, 1, 2, 3, 4, 5};
  servo.byPressure = {true, true, false, false, false, false};
  servo.value = {pressure, pressure, speed, speed, 0.0, 0.0};
  servo.rate = {rate, rate, 0.0, 0.0, 0.0, 0.0};
  std::vector<Control> controls;
  for (BodyId k = 0; k < 6; ++k)
    controls.push_back(along(servo.byPressure[k] ? Imposed::force : Imposed::velocity,
                             static_cast<int>(k) / 2, 0, k));
  DrivenBodies b(6, dt, servoDrives(servo, controls));
  // Centres ±5, ±2, ±1.5, surfaces 0.5 nearer: inner edges 9, 3 and 2.
  const Vec3 far(5.0, 2.0, 1.5);
  for (std::size_t k = 0; k < 6; ++k) {
    const int axis = static_cast<int>(k) / 2;
    b.setPos(k, (k % 2 == 0 ? -far[axis] : far[axis]) * Vec3::Unit(axis));
  }
  b.start();
  CHECK(b.bodies.force[0] == Vec3(pressure * 3.0 * 2.0, 0.0, 0.0));
  CHECK(b.bodies.force[1] == -b.bodies.force[0]);
  for (int k = 0; k < 200; ++k) {
    const double inner = b.bodies.pos[3].y() - b.bodies.pos[2].y() - 1.0;
    b.step();
    REQUIRE(b.bodies.force[0].x() ==
            Approx((pressure + rate * b.time()) * inner * 2.0).epsilon(1e-14));
    REQUIRE(b.bodies.force[1].x() == -b.bodies.force[0].x());
  }
  const double t = b.time(), mass = 2.0, height = 2.0;
  CHECK(b.bodies.pos[2].y() == Approx(-far.y() + speed * t).epsilon(1e-13));
  CHECK(b.bodies.pos[4].z() == -far.z());
  // x'' = (p + r t)(3 - 2 v t) 2 / m; the area is that of one step before, 2 v dt larger.
  const double a = 3.0 * pressure, c = 3.0 * rate - 2.0 * speed * pressure, d = -2.0 * speed * rate;
  const double way = height / mass * (a * t * t / 2 + c * t * t * t / 6 + d * t * t * t * t / 12);
  const double lag = height / mass * (pressure + rate * t) * 2.0 * speed * dt * t * t / 2.0;
  CHECK(b.bodies.pos[0].x() + far.x() > way);
  CHECK(b.bodies.pos[0].x() + far.x() < way + lag);
  CHECK(b.bodies.pos[1].x() == -b.bodies.pos[0].x());
}

TEST_CASE("local damping takes its share of an imposed force", "[parts][drives]") {
  Drives drives;
  drives.controls = {along(Imposed::force, 0, 4.0)};
  DrivenBodies b(1, 0.01, drives);
  b.restraint.damping = 0.25;
  b.bodies.vel[0].x() = 1.0;  // force and motion agree from the start
  b.start();
  for (int k = 0; k < 100; ++k) b.step();
  const double acc = 0.75 * 4.0 / 2.0, t = b.time();
  CHECK(b.bodies.vel[0].x() == Approx(1.0 + acc * t).epsilon(1e-13));
  CHECK(b.bodies.pos[0].x() == Approx(t + 0.5 * acc * t * t).epsilon(1e-13));
}
