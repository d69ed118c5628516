// SPDX-License-Identifier: GPL-3.0-or-later
// `--compat rockable` against the numbers that are published for the reference program on problems
// of one or two bodies. Some publications give only the problem, not the gap at the start or the
// moment of a reading. A test then allows the spread that this leaves, and its comment says so.
#include "bond_scenes.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

using namespace scree;
using namespace scree::scenes;

namespace {

constexpr double g = 9.81;

/// Lists are made at each step, so that none of these numbers depends on their period.
void listAtEachStep(Scene& scene) {
  scene.conf.interVerlet = scene.conf.dt;
  scene.conf.DVerlet = 0.05;
  scene.conf.dVerlet = 0.01;
}

std::unique_ptr<sim::Simulation> started(Scene scene, sim::Drives drives = {}) {
  listAtEachStep(scene);
  return scene.start({1, true}, std::move(drives));
}

Vec3 slope(double degrees) {
  const double angle = degrees * pi / 180.0;
  return g * Vec3(std::sin(angle), -std::cos(angle), 0);
}

/// Least and greatest of a reading over ten places of the first touch within a step.
struct Spread {
  double least = HUGE_VAL, most = -HUGE_VAL;
  void add(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
  /// Whether a number lies in it; where in a step the touch falls is not published.
  void checkAgrees(double published, double digit) const {
    INFO(least << " to " << most);
    CHECK(published == Approx(0.5 * (least + most)).margin(most - least + digit));
  }
};

/// Runs a body that falls onto a plane by `vel` until it has left it, ten times, with the first
/// touch at another place within a step. @param scene  from the height of the body
template <class F>
void overPhases(double height, double dt, const Vec3& vel, Scene (*make)(double), const F& prepare,
                const std::function<void(const sim::Bodies&)>& read) {
  for (int phase = 0; phase < 10; ++phase) {
    Scene scene = make(height + (3 + 1e-6 + 0.1 * phase) * dt);
    scene.conf.dt = dt;
    scene.conf.particles[1].vel = vel;
    prepare(scene);
    auto s = started(std::move(scene));
    while (s->contactCount() == 0) s->step();
    while (s->contactCount() > 0) s->step();
    read(s->bodies());
  }
}

}  // namespace

TEST_CASE("compat: restitution of the clamped spring and dashpot, as published", "[compat]") {
  const auto [e, published] =
      GENERATE(std::pair(1.0, 1.0), std::pair(0.9, 0.902064), std::pair(0.7, 0.718290),
               std::pair(0.5, 0.550392), std::pair(0.3, 0.397245), std::pair(0.1, 0.252807));
  CAPTURE(e);
  Spread spread;
  overPhases(
      radius, pi * std::sqrt(ballMass() / 1e6) / 2000, Vec3(0, -1, 0), ballOnPlane,
      [&](Scene& scene) { scene.law(0, 1, 1e6, e * e, 0, 0); },
      [&](const sim::Bodies& b) { spread.add(b.vel[1].y()); });
  INFO(spread.least << " to " << spread.most);
  CHECK(published >= spread.least - 1e-6);
  CHECK(published <= spread.most + 1e-6);
  CHECK(spread.most - spread.least < 1.0 / 2000);
}

TEST_CASE("compat: Avalanche gives back the root of en2 to six digits", "[compat]") {
  const double en2 = GENERATE(0.81, 0.25, 0.05);
  Spread spread;
  // Of second order in dt: 4e-6 at 2,000 steps to half an oscillation, 4e-8 at 20,000.
  overPhases(
      radius, pi * std::sqrt(ballMass() / 1e6) / 20000, Vec3(0, -1, 0), ballOnPlane,
      [&](Scene& scene) {
        scene.conf.forceLaw = "Avalanche";
        scene.law(0, 1, 1e6, en2, 0, 0);
      },
      [&](const sim::Bodies& b) { spread.add(b.vel[1].y()); });
  CHECK(spread.least == Approx(std::sqrt(en2)).epsilon(5e-7));
  CHECK(spread.most == Approx(std::sqrt(en2)).epsilon(5e-7));
}

TEST_CASE("compat: ten peaks of an elastic ball within 2e-5 of the height it fell from",
          "[compat]") {
  Scene scene = ballOnPlane(radius + 0.1);
  scene.law(0, 1, 1e6, 1.0, 0, 0);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.dt = pi * std::sqrt(ballMass() / 1e6) / 200;
  auto s = started(scene);
  double vBefore = 0.0;
  for (int peaks = 0; peaks < 10;) {
    s->step();
    const double v = s->bodies().vel[1].y();
    if (vBefore > 0 && v <= 0) {
      const double peak = s->bodies().pos[1].y() - radius + v * v / (2 * g);
      CHECK(std::abs(peak - 0.1) <= 2e-5);
      ++peaks;
    }
    vBefore = v;
  }
}

TEST_CASE("compat: static penetrations and a stack of three, to the digits published", "[compat]") {
  SECTION("a cube on four corners, with and without shared stiffness") {
    const auto [weights, published] =
        GENERATE(std::pair("None", 6.22083059424e-4), std::pair("NumberWeight", 2.48833223766e-3));
    Scene scene = cubeOnPlane(0.5);
    scene.conf.gravity = Vec3(0, -g, 0);
    scene.law(0, 1, 1e7, 0.01, 1e7, 0.5);
    scene.conf.contactPartnership = weights;
    scene.conf.dt = 5e-5;
    auto s = started(scene);
    for (int k = 0; k < 20000; ++k) s->step();
    // The published number is 1.6e-14 off m g/(4 kn): so far from rest was it read.
    CHECK(std::abs(0.5 - s->bodies().pos[1].y() - published) < 1e-13);
  }
  SECTION("a stack of spheres") {
    Scene scene = ballOnPlane(radius);
    for (int k = 1; k < 3; ++k) scene.add(scene.shapes[1], {0, radius * (1 + 2 * k), 0}, 1);
    scene.conf.gravity = Vec3(0, -g, 0);
    for (const std::uint32_t group : {0u, 1u}) scene.law(group, 1, 1e6, 0.01, 0, 0);
    scene.conf.dt = 5e-5;
    auto s = started(scene);
    for (int k = 0; k < 60000; ++k) s->step();
    const double published[] = {0.099679482151, 0.299465803585, 0.499358964302};
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(s->bodies().pos[k + 1].y() - published[k]) < 0.6e-12);  // 12 decimals printed
  }
}

