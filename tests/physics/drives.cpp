// SPDX-License-Identifier: GPL-3.0-or-later
// Driven bodies against the integrals of what drives them; parameters that follow a course in time.
#include "catch.hpp"
#include "command.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using sim::Imposed;

namespace {

/// One driven ball, at the origin.
Scene drivenBall(double dt) {
  Scene scene;
  scene.add(ball("ball", 0.1), Vec3::Zero());
  scene.conf.nDriven = 1;
  scene.conf.setDensity(0, 1000);
  scene.conf.dt = dt;
  return scene;
}

}  // namespace

TEST_CASE("each mode of Control moves its component and no other", "[physics][drive]") {
  const auto& modes = sim::controlModes();
  REQUIRE(modes.size() == 14);
  Scene scene;
  scene.add(box("box", 0.2, 0.15, 0.1, 0.02), Vec3::Zero());
  scene.conf.nDriven = 1;
  scene.conf.setDensity(0, 1000);
  scene.conf.gravity = Vec3(1, -9.81, 2);
  scene.conf.dt = 1e-3;
  scene.conf.integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(scene.conf.integrator);
  const double t = 0.1, value = 0.6;
  // Explicit Euler moves by the velocity before, so that ways under a force lag by a step.
  const double lag = scene.conf.integrator == "Euler" ? 1.0 - scene.conf.dt / t : 1.0;
  for (const sim::ControlMode& mode : modes) {
    INFO(mode.name);
    const int axis = mode.axis == 3 ? 1 : mode.axis;
    const std::string values = mode.axis == 3 ? "0 0.6 0" : "0.6";
    auto s =
        scene.start(1, drivesOf("Control " + std::string(mode.name) + " 0 " + values + "\n", 1));
    for (int k = 0; k < 100; ++k) s->step();
    const sim::Bodies& b = s->bodies();
    const auto is = [&](Imposed what) { return mode.what == what; };
    const Vec3 along = Vec3::Unit(axis);
    const double acc = value / b.mass[0], spinAcc = value / b.inertia[0][axis];
    const double way = is(Imposed::velocity) ? value * t
                       : is(Imposed::force)  ? lag * acc * t * t / 2
                                             : 0,
                 turn = is(Imposed::spin)     ? value * t
                        : is(Imposed::moment) ? lag * spinAcc * t * t / 2
                                              : 0;
    CHECK((b.pos[0] - way * along).norm() <= 1e-12 * way);
    const Quat turned(Eigen::AngleAxisd(turn, along));
    CHECK(std::abs(b.q[0].dot(turned)) == Approx(1.0).epsilon(1e-12));
    CHECK((b.q[0].vec() - turned.vec()).norm() <= 1e-9 * turn);
    const double speed = is(Imposed::velocity) ? value
                         : is(Imposed::force)  ? acc * t
                                               : 0,
                 spin = is(Imposed::spin)     ? value
                        : is(Imposed::moment) ? spinAcc * t
                                              : 0;
    CHECK((b.vel[0] - speed * along).norm() <= 1e-12 * speed);
    CHECK((b.spin[0] - spin * along).norm() <= 1e-12 * spin);
  }
}

TEST_CASE("velocities that drive one component add up, for the body and for its contacts",
          "[physics][drive]") {
  sim::Drives drives;
  for (const double v : {0.5, 0.2})
    drives.controls.push_back({Imposed::velocity, 1, 0, Vec3(0, v, 0)});
  const auto s = drivenBall(1e-4).start(1, drives);
  s->steps(1000);
  CHECK(s->bodies().pos[0].y() == Approx(0.07).epsilon(1e-12));
  CHECK(s->bodies().vel[0].y() == Approx(0.7).epsilon(1e-14));
}

TEST_CASE("loads on one component add up, and move a body once", "[physics][drive]") {
  Scene scene = drivenBall(1e-3);
  scene.conf.integrator = GENERATE("velocityVerlet", "Beeman", "RungeKutta4");
  const auto s = scene.start(
      1, drivesOf(
             "Control _x_For_ 0 1\nServo ramp _x_For_ 0 2 2 0 1\nControl _yrot_Mom_ 0 1e-3\n"
             "Servo ramp _xyzrot_Mom_ 0 0 2e-3 0 0 2e-3 0 0 1\nServo ramp _z_For_ 0 0 3 0.1 0.4\n",
             1));
  s->steps(500);
  const sim::Bodies& b = s->bodies();
  CHECK(b.pos[0].x() == Approx(3.0 * 0.125 / b.mass[0]).epsilon(1e-12));
  CHECK(b.spin[0].y() == Approx(3e-3 * 0.5 / b.inertia[0].y()).epsilon(1e-12));
  // A force that grows from 0.1 to 0.4 and stays: cubic, then quadratic.
  const double way = 0.045 + 0.45 * 0.1 + 3.0 * 0.005,
               accuracy = scene.conf.integrator == "RungeKutta4" ? 1e-12 : 1e-5;
  CHECK(b.pos[0].z() == Approx(way / b.mass[0]).epsilon(accuracy));
}

