// SPDX-License-Identifier: GPL-3.0-or-later
// Round walls, at rest, that turn and move, and cones.
#include "catch.hpp"
#include "heap_scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using Catch::Contains;
using sim::Boundary;

namespace {

constexpr double stiffness = 1e6, bulk = 2500.0, g = 9.81;

Boundary cylinder(double radius, const Vec3& axis = Vec3::UnitZ()) {
  return {Boundary::Kind::cylinder, Vec3::Zero(), axis, radius, 0};
}
/// About the y axis, opening upwards.
Boundary cone(double angle, double outlet = 0.0) {
  Boundary b{Boundary::Kind::cone, Vec3::Zero(), Vec3::UnitY(), outlet, 0};
  b.setAngle(angle);
  return b;
}
Scene sceneIn(const Boundary& boundary, double en2, double kt, double mu) {
  Scene scene;
  scene.conf.boundaries.push_back(boundary);
  scene.conf.setDensity(1, bulk);
  scene.law(0, 1, stiffness, en2, kt, mu);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.dt = 1e-4;
  return scene;
}
double ballMass(double r) { return bulk * 4.0 / 3.0 * pi * r * r * r; }

Boundary ballOf(double radius) {
  return {Boundary::Kind::ball, Vec3(1, 2, 3), Vec3::UnitZ(), radius, 0};
}
Boundary cylinderOf(double radius, const Vec3& axis) {
  return {Boundary::Kind::cylinder, Vec3(1, 2, 3), axis.normalized(), radius, 0};
}

}  // namespace

TEST_CASE("a ball on a turning drum slides with mu fn and ends up rolling",
          "[physics][boundary][walls]") {
  const std::string integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(integrator);
  const double R = 1.0, r = 0.1, mu = 0.05, spin = 0.7, mass = ballMass(r);
  Boundary drum = cylinder(R);
  drum.spin = Vec3(0, 0, spin);
  Scene scene = sceneIn(drum, 0.01, 0.8 * stiffness, mu);
  scene.conf.integrator = integrator;
  const double depth = mass * g / stiffness;
  scene.add(ball("ball", r), Vec3(0, -(R - r + depth), 0), 1);
  auto s = scene.start();
  for (int k = 0; k < 100; ++k) s->step();
  // Sliding: the wall moves along +x under the ball and drags it there, and turns it backwards.
  REQUIRE(s->boundaryTouches().size() == 1);
  CHECK(s->boundaryTouches()[0].ft.norm() == Approx(mu * mass * g).epsilon(1e-3));
  CHECK(s->boundaryTouches()[0].ft.x() > 0.0);
  CHECK(s->bodies().spin[0].z() ==
        Approx(mu * mass * g * r / (0.4 * mass * r * r) * s->time()).epsilon(0.02));
  // Then it rolls and swings: no slip where it touches, and friction below its bound.
  while (s->time() < 6.0) s->step();
  REQUIRE(s->boundaryTouches().size() == 1);
  CHECK(s->boundaryTouches()[0].vel.norm() < 1e-2 * spin * R);
  CHECK(s->boundaryTouches()[0].ft.norm() < 0.9 * mu * mass * g);
  CHECK(s->bodies().spin[0].z() * r + s->bodies().vel[0].norm() > 0.5 * spin * R);
}

TEST_CASE("a block slides in place on a turning drum, at the angle that friction gives",
          "[physics][boundary][walls]") {
  // The drum drags both edges of the block up by mu fn. Each edge force points off the radius by
  // the angle of friction f. So both touch a circle of radius R sin f about the axis. They meet on
  // the vertical through the centre of mass, at the distance h from the axis. With the angle a from
  // the middle to an edge, h cos(a) sin(t) = R sin(f) cos(t - f).
  const double R = 1.0, mu = 0.3, half = 0.15, thin = 0.01, r = 0.02;
  Boundary drum = cylinder(R);
  drum.spin = Vec3(0, 0, 0.5);
  Scene scene = sceneIn(drum, 0.01, 0.8 * stiffness, mu);
  scene.conf.numericalDampingCoeff = 0.5;  // where it slides, nothing else stops its swinging
  const double down = std::sqrt((R - r) * (R - r) - half * half), h = down - thin;
  scene.add(box("box", 2 * half, 2 * thin, 0.3, r), Vec3(0, -h, 0), 1);
  auto s = scene.start();
  while (s->time() < 24.0) s->step();
  const auto touches = s->boundaryTouches();
  REQUIRE(touches.size() == 4);
  Vec3 sum = Vec3::Zero();
  for (const auto& t : touches) {
    CHECK(t.ft.norm() == Approx(mu * t.fn).epsilon(1e-6));
    const Vec3 vertex =
        s->bodies().pos[0] + rotated(s->bodies().q[0], s->shapes()[0].vertices[t.vertex]);
    sum += t.ft - t.fn * drum.outwards(vertex).normalized();
  }
  const double weight = bulk * s->shapes()[0].volume * g;
  CHECK(sum.y() == Approx(weight).epsilon(1e-4));
  CHECK(std::abs(sum.x()) < 1e-4 * weight);
  const Vec3 pos = s->bodies().pos[0];
  const double friction = std::atan(mu), cosEdge = down / (R - r);
  const double tangent = R * std::sin(friction) * std::cos(friction) /
                         (h * cosEdge - R * std::sin(friction) * std::sin(friction));
  CHECK(pos.x() / -pos.y() == Approx(tangent).epsilon(1e-3));
}