TEST_CASE("compat: a block slides with the accelerations published", "[compat]") {
  const auto [degrees, published] = GENERATE(std::pair(20.0, 0.0), std::pair(30.0, 0.65714),
                                             std::pair(35.0, 1.60885), std::pair(45.0, 3.46837));
  CAPTURE(degrees);
  const Vec3 pull = slope(degrees);
  Scene scene = cubeOnPlane(0.5 + cubeMass() * pull.y() / 4e7);
  scene.conf.gravity = pull;
  scene.law(0, 1, 1e7, 0.1, 1e7, 0.5);
  scene.conf.dt = 5e-5;
  auto s = started(scene);
  for (int k = 0; k < 10000; ++k) s->step();
  const double v0 = s->bodies().vel[1].x();
  for (int k = 0; k < 10000; ++k) s->step();
  const double a = (s->bodies().vel[1].x() - v0) / (10000 * scene.conf.dt);
  // When it was read is not published: what the rocking block swings by, 1e-4 g as the benchmark
  // has it.
  CHECK(a == Approx(published).margin(1e-4 * g));
}

TEST_CASE("compat: a box on end stands at 18.0 degrees and falls at 18.3", "[compat]") {
  // Sudden tilt; by statics it falls beyond 18.4349 degrees, and the swing of the start takes it
  // there a little earlier.
  const auto [degrees, falls] = GENERATE(std::pair(18.0, false), std::pair(18.3, true));
  CAPTURE(degrees);
  Scene scene;
  scene.add(plate("plate", 50.0, 0.05), {0, -0.05, 0}, 0);
  const shape::Shape slab = box("slab", 0.3, 0.8, 0.3, 0.05);
  scene.add(slab, {0, 0.45, 0}, 1, slab.orientation);
  scene.conf.nDriven = 1;
  scene.conf.setDensity(1, density);
  scene.conf.gravity = slope(degrees);
  scene.law(0, 1, 1e8, 0.1, 1e8, 0.8);
  scene.conf.dt = 5e-5;
  auto s = started(scene);
  while (s->time() < 3.0) s->step();
  CHECK((s->bodies().pos[1].y() < 0.4) == falls);
}