TEST_CASE("a ramp of a spin about three axes turns its body about that axis", "[physics][drive]") {
  const Scene scene = drivenBall(1e-4);
  auto s = scene.start(1, drivesOf("Servo ramp _xyzrot_Vel_ 0 0 0 0 3 4 0 0 0.5", 1));
  while (s->time() < 0.5 - 1e-9) s->step();
  const Eigen::AngleAxisd turn(Quat(s->bodies().q[0]));
  CHECK(turn.angle() == Approx(0.5 * 5 * 0.5).epsilon(1e-9));  // mean of 0 and 5 rad/s
  CHECK((turn.axis() - Vec3(0.6, 0.8, 0)).norm() < 1e-9);
  CHECK((s->bodies().spin[0] - Vec3(3, 4, 0)).norm() < 1e-12);
}

TEST_CASE("triangle waves turn at a quarter of their period, counted from their start",
          "[physics][drive]") {
  const auto [servo, start] =
      GENERATE(table<std::string, double>({{"triangle_shaker 0 1 0 0 0.01 10", 0.0},
                                           {"sawtooth_shaker 0 1 0 0 0.01 10 0.033", 0.033}}));
  const double dt = 3.1e-4;
  const Scene scene = drivenBall(dt);
  auto s = scene.start(1, drivesOf("Servo " + servo, 1));
  const auto wave = [start = start](double t) {
    return 0.01 * 2 / pi * std::asin(std::sin(2 * pi * 10 * (t - start)));
  };
  double worst = 0.0;
  for (int k = 0; k < 2000; ++k) {
    s->step();
    worst = std::max(worst, std::abs(s->bodies().pos[0].x() - (wave(s->time()) - wave(0))));
  }
  CHECK(worst < 1e-12);
}

TEST_CASE("several servos act at once, with compat the last one alone does", "[physics][drive]") {
  Scene scene = drivenBall(1e-3);
  const auto drives =
      drivesOf("Servo ramp _x_Vel_ 0 1 2 0 0.01\nServo ramp _y_Vel_ 0 3 4 0 0.01\n", 1);
  for (const bool compat : {false, true}) {
    const auto s = scene.start({1, compat}, drives);
    s->steps(100);
    CHECK(s->bodies().vel[0].x() == (compat ? 1.0 : 2.0));
    CHECK(s->bodies().vel[0].y() == 4.0);
  }
}

TEST_CASE("the walls of tritriLodeAngle press as its formula says", "[physics][drive]") {
  Scene scene;
  const double r = 0.05;
  // Inner distances 1, 2 and 3.
  const Vec3 inner(1, 2, 3);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      scene.add(ball("wall", r), side * (0.5 * inner[axis] + r) * Vec3::Unit(axis));
  scene.conf.nDriven = 6;
  scene.conf.setDensity(0, 1e6);
  scene.conf.dt = 1e-6;
  const double angle = GENERATE(0.0, 17.0, 30.0, 60.0), p = 1000, rate = 200;
  auto s = scene.start(
      1, drivesOf("Servo tritriLodeAngle 0 1 2 3 4 5 1000 " + std::to_string(angle) + " 200", 6));
  for (int k = 0; k < 5; ++k) s->step();
  const double a = (3 * std::tan(angle * pi / 180) - std::sqrt(3.0)) / (2 * std::sqrt(3.0));
  const double delta = rate * s->time();
  const Vec3 stress(p + delta, p + a * delta, p - (1 + a) * delta);
  for (int axis = 0; axis < 3; ++axis) {
    const double area = inner[(axis + 1) % 3] * inner[(axis + 2) % 3];
    const std::size_t high = static_cast<std::size_t>(2 * axis + 1);
    CHECK(s->bodies().force[high][axis] == Approx(-stress[axis] * area).epsilon(1e-9));
    CHECK(s->bodies().force[high - 1].isZero());
  }
  CHECK(stress.sum() == Approx(3 * p).epsilon(1e-12));
}

TEST_CASE("drives may be exchanged during a run, what is no longer driven comes to rest",
          "[physics][drive]") {
  const Scene scene = drivenBall(1e-3);
  auto s = scene.start(1, drivesOf("Control _x_Vel_ 0 1\nControl _yrot_Vel_ 0 2", 1));
  for (int k = 0; k < 10; ++k) s->step();
  s->setDrives(drivesOf("Control _z_Vel_ 0 3", 1));
  for (int k = 0; k < 10; ++k) s->step();
  CHECK((s->bodies().pos[0] - Vec3(0.01, 0, 0.03)).norm() < 1e-15);
  CHECK((s->bodies().vel[0] - Vec3(0, 0, 3)).norm() == 0.0);
  CHECK(s->bodies().spin[0].isZero());
  // Refused drives leave those in force.
  CHECK_THROWS_AS(drivesOf("Control _z_Vel_ 0 3\nControl _z_For_ 0 1", 1), ParseError);
  for (int k = 0; k < 10; ++k) s->step();
  CHECK(s->bodies().pos[0].z() == Approx(0.06));
}

