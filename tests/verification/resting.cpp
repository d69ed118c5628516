// SPDX-License-Identifier: GPL-3.0-or-later
// Sections 3.3 to 3.6: bodies that rest, slide or topple, and a ball that rolls and slips.
#include "contact_scenes.hpp"
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

constexpr double g = 9.81;

void restingCube(Report& report) {
  for (const auto& [weights, expected] :
       {std::pair("None", 6.220830594e-4), std::pair("NumberWeight", 2.488332238e-3),
        std::pair("OverlapWeight", 2.488332238e-3)}) {
    Scene scene = cubeOnPlane(0.5);
    scene.conf.contactPartnership = weights;
    scene.conf.gravity = Vec3(0, -g, 0);
    scene.law(0, 1, 1e7, 0.01, 1e7, 0.5);
    scene.conf.dt = 5e-5;
    auto s = scene.start();
    for (int k = 0; k < 20000; ++k) s->step();
    report.absolute(fmt::format("ContactPartnership {}: sinks in by [m]", weights),
                    0.5 - s->bodies().pos[1].y(), expected, 1e-10);
    report.count(fmt::format("ContactPartnership {}: contacts", weights), s->contactCount(), 4);
  }
}

void stackOfThree(Report& report) {
  const double kn = 1e6, weight = ballMass() * g;
  Scene scene = ballOnPlane(radius);
  for (int k = 1; k < 3; ++k) scene.add(ball("ball", radius), {0, (2 * k + 1) * radius, 0}, 1);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.law(0, 1, kn, 0.01, 0, 0);
  scene.law(1, 1, kn, 0.01, 0, 0);
  scene.conf.dt = 1e-4;
  auto s = scene.start();
  for (int k = 0; k < 20000; ++k) s->step();
  const double page[] = {0.099679482151, 0.299465803585, 0.499358964302};
  for (std::size_t k = 0; k < 3; ++k)
    report.absolute(fmt::format("height of ball {} [m]", k + 1), s->bodies().pos[k + 1].y(),
                    page[k], 1e-10);
  report.relative("force under the stack over 3 mg", s->bodies().force[0].norm() / (3 * weight),
                  1.0, 1e-9);
}

Vec3 tiltedBy(double degrees) {
  const double a = degrees * pi / 180.0;
  return g * Vec3(std::sin(a), -std::cos(a), 0);
}

/// The cube on the plane, pressed in as it will rest, under gravity that is tilted.
Scene slope(double degrees) {
  Scene scene = cubeOnPlane(0.5 - cubeMass() * g * std::cos(degrees * pi / 180.0) / 4e7);
  scene.conf.gravity = tiltedBy(degrees);
  scene.law(0, 1, 1e7, 0.1, 1e7, 0.5);
  scene.conf.dt = 5e-5;
  return scene;
}

void slidingBlock(Report& report) {
  for (const double degrees : {30.0, 35.0, 45.0}) {
    auto s = slope(degrees).start();
    for (int k = 0; k < 8000; ++k) s->step();
    const double v = s->bodies().vel[1].x(), t = s->time();
    for (int k = 0; k < 8000; ++k) s->step();
    const double a = degrees * pi / 180.0;
    report.absolute(fmt::format("{}°: acceleration [m/s²]", degrees),
                    (s->bodies().vel[1].x() - v) / (s->time() - t),
                    g * (std::sin(a) - 0.5 * std::cos(a)), 1e-4 * g);
  }
}

void stuckBlock(Report& report) {
  // Tangential springs have no dashpot: global damping brings them to rest.
  const auto settled = [](double mu) {
    Scene scene = slope(20);
    scene.law(0, 1, 1e7, 0.1, 1e7, mu);
    scene.conf.numericalDampingCoeff = 0.3;
    auto s = scene.start();
    for (int k = 0; k < 30000; ++k) s->step();
    return s;
  };
  // The block leans; its springs hold the points of contact, half an overlap above its base.
  const auto base = [](const sim::Simulation& s) {
    const double height = 0.5 - cubeMass() * g * std::cos(20 * pi / 180) / 8e7;
    return (s.bodies().pos[1] + rotated(s.bodies().q[1], Vec3(0, -height, 0))).x();
  };
  auto s = settled(0.5);
  const double v = s->bodies().vel[1].x();
  for (int k = 0; k < 10000; ++k) s->step();
  report.absolute("20°: acceleration [m/s²]", (s->bodies().vel[1].x() - v) / 0.5, 0.0, 1e-4 * g);
  double pull = 0.0;
  for (const auto& c : s->interactions()) pull += c.ft.x();
  const double weight = cubeMass() * g * std::sin(20 * pi / 180);
  report.relative("20°: force along the slope over mg sin θ", std::abs(pull) / weight, 1.0, 1e-6);
  report.relative("20°, no corner slips (μ = 2): creep of the base [m]", base(*settled(2.0)),
                  2.12765e-4, 1e-4);
  // Leaning takes load off the corners uphill. They slip where tan θ > μ/(1 + μ h/c), 17.1° for μ =
  // 0.5. Those downhill take over what they cannot hold.
  const double c = std::cos(20 * pi / 180), sn = std::sin(20 * pi / 180), mg = cubeMass() * g;
  const double uphill = 0.5 * mg * (c / 4 - sn * 0.5 / (4 * 0.4));
  const double least = (weight - 2 * uphill) / 2 / 1e7;
  report.absolute("20°, μ = 0.5: creep is at least that of the corners downhill, less it is [m]",
                  std::max(0.0, least - base(*s)), 0.0, 1e-3 * least);
}