TEST_CASE("compat: a ball rolls and slips with the accelerations published", "[compat]") {
  // Readings of a ball from rest, after one second; the tangential spring swings on, by 1e-4.
  struct Row {
    double degrees, mu, acc, angular;
  };
  const Row row =
      GENERATE(Row{10, 0.5, 1.21685, 0}, Row{30, 0.5, 3.50377, 0}, Row{60, 0.2, 7.51472, 24.5243});
  CAPTURE(row.degrees);
  const Vec3 pull = slope(row.degrees);
  Scene scene = ballOnPlane(radius + ballMass() * pull.y() / 1e8);
  scene.conf.gravity = pull;
  scene.law(0, 1, 1e8, 0.1, 1e8, row.mu);
  scene.conf.dt = 1e-5;
  auto s = started(scene);
  while (s->time() < 1.0 - 0.5e-5) s->step();
  CHECK(s->bodies().vel[1].x() == Approx(row.acc).epsilon(2e-4));
  const double angular = row.angular > 0 ? row.angular : row.acc / radius;
  CHECK(-s->bodies().spin[1].z() == Approx(angular).epsilon(2e-4));
}

TEST_CASE("compat: a sliding ball comes to roll where and as fast as published", "[compat]") {
  const double mu = 0.3, v0 = 2.0;
  Scene scene = ballOnPlane(radius - ballMass() * g / 1e7);
  scene.law(0, 1, 1e7, 0.1, 1e7, mu);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.particles[1].vel = Vec3(v0, 0, 0);
  scene.conf.dt = 1e-5;
  auto s = started(scene);
  while (s->time() < 2 * v0 / (7 * mu * g)) s->step();
  CHECK(s->bodies().pos[1].x() == Approx(0.332855).epsilon(5e-5));
  while (s->time() < 0.3) s->step();
  // The tangential spring, let go under mu m g, swings on; when the numbers were read is not said.
  const double swing = mu * ballMass() * g / std::sqrt(1e7 * 2.0 / 7.0 * ballMass());
  CHECK(s->bodies().vel[1].x() == Approx(1.42883).margin(4.0 / 7.0 * swing));
  CHECK(-s->bodies().spin[1].z() == Approx(14.2784).margin(10.0 / 7.0 * swing / radius));
}

TEST_CASE("compat: rolling resistance brakes a ball as published", "[compat]") {
  Scene scene = ballOnPlane(radius - ballMass() * g / 1e8);
  scene.law(0, 1, 1e8, 0.1, 1e8, 0.5);
  scene.conf.setLawParameter("krContact", 0, 1, 1e5);
  scene.conf.setLawParameter("murContact", 0, 1, 0.002);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.particles[1].vel = Vec3(1, 0, 0);
  scene.conf.particles[1].vrot = Vec3(0, 0, -1 / radius);
  scene.conf.dt = 1e-5;
  auto s = started(scene);
  while (s->time() < 1.0) s->step();
  CHECK((s->bodies().vel[1].x() - 1.0) / s->time() == Approx(-0.14016).epsilon(5e-4));
}