TEST_CASE("a wall that moves pushes with its speed, and the budget counts its work",
          "[physics][boundary][walls]") {
  // A ball at rest, hit by a heavy wall of speed v without losses, leaves with 2 v.
  const std::string integrator = GENERATE("velocityVerlet", "Beeman", "RungeKutta4");
  const std::string kind = GENERATE("ball", "cylinder", "cone");
  CAPTURE(integrator, kind);
  const double v = 0.4, r = 0.1;
  Boundary wall = kind == "ball"       ? Boundary{Boundary::Kind::ball, Vec3::Zero(), {}, 1.0, 0}
                  : kind == "cylinder" ? cylinder(1.0)
                                       : cone(30.0);
  Vec3 inwards = Vec3::UnitX(), at = Vec3(-0.89, 0, 0);
  if (kind == "cone") {
    inwards = Vec3(wall.cosine, wall.sine, 0);
    at = 2.0 * Vec3(-wall.sine, wall.cosine, 0) + 0.11 * inwards;
  }
  wall.vel = v * inwards;
  Scene scene = sceneIn(wall, 1.0, 0, 0);
  scene.conf.integrator = integrator;
  scene.conf.gravity.setZero();
  scene.conf.dt = 1e-5;
  scene.add(ball("ball", r), at, 1);
  auto s = scene.start();
  bool touched = false;
  while (true) {
    s->step();
    if (s->boundaryTouches().empty() && touched) break;
    touched = touched || !s->boundaryTouches().empty();
    REQUIRE(s->time() < 1.0);
  }
  CHECK((s->bodies().vel[0] - 2 * v * inwards).norm() < 1e-4 * v);
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(e.drives == Approx(0.5 * ballMass(r) * 4 * v * v).epsilon(1e-4));
  CHECK(std::abs(e.residual) < 1e-4 * e.exchanged);
}

TEST_CASE("walls that turn and move keep the energy budget closed", "[physics][boundary][walls]") {
  // The residual is a sum of rounding and of what the step leaves: of order 2.
  double residual[2];
  for (const bool fine : {false, true}) {
    Scene scene = countedHeap("Default", fine ? 400 : 100, 8, 0);
    scene.conf.nDriven = 0;
    scene.conf.particles.erase(scene.conf.particles.begin());
    Boundary drum = cylinder(1.6);
    drum.centre = Vec3(0, 1.0, 0);
    drum.spin = Vec3(0, 0, 1.5);
    drum.vel = Vec3(0.1, -0.1, 0);
    scene.conf.boundaries.push_back(drum);
    auto s = scene.start();
    while (s->time() < 0.6) s->step();
    const sim::EnergyBudget e = s->energyBudget();
    CHECK(std::abs(e.drives) > 0.01 * e.exchanged);
    residual[fine] = std::abs(e.residual) / e.exchanged;
  }
  CAPTURE(residual[0], residual[1]);
  CHECK(residual[0] < 1e-4);
  CHECK(residual[1] < 0.25 * residual[0]);
}

