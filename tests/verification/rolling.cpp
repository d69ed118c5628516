// SPDX-License-Identifier: GPL-3.0-or-later
// Section 3.6: a ball that rolls and slips.
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

constexpr double gravity = 9.81, kn = 1e8;

/// On a slope turned level, pressed in as it will roll.
Scene onSlope(double degrees, double mu, double mur = 0.0) {
  const double a = degrees * pi / 180.0;
  Scene scene = ballOnPlane(radius - ballMass() * gravity * std::cos(a) / kn);
  scene.law(0, 1, kn, 0.1, kn, mu);
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