TEST_CASE("drivingSystem.txt may be edited during a run, a slip in it ends nothing",
          "[physics][drive]") {
  const testing::Folder folder;
  const std::string file = folder.path("drivingSystem.txt");
  folder.write("drivingSystem.txt", "Control _x_Vel_ 0 1\n");
  Scene scene = drivenBall(1e-3);
  scene.conf.shapeFile.clear();
  scene.conf.tmax = 0.1;
  scene.conf.interConf = 0.02;
  auto s = scene.start(1, drivesOf("Control _x_Vel_ 0 1", 1));
  std::vector<std::string> messages;
  sim::RunOptions options;
  options.folder = folder.path("out");
  options.drivingFile = file;
  options.tell = [&](const std::string& message) { messages.push_back(message); };
  int calls = 0;
  options.progress = [&](double) {  // once a step
    ++calls;
    if (calls == 10) folder.write("drivingSystem.txt", "Control _x_Vel_ 0 2\n");
    if (calls == 30) folder.write("drivingSystem.txt", "Control _x_Vel_ 7 3\n");
    if (calls == 50) std::filesystem::remove(file);
  };
  sim::run(*s, options);
  CHECK(s->bodies().pos[0].x() == Approx(0.02 * 1 + 0.08 * 2));
  REQUIRE(messages.size() == 2);
  CHECK_THAT(messages[0], Catch::Contains("acts from t = 0.02 on"));
  CHECK_THAT(messages[1], Catch::Contains("drivingSystem.txt:1:17") &&
                              Catch::Contains("previous drives stay in force"));
}

TEST_CASE("friction that grows in time stops a sliding block as its integral says",
          "[physics][tempo]") {
  // mu = t, so v = v0 - g t²/2 until it rests at t = sqrt(2 v0/g).
  const double g = 9.81, v0 = 0.05;
  // Stiff, so that the centre does not come forward as friction at the base tips the block.
  const double kn = 1e9;
  Scene scene = cubeOnPlane(0.5 - cubeMass() * g / (4 * kn));
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.law(0, 1, kn, 0.0, 1e9, 0);
  scene.conf.dt = 1e-5;
  scene.conf.particles[1].vel = Vec3(v0, 0, 0);
  scene.conf.tempos.push_back(
      {sim::Tempo::What::pair, "muContact", 0, 1, sim::Tempo::Course::ramp, 0.0, 1.0, 0.0, 1.0});
  auto s = scene.start();
  while (s->time() < 0.08) s->step();
  CHECK(s->bodies().vel[1].x() == Approx(v0 - g * 0.08 * 0.08 / 2).epsilon(2e-3));
  while (s->time() < 0.12) s->step();
  // There it swings on its tangential springs: a micrometre to and fro.
  CHECK(s->bodies().pos[1].x() == Approx(2.0 / 3.0 * v0 * std::sqrt(2 * v0 / g)).epsilon(2e-3));
}

TEST_CASE("viscosity follows stiffness and restitution in time, with compat it stays",
          "[physics][tempo]") {
  Scene scene;
  scene.add(ball("ball", 0.1), {0, 0, 0}, 0);
  scene.add(ball("ball", 0.1), {0.199, 0, 0}, 0);
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, 1e4, 0.5, 0, 0);
  scene.conf.dt = 1e-4;
  scene.conf.tempos.push_back({sim::Tempo::What::pair, "knContact", 0, 0, sim::Tempo::Course::range,
                               0.0, 4.5e-4, 1e4, 4e4});
  for (const bool compat : {false, true}) {
    const auto s = scene.start({1, compat});
    s->step();  // with compat, the lists are made with the first step
    const double damp = s->interactions().at(0).damp;
    s->steps(5);
    CHECK(s->interactions().at(0).damp / damp == Approx(compat ? 1.0 : 2.0).epsilon(1e-12));
  }
}

TEST_CASE("a density that changes in time changes mass and inertia, with compat it does not",
          "[physics][tempo]") {
  Scene scene;
  scene.add(ball("ball", 0.1), {0, 0, 0}, 0);
  scene.conf.setDensity(0, 1000);
  scene.conf.dt = 1e-3;
  scene.conf.tempos.push_back(
      {sim::Tempo::What::density, "", 0, 0, sim::Tempo::Course::ramp, 0.0, 0.01, 1000, 3000});
  for (const bool compat : {false, true}) {
    const auto s = scene.start({1, compat});
    const double mass = s->bodies().mass[0], inertia = s->bodies().inertia[0].x();
    s->steps(20);
    CHECK(s->bodies().mass[0] / mass == Approx(compat ? 1.0 : 3.0).epsilon(1e-12));
    CHECK(s->bodies().inertia[0].x() / inertia == Approx(compat ? 1.0 : 3.0).epsilon(1e-12));
  }
}