/// Core 0.3 × 0.8 × 0.3 standing on end: half the width of the foot 0.15, centre at 0.45.
Scene standingBox(double kn, double dt) {
  Scene scene;
  scene.add(plate("plate", 20.0, 0.05), {0, -0.05, 0}, 0);
  const shape::Shape box = scenes::box("box", 0.3, 0.8, 0.3, 0.05);
  scene.add(box, {0, 0.45 - density * box.volume * g / (4 * kn), 0}, 1);
  scene.conf.nDriven = 1;
  scene.conf.setDensity(1, density);
  scene.law(0, 1, kn, 0.1, kn, 0.8);
  scene.conf.dt = dt;
  return scene;
}
double leanOf(const sim::Simulation& s) {  // degrees, against the plate
  const Vec3 up = turnedBack(s.bodies().q[0], rotated(s.bodies().q[1], Vec3::UnitY()));
  return std::acos(std::min(1.0, up.y())) * 180 / pi;
}

void suddenTilt(Report& report) {
  for (const auto& [degrees, falls] : {std::pair(18.0, false), std::pair(18.6, true)}) {
    Scene scene = standingBox(1e8, 4e-5);
    scene.conf.gravity = tiltedBy(degrees);
    auto s = scene.start();
    while (s->time() < 3.0 && leanOf(*s) < 10) s->step();
    report.count(fmt::format("{}°: falls", degrees), leanOf(*s) > 5, falls);
  }
}

void slowTilt(Report& report) {
  // The plate turns under the box: at once to 16° with its gravity, then 0.25° a second.
  const double limit = std::atan(0.15 / 0.45) * 180 / pi, start = 16, rate = 0.25;
  Scene scene = standingBox(1e8, 4e-5);
  scene.conf.numericalDampingCoeff = 0.2;  // of the rocking that the start leaves
  scene.conf.gravity = tiltedBy(start);
  const double spin = -rate * pi / 180;
  auto s = scene.start(1, {{{sim::Imposed::spin, 2, 0, Vec3(0, 0, spin)}}, {}});
  double stands = 0.0;  // the last angle at which all four corners bore
  while (leanOf(*s) < 0.5 && s->time() < 14.0) {
    s->step();
    if (s->contactCount() == 4) stands = start + rate * s->time();
  }
  report.absolute("corners uphill leave at [°]", stands, limit, 0.1);
}

}  // namespace

std::vector<Problem> restingProblems() {
  return {
      {"3.3", "cube on four corners",
       "δ = mg/(4 kn); mg/kn where the corners share; 1e-9 of the radius", false, restingCube},
      {"3.3", "stack of three balls", "overlap k mg/kn; 1e-9 of the radius", false, stackOfThree},
      {"3.4", "block that slides", "g (sin θ − μ cos θ); 1e-4 g", false, slidingBlock},
      {"3.4", "block that sticks", "mg sin θ/(4 kt) while no corner slips", false, stuckBlock},
      {"3.5", "box on end, tilted at once", "falls above 18.43°, less for the swing of the start",
       true, suddenTilt},
      {"3.5", "box on end, tilted slowly", "atan(half width/height of the centre); ± 0.1°", true,
       slowTilt},
  };
}