TEST_CASE("in a cone forces stand across its wall, and share the weight",
          "[physics][boundary][walls]") {
  const double angle = GENERATE(15.0, 30.0, 60.0);
  const double radians = angle * pi / 180.0;
  SECTION("the force on a ball at the wall follows from its overlap") {
    Scene scene = sceneIn(cone(angle), 1.0, 0, 0);
    const double r = 0.1, depth = 1e-4;
    const Vec3 inwards(-std::cos(radians), std::sin(radians), 0);
    scene.add(ball("ball", r),
              1.5 * Vec3(std::sin(radians), std::cos(radians), 0) + (r - depth) * inwards, 1);
    const auto s = scene.start();
    const auto touches = s->boundaryTouches();
    REQUIRE(touches.size() == 1);
    CHECK(touches[0].dn == Approx(-depth).epsilon(1e-9));
    CHECK(touches[0].fn == Approx(stiffness * depth).epsilon(1e-9));
    CHECK((s->bodies().force[0] - stiffness * depth * inwards).norm() < 1e-9 * stiffness * depth);
  }
  SECTION("a plate at rest leans on four corners with W / (4 sin angle) each") {
    Scene scene = sceneIn(cone(angle), 0.01, 0, 0);
    const double half = 0.3, r = 0.05;
    // Corners stand sqrt(2) half from the axis, their balls touch the wall.
    const double height = (std::sqrt(2.0) * half + r / std::cos(radians)) / std::tan(radians);
    scene.add(box("box", 2 * half, 1e-3, 2 * half, r), Vec3(0, height + 1e-4, 0), 1);
    auto s = scene.start();
    while (s->time() < 2.0) s->step();
    const double weight = bulk * s->shapes()[0].volume * g;
    double sum = 0.0;
    for (const auto& t : s->boundaryTouches()) sum += t.fn;
    CHECK(sum == Approx(weight / std::sin(radians)).epsilon(1e-6));
  }
}

TEST_CASE("below the outlet of a cone there is no wall, and its rim pushes a ball away",
          "[physics][boundary][walls]") {
  const double outlet = 0.3, angle = 40.0;
  const Boundary hopper = cone(angle, outlet);
  const double rim = outlet / std::tan(angle * pi / 180.0);
  Vec3 n;
  CHECK(hopper.distance({0, rim, 0}, n) == Approx(outlet));  // across the opening
  CHECK(n.x() * n.x() + n.z() * n.z() == Approx(0.0).margin(1e-12));
  CHECK(hopper.distance({outlet - 0.05, rim - 0.05, 0}, n) == Approx(0.05 * std::sqrt(2.0)));
  CHECK((n - Vec3(-1, -1, 0).normalized()).norm() < 1e-12);
  CHECK(hopper.distance({2.0, rim - 0.4, 0}, n) == Approx(0.4));  // under the wall
  CHECK(n == Vec3(0, -1, 0));
  // The distance is continuous, and nowhere changes faster than the place.
  Rng rng(5);
  for (int k = 0; k < 20000; ++k) {
    const Vec3 a(rng.uniform(-1, 1), rng.uniform(-0.2, 1.5), rng.uniform(-1, 1));
    const Vec3 b = a + 0.05 * rng.uniform(0, 1) * rng.direction();
    const double da = hopper.distance(a, n), db = hopper.distance(b, n);
    if (da > 0 && db > 0) CHECK(std::abs(da - db) <= (a - b).norm() + 1e-12);
    if (da > 0) CHECK(n.norm() == Approx(1.0).epsilon(1e-12));
  }
  // A ball that fits through falls out; one that does not stays on the rim.
  for (const double radius : {0.25, 0.35}) {
    Scene scene = sceneIn(hopper, 0.01, 0, 0);
    scene.add(ball("ball", radius), Vec3(0.02, rim + 0.6, 0), 1);
    auto s = scene.start();
    while (s->time() < 2.0) s->step();
    if (radius < outlet)
      CHECK(s->bodies().pos[0].y() < 0.0);
    else
      CHECK(s->bodies().pos[0].y() > rim);
  }
}

TEST_CASE("a ball in the tip of a cone, or on its outlet, comes to rest on both sides",
          "[physics][boundary][walls]") {
  const double outlet = GENERATE(0.0, 0.09);
  const double mu = GENERATE(0.0, 0.3);
  CAPTURE(outlet, mu);
  const Boundary tip = cone(30.0, outlet);
  Scene scene = sceneIn(tip, 0.1, 0.8 * stiffness, mu);
  scene.add(ball("ball", 0.1), Vec3(0.02, 0.3, 0.01), 1);
  auto s = scene.start();
  while (s->time() < 4.0) s->step();
  const auto touches = s->boundaryTouches();
  REQUIRE(touches.size() == 2);
  CHECK(touches[0].vertex == 0);
  CHECK(touches[1].vertex == 1);  // the ball has one vertex: this is the other side
  CHECK(s->bodies().vel[0].norm() < 1e-6);
  const double weight = ballMass(0.1) * g;
  Vec3 inwards;
  tip.distance(s->bodies().pos[0], inwards);
  if (mu == 0.0)  // otherwise friction bears a part
    CHECK((touches[0].fn + touches[1].fn) * inwards.y() == Approx(weight).epsilon(1e-3));
  CHECK((s->bodies().force[0] - Vec3(0, weight, 0)).norm() < 1e-6 * weight);
  // The same from a file, with the memory of both contacts.
  auto begun = savedAndBegun(*s, {}, 2, false);
  for (int k = 0; k < 100; ++k) {
    s->step();
    begun->step();
  }
  CHECK(begun->stateHash() == s->stateHash());
}