TEST_CASE("compat: oblique impacts in gross sliding, as published", "[compat]") {
  struct Row {
    double e, vel, spin;
  };
  const Row row = GENERATE(Row{1.0, 1.8, 4.9935}, Row{0.5, 1.85011, 3.7437});
  CAPTURE(row.e);
  Spread vel, spin;
  overPhases(
      radius, pi * std::sqrt(ballMass() / 1e8) / 2000, Vec3(2, -1, 0), ballOnPlane,
      [&](Scene& scene) { scene.law(0, 1, 1e8, row.e * row.e, 1e8, 0.1); },
      [&](const sim::Bodies& b) {
        vel.add(b.vel[1].x());
        spin.add(-b.spin[1].z());
      });
  vel.checkAgrees(row.vel, 1e-5);
  spin.checkAgrees(row.spin, 1e-4);
}

TEST_CASE("compat: a cube that falls on one corner, as published", "[compat]") {
  struct Row {
    double e, kn, vel, x, z;
  };
  const Row row = GENERATE(
      Row{1.0, 1e8, 0.414299, -1.63744, -1.55986}, Row{1.0, 1e10, 0.421197, -1.63173, -1.55443},
      Row{0.5, 1e8, 0.059479, -1.22310, -1.16516}, Row{0.5, 1e10, 0.065675, -1.22319, -1.16524});
  CAPTURE(row.e, row.kn);
  const shape::Shape cube = box("cube", 0.8, 0.8, 0.8, 0.1);
  const Quat q(Eigen::AngleAxisd(0.6, Vec3(1, 0.3, 0.7).normalized()));
  double lowest = 0.0;
  for (const Vec3& p : cube.vertices) lowest = std::min(lowest, (q * p).y());
  Spread vel, x, z;
  overPhases(
      -lowest + 0.1, pi * std::sqrt(cubeMass() / row.kn) / 2000, Vec3(0, -1, 0), cubeOnPlane,
      [&](Scene& scene) {
        scene.conf.particles[1].q = q;
        scene.law(0, 1, row.kn, row.e * row.e, 0, 0);
      },
      [&](const sim::Bodies& b) {
        vel.add(b.vel[1].y());
        x.add(b.spin[1].x());
        z.add(b.spin[1].z());
      });
  vel.checkAgrees(row.vel, 1e-5);
  x.checkAgrees(row.x, 1e-4);
  z.checkAgrees(row.z, 1e-4);
}

TEST_CASE("compat: a ball on a vibrated plate flies as high as published", "[compat]") {
  const double f = 10.0, amplitude = 2 * g / std::pow(2 * pi * f, 2);
  CHECK(amplitude == Approx(4.969804e-3).epsilon(1e-6));
  Scene scene = ballOnPlane(radius);
  scene.law(0, 1, 1e9, 0.0, 0, 0);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.particles[1].vel = Vec3(0, 2 * pi * f * amplitude, 0);
  scene.conf.dt = 1e-6;
  sim::Drives drives = pull(0, Vec3::Zero());
  drives.servos.push_back({sim::Shaker{Vec3::UnitY(), amplitude, f}, {0, 1, 2}});
  auto s = started(scene, drives);
  double widest = 0.0;
  while (s->time() < 0.0824) {
    s->step();
    widest = std::max(widest, s->bodies().pos[1].y() - radius - (s->bodies().pos[0].y() + 0.05));
  }
  // In closed form 6.290587e-3 for a hard contact. The mass of the ball, which says how soft this
  // one is, is not published.
  CHECK(widest == Approx(6.29170e-3).epsilon(1e-4));
}