namespace {

constexpr double gravity = 9.81, stiffness = 1e8;

/// On a slope turned level, pressed in as it will roll.
Scene onSlope(double degrees, double mu, double mur = 0.0) {
  const double a = degrees * pi / 180.0;
  Scene scene = ballOnPlane(radius - ballMass() * gravity * std::cos(a) / stiffness);
  scene.law(0, 1, stiffness, 0.1, stiffness, mu);
  if (mur > 0.0) {
    scene.conf.setLawParameter("krContact", 0, 1, 1e4);
    scene.conf.setLawParameter("murContact", 0, 1, mur);
  }
  scene.conf.gravity = gravity * Vec3(std::sin(a), -std::cos(a), 0);
  scene.conf.dt = 1e-5;
  return scene;
}

struct Acceleration {
  double linear = 0.0, angular = 0.0;
};
/// Means of speeds over [0.1, 0.2] and [0.3, 0.4] s, by places and turns, 0.2 s apart. They contain
/// neither the swing of the springs nor how they were loaded at the start.
Acceleration accelerationOf(const Scene& scene) {
  auto s = scene.start();
  double turned = 0.0;
  const auto until = [&](double t) {
    while (s->time() < t - 1e-9) {
      const double before = s->bodies().spin[1].z();
      s->step();
      turned -= 0.5 * (before + s->bodies().spin[1].z()) * s->timeStep();
    }
    return std::pair(s->bodies().pos[1].x(), turned);
  };
  const auto a = until(0.1), b = until(0.2), c = until(0.3), d = until(0.4);
  return {(d.first - c.first - (b.first - a.first)) / (0.1 * 0.2),
          (d.second - c.second - (b.second - a.second)) / (0.1 * 0.2)};
}

void inclines(Report& report) {
  for (const double degrees : {10.0, 30.0}) {
    const double expected = 5.0 / 7.0 * gravity * std::sin(degrees * pi / 180.0);
    const Acceleration a = accelerationOf(onSlope(degrees, 0.5));
    report.relative(fmt::format("{}° rolls: a [m/s²]", degrees), a.linear, expected, 5e-4);
    report.relative(fmt::format("{}° rolls: α [1/s²]", degrees), a.angular, expected / radius,
                    5e-4);
  }
  const Acceleration a = accelerationOf(onSlope(60, 0.2));
  report.relative("60°, μ = 0.2, slips: a [m/s²]", a.linear, 7.51471, 5e-4);
  report.relative("60°, μ = 0.2, slips: α [1/s²]", a.angular, 24.525, 5e-4);
}

void slideToRoll(Report& report) {
  const double mu = 0.3, v0 = 2.0;
  Scene scene = onSlope(0, mu);
  scene.conf.particles[1].vel = Vec3(v0, 0, 0);
  auto s = scene.start();
  double slipEnds = 0.0;
  const double slip = 2 * v0 / (7 * mu * gravity);
  while (s->time() < slip) {
    s->step();
    const double bound = mu * ballMass() * gravity;
    if (slipEnds == 0.0 && s->time() > 0.1 && std::abs(s->bodies().force[1].x()) < 0.999 * bound)
      slipEnds = s->time();
  }
  report.relative("place where slip should end [m]", s->bodies().pos[1].x(), 0.332855, 5e-4);
  while (slipEnds == 0.0) {
    s->step();
    if (std::abs(s->bodies().force[1].x()) < 0.999 * mu * ballMass() * gravity)
      slipEnds = s->time();
  }
  report.relative("slip ends at [s]", slipEnds, 0.194165, 5e-4);
  const double x0 = s->bodies().pos[1].x(), t0 = s->time();
  double turned = 0.0;
  while (s->time() < t0 + 0.2) {
    s->step();
    turned += s->bodies().spin[1].z() * s->timeStep();
  }
  const double t = s->time() - t0;
  report.relative("then v [m/s]", (s->bodies().pos[1].x() - x0) / t, 5 * v0 / 7, 5e-4);
  report.relative("then ω [1/s]", -turned / t, 14.28571, 5e-4);
}

void resistance(Report& report) {
  const double mur = 0.002;
  {
    Scene scene = onSlope(0, 0.5, mur);
    scene.conf.particles[1].vel = Vec3(1, 0, 0);
    scene.conf.particles[1].vrot = Vec3(0, 0, -1 / radius);
    report.relative("level: a [m/s²]", accelerationOf(scene).linear, -0.140143, 5e-4);
  }
  for (const double degrees : {5.0, 10.0}) {
    const double a = degrees * pi / 180.0;
    report.relative(fmt::format("{}°: a [m/s²]", degrees),
                    accelerationOf(onSlope(degrees, 0.5, mur)).linear,
                    5.0 / 7.0 * gravity * (std::sin(a) - mur / radius * std::cos(a)), 5e-4);
  }
  // tan 1° = 0.0175 < 0.02: the rolling spring holds. Set free at once the ball swings beyond what
  // its moment can bear. It comes to a stop where the work of its weight is used up. The spring
  // takes that work up to its bound, and the bound from there.
  Scene scene = onSlope(1, 0.5, mur);
  auto s = scene.start();
  double early = 0.0, late = 0.0;
  while (s->time() < 1.0) {
    s->step();
    double& most = s->time() < 0.5 ? early : late;
    most = std::max(most, std::abs(s->bodies().pos[1].x()));
  }
  const double moment = ballMass() * gravity * std::sin(pi / 180) * radius,
               bound = ballMass() * gravity * std::cos(pi / 180) * mur;
  report.relative("1° < atan(mur/R): farthest [m]", early,
                  0.5 * bound * (bound / 1e4) / (bound - moment) * radius, 0.02);
  // But for how the steps fall on the peaks of the swing.
  report.atMost("1° < atan(mur/R): farther in the second half of 1 s [m]",
                std::max(0.0, late - early), 1e-4 * early);
}

}  // namespace

std::vector<Problem> rollingProblems() {
  return {
      {"3.6", "ball on a slope", "5/7 g sin θ; slip: g (sin θ − μ cos θ), 5μg cos θ/(2R)", false,
       inclines},
      {"3.6", "ball from sliding to rolling", "2v0/(7μg), 12v0²/(49μg), 5v0/7", false, slideToRoll},
      {"3.6", "rolling resistance",
       "5/7 g (sin θ − mur/R cos θ); rest where tan θ ≤ mur/R; swing of the springs", false,
       resistance},
  };
}

}  // namespace scree::verification
