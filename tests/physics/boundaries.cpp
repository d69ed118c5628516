// SPDX-License-Identifier: GPL-3.0-or-later
// Round walls around bodies: balls and cylinders.
#include "catch.hpp"
#include "contact_scenes.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using sim::Boundary;

namespace {

Boundary ballOf(double radius) {
  return {Boundary::Kind::ball, Vec3(1, 2, 3), Vec3::UnitZ(), radius, 0};
}
Boundary cylinderOf(double radius, const Vec3& axis) {
  return {Boundary::Kind::cylinder, Vec3(1, 2, 3), axis.normalized(), radius, 0};
}

}  // namespace

TEST_CASE("a ball at rest in a bowl sinks in by its weight over the stiffness",
          "[physics][boundary]") {
  const std::string integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(integrator);
  const Boundary boundary = GENERATE(ballOf(1.0), cylinderOf(1.0, Vec3(1, 0, 0.4)));
  Scene scene;
  scene.conf.integrator = integrator;
  scene.conf.boundaries.push_back(boundary);
  scene.add(ball("ball", 0.1), Vec3(1, 2 - 0.9, 3), 1);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, 1e6, 0.01, 0, 0);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.dt = 1e-4;
  auto s = scene.start();
  for (int k = 0; k < 5000; ++k) s->step();
  const double weight = 2500 * 4.0 / 3.0 * pi * 1e-3 * 9.81;
  CHECK(s->bodies().pos[0].y() == Approx(2 - 0.9 - weight / 1e6).epsilon(1e-12));
  REQUIRE(s->boundaryTouches().size() == 1);
  CHECK(s->boundaryTouches()[0].fn == Approx(weight).epsilon(1e-9));
}

TEST_CASE("a ball swings in a frictionless bowl as a pendulum, and keeps its energy",
          "[physics][boundary]") {
  // Length r - R, small angle a: period 2 pi sqrt(L/g) (1 + a²/16).
  const std::string integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(integrator);
  const double length = 0.9, angle = 0.05, g = 9.81;
  Scene scene;
  scene.conf.integrator = integrator;
  scene.conf.boundaries.push_back(GENERATE(ballOf(1.0), cylinderOf(1.0, Vec3::UnitZ())));
  const Vec3 arm = length * Vec3(std::sin(angle), -std::cos(angle), 0);
  scene.add(ball("ball", 0.1), Vec3(1, 2, 3) + arm, 1);
  scene.conf.setDensity(1, 2500);
  // Explicit Euler feeds a spring without a dashpot.
  scene.law(0, 1, 1e7, integrator == "Euler" ? 0.3 : 1, 0, 0);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.dt = 2e-5;
  auto s = scene.start();
  double quarter = 0.0;
  while (quarter == 0.0) {
    const double before = s->bodies().pos[0].x() - 1;
    s->step();
    const double now = s->bodies().pos[0].x() - 1;
    if (now <= 0) quarter = s->time() - s->timeStep() * now / (now - before);
  }
  CHECK(quarter ==
        Approx(0.5 * pi * std::sqrt(length / g) * (1 + angle * angle / 16)).epsilon(1e-3));
  CHECK(s->bodies().vel[0].norm() ==
        Approx(std::sqrt(2 * g * length * (1 - std::cos(angle)))).epsilon(2e-3));
}

TEST_CASE("a box lies in a cylinder on its corners, four of them at the same depth",
          "[physics][boundary]") {
  // Four vertices equally far from the axis: each carries the same, and no moment is left.
  Scene scene;
  scene.conf.boundaries.push_back(cylinderOf(1.0, Vec3::UnitZ()));
  const double half = 0.3, r = 0.05, depth = 1e-4;
  const double down = std::sqrt((1 - r + depth) * (1 - r + depth) - half * half);
  scene.add(box("box", 2 * half, 0.2, 0.5, r), Vec3(1, 2 - down + 0.1, 3), 1);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, 1e6, 1, 0, 0);
  auto s = scene.start();
  const auto touches = s->boundaryTouches();
  REQUIRE(touches.size() == 4);
  for (const auto& t : touches) {
    CHECK(t.dn == Approx(-depth).epsilon(1e-9));
    CHECK(t.fn == Approx(1e6 * depth).epsilon(1e-9));
  }
  CHECK(s->bodies().force[0].y() == Approx(4 * 1e6 * depth * down / (1 - r + depth)).epsilon(1e-9));
  CHECK(s->bodies().moment[0].norm() < 1e-9);
}