TEST_CASE("a round wall or a motion that cannot be is refused with the reason",
          "[physics][boundary][walls]") {
  const auto read = [](const std::string& lines) {
    TextReader in("c", "Rockable 21-08-2022\n#scree boundary " + lines + "\nParticles 0\n");
    Diagnostics quiet;
    return sim::readConf(in, quiet);
  };
  const sim::Conf conf = read("cone 1 2 3 0 4 0 30 0.5 7\n#scree boundaryMotion 0 1 0 0 0 -2 0");
  const Boundary& b = conf.boundaries.at(0);
  CHECK(b.axis == Vec3::UnitY());
  CHECK(b.sine == Approx(0.5).epsilon(1e-15));
  CHECK(std::pair(b.angle, b.radius) == std::pair(30.0, 0.5));
  CHECK(b.group == 7);
  CHECK(b.vel == Vec3(1, 0, 0));
  CHECK(b.spin == Vec3(0, -2, 0));
  CHECK(read("cylinder 0 0 0 0 0 2 1.5 3").boundaries.at(0).axis == Vec3::UnitZ());
  for (const auto& [lines, reason] : std::initializer_list<std::pair<const char*, const char*>>{
           {"bal 0 0 0 1 0", "ball, cylinder"},
           {"ball 0 0 0 -1 0", "c:2:"},
           {"cylinder 0 0 0 0 0 0 1 0", "axis"},
           {"cone 0 0 0 0 1 0 90 0 0", "below 90"},
           {"cone 0 0 0 0 1 0 nan 0 0", "c:2:"},
           {"ball 0 0 0 1 0\n#scree boundaryMotion 1 0 0 0 0 0 0", "c:3:"},
           {"cylinder 0 0 0 0 1 0 1 0\n#scree boundaryMotion 0 0 0 0 1 0 0", "along the axis"}})
    CHECK_THROWS_WITH(read(lines), Contains(reason));
  Scene outside = sceneIn(cone(30), 1, 0, 0);
  outside.add(ball("ball", 0.1), Vec3(1, 0.1, 0), 1);
  CHECK_THROWS_WITH(outside.start(), Contains("outside boundary 0"));
}

TEST_CASE("a ball at rest in a bowl sinks in by its weight over the stiffness",
          "[physics][boundary]") {
  const std::string integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(integrator);
  const Boundary boundary = GENERATE(ballOf(1.0), cylinderOf(1.0, Vec3(1, 0, 0.4)));
  Scene scene = sceneIn(boundary, 0.01, 0, 0);
  scene.conf.integrator = integrator;
  scene.add(ball("ball", 0.1), Vec3(1, 2 - 0.9, 3), 1);
  auto s = scene.start();
  for (int k = 0; k < 5000; ++k) s->step();
  const double weight = ballMass(0.1) * g;
  CHECK(s->bodies().pos[0].y() == Approx(2 - 0.9 - weight / stiffness).epsilon(1e-12));
  REQUIRE(s->boundaryTouches().size() == 1);
  CHECK(s->boundaryTouches()[0].fn == Approx(weight).epsilon(1e-9));
}

TEST_CASE("a ball swings in a frictionless bowl as a pendulum, and keeps its energy",
          "[physics][boundary]") {
  // Length r - R, small angle a: period 2 pi sqrt(L/g) (1 + a²/16).
  const std::string integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(integrator);
  const double length = 0.9, angle = 0.05;
  Scene scene = sceneIn(GENERATE(ballOf(1.0), cylinderOf(1.0, Vec3::UnitZ())), 1, 0, 0);
  scene.conf.integrator = integrator;
  const Vec3 arm = length * Vec3(std::sin(angle), -std::cos(angle), 0);
  scene.add(ball("ball", 0.1), Vec3(1, 2, 3) + arm, 1);
  // Explicit Euler feeds a spring without a dashpot.
  scene.law(0, 1, 1e7, integrator == "Euler" ? 0.3 : 1, 0, 0);
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
  Scene scene = sceneIn(cylinderOf(1.0, Vec3::UnitZ()), 1, 0, 0);
  const double half = 0.3, r = 0.05, depth = 1e-4;
  const double down = std::sqrt((1 - r + depth) * (1 - r + depth) - half * half);
  scene.add(box("box", 2 * half, 0.2, 0.5, r), Vec3(1, 2 - down + 0.1, 3), 1);
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