namespace {

/// Box 0.8 x 0.4 x 0.2, r 0.05, that spins freely. Relative drifts of energy and angular momentum,
/// and relative error of its body-frame spin after 2 s from (2, 1, 3).
struct TopErrors {
  double energy, momentum, spin;
};
TopErrors freeTop(const std::string& integrator, double dt, double time, const Vec3& spin) {
  Scene scene;
  const shape::Shape shape = box("box", 0.8, 0.4, 0.2, 0.05);
  scene.add(shape, Vec3::Zero(), 1);
  scene.conf.setDensity(1, density);
  scene.conf.dt = dt;
  scene.conf.integrator = integrator;
  // The survey may order the axes as it likes: spins are given along the sides of the box.
  scene.conf.particles[0].q = shape.orientation;
  scene.conf.particles[0].vrot = spin;
  auto s = started(scene);
  // As the published figures do, with orientations as they are: RungeKutta4 lets them grow.
  const auto momentum = [&] {
    const sim::Bodies& b = s->bodies();
    return rotated(b.q[0], b.inertia[0].cwiseProduct(turnedBack(b.q[0], b.spin[0])));
  };
  const Vec3 before = momentum();
  const double energy = 0.5 * before.dot(s->bodies().spin[0]);
  for (int k = 0; k < static_cast<int>(std::lround(time / dt)); ++k) s->step();
  const Vec3 after = momentum();
  const Vec3 expected(-1.958902, -1.129981, 2.969243);  // elliptic functions
  const Vec3 turned = rotated(shape.orientation, turnedBack(s->bodies().q[0], s->bodies().spin[0]));
  return {0.5 * after.dot(s->bodies().spin[0]) / energy - 1.0,
          (after - before).norm() / before.norm(), (turned - expected).norm() / expected.norm()};
}

}  // namespace

TEST_CASE("compat: each integrator turns a free top with the errors published for it", "[compat]") {
  struct Row {
    const char* integrator;
    double energy, momentum, spin;
  };
  const Row row =
      GENERATE(Row{"velocityVerlet", 3.1e-3, 1.6e-3, 1.5e-3}, Row{"Beeman", 8.4e-4, 8.9e-4, 9.7e-4},
               Row{"RungeKutta4", 8.1e-4, 2.2e-3, 1.8e-2}, Row{"Euler", -2.3e-3, 2.6e-3, 1.2e-2});
  const TopErrors e = freeTop(row.integrator, 1e-3, 2.0, Vec3(2, 1, 3));
  UNSCOPED_INFO(row.integrator << ": " << e.energy << " " << e.momentum << " " << e.spin);
  const auto sameDigits = [](double actual, double published) {
    // Two digits are published, good to one in the second.
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(published))) - 1);
    CHECK(std::abs(actual - published) <= 0.7 * unit);
  };
  sameDigits(e.energy, row.energy);
  sameDigits(e.momentum, row.momentum);
  sameDigits(e.spin, row.spin);
  // Order 1, declared.
  const double twice = freeTop(row.integrator, 2e-3, 2.0, Vec3(2, 1, 3)).spin;
  CHECK(std::log2(twice / e.spin) == Approx(1.0).margin(0.1));
}

TEST_CASE("compat: a top about its middle axis gains the energy published", "[compat]") {
  CHECK(freeTop("velocityVerlet", 1e-3, 10.0, Vec3(0.01, 5, 0.01)).energy ==
        Approx(1.2e-2).margin(0.05e-2));
  CHECK(freeTop("RungeKutta4", 1e-3, 10.0, Vec3(0.01, 5, 0.01)).energy ==
        Approx(0.17).margin(0.005));
}

TEST_CASE("compat: a ball that spins loses its orientation as published", "[compat]") {
  const auto orientation = [](const char* integrator, double dt, double time) {
    Scene scene;
    scene.add(ball("ball", radius), Vec3::Zero(), 1, Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0));
    scene.conf.setDensity(1, density);
    scene.conf.dt = dt;
    scene.conf.integrator = integrator;
    scene.conf.particles[0].vrot = Vec3(0, 0, 10);
    auto s = started(scene);
    for (int k = 0; k < static_cast<int>(std::lround(time / dt)); ++k) s->step();
    return s->bodies().q[0];
  };
  const auto error = [&](const char* integrator, double dt) {
    const Quat exact =
        Quat(Eigen::AngleAxisd(10.0, Vec3::UnitZ())) * Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
    return exact.angularDistance(orientation(integrator, dt, 1.0).normalized());
  };
  CHECK(error("velocityVerlet", 1e-3) == Approx(0.0123).margin(0.00005));
  CHECK(error("velocityVerlet", 1e-4) == Approx(0.00123).margin(0.000005));
  CHECK(error("Euler", 1e-3) == Approx(8.3e-5).margin(0.05e-5));
  CHECK(error("Euler", 1e-4) == Approx(8.3e-7).margin(0.05e-7));
  // RungeKutta4 never brings an orientation back to length 1.
  CHECK(orientation("RungeKutta4", 1e-3, 1.0).norm() - 1.0 == Approx(6e-3).margin(0.5e-3));
}

TEST_CASE("compat: Beeman and RungeKutta4 make tangential springs twice and four times as stiff",
          "[compat]") {
  // A plate that slides below a ball too heavy to follow. There ft is kt times the way, as often as
  // forces are evaluated in a step.
  const auto [integrator, times] = GENERATE(std::pair("velocityVerlet", 1), std::pair("Euler", 1),
                                            std::pair("Beeman", 2), std::pair("RungeKutta4", 4));
  CAPTURE(integrator);
  const double kt = 1e6, speed = 0.01, dt = 1e-5;
  Scene scene = ballOnPlane(radius - 1e-3);
  scene.conf.setDensity(1, 1e15);
  scene.law(0, 1, 1e6, 1.0, kt, 10.0);
  scene.conf.dt = dt;
  scene.conf.integrator = integrator;
  sim::Drives drives;
  drives.controls.push_back({sim::Imposed::velocity, 0, 0, Vec3(speed, 0, 0)});
  auto s = started(scene, drives);
  for (int k = 0; k < 100; ++k) s->step();
  REQUIRE(s->interactions().size() == 1);
  const sim::InteractionRecord r = s->interactions()[0];
  CHECK(std::abs(r.ft.x()) == Approx(times * 100 * kt * speed * dt).epsilon(1e-12));
}

namespace {

/// The cantilever of four free cubes. The test reads where the tip comes to rest.
std::unique_ptr<sim::Simulation> cantilever(double dt, double en2, double damping) {
  Scene scene = Cantilever{}.scene(dt, en2, damping);
  scene.law(0, 0, 1e7, en2, 4e6, 0.5);
  for (const char* strength : {"fn0InnerBond", "ft0InnerBond"})
    scene.conf.setLawParameter(strength, 0, 0, 1e9);
  return scene.start({1, true});
}

}  // namespace

TEST_CASE("compat: a damped cantilever is as much too stiff as published", "[compat]") {
  const auto [dt, published] = GENERATE(std::pair(2e-5, 6.47953e-3), std::pair(1e-5, 6.47902e-3));
  auto s = cantilever(dt, 0.1, 0.0);
  while (s->time() < 30.0) s->step();
  CHECK(-s->bodies().pos[4].y() == Approx(published).epsilon(5e-6));
}

TEST_CASE("compat: local damping moves the place of rest as published", "[compat]") {
  // The place is a matter of the path, and the step was not published: to a twentieth.
  const auto [c, published] =
      GENERATE(std::pair(0.03, -0.016), std::pair(0.1, -0.015), std::pair(0.2, -0.13),
               std::pair(0.3, 0.36), std::pair(0.5, 0.27));
  CAPTURE(c);
  auto s = cantilever(2e-5, 1.0, c);
  while (s->time() < 10.0) s->step();
  CHECK(-s->bodies().pos[4].y() / 7.088249e-3 - 1 == Approx(published).epsilon(0.05).margin(0.001));
}
