// SPDX-License-Identifier: GPL-3.0-or-later
// What servos impose: values at a time, and their exact means over a step.
#include "engine/drives.hpp"

#include "scree/base/math.hpp"

#include <cmath>

namespace scree::sim {
namespace {

Vec3 rampAt(const Ramp& r, double t) {
  if (t <= r.t0) return r.v0;
  if (t >= r.t1) return r.v1;
  return r.v0 + (r.v1 - r.v0) * ((t - r.t0) / (r.t1 - r.t0));
}

/// Mean of a ramp from a to b: before, along and after its slope.
Vec3 rampMean(const Ramp& r, double a, double b) {
  if (b <= r.t0) return r.v0;
  if (a >= r.t1) return r.v1;
  if (a >= r.t0 && b <= r.t1) return 0.5 * (rampAt(r, a) + rampAt(r, b));
  const double from = std::max(a, r.t0), to = std::min(b, r.t1);
  Vec3 sum = std::max(r.t0 - a, 0.0) * r.v0 + std::max(b - r.t1, 0.0) * r.v1;
  if (to > from) sum += (0.5 * (to - from)) * (rampAt(r, from) + rampAt(r, to));
  return sum / (b - a);
}

double sinOfTurns(double turns) { return cosOfTurns(turns - 0.25); }

/// A triangle wave of amplitude 1 that passes 0 upwards at 0.
double triangle(double turns) {
  const double phase = turns - std::floor(turns);
  if (phase < 0.25) return 4.0 * phase;
  return phase < 0.75 ? 2.0 - 4.0 * phase : 4.0 * phase - 4.0;
}

struct Setting {
  Drives& drives;
  const std::vector<std::size_t>& controls;
  double before, t;
  const Bodies& bodies;
  const std::vector<double>& radius;

  bool hasMean() const { return t > before && drives.rules.meanMotion; }

  void set(std::size_t k, double value) const {
    Control& c = drives.controls[controls[k]];
    c.value[c.axis] = value;
  }
  /// Three velocities along one direction: now, and so that the step moves by `moved`.
  void setVelocity(const Vec3& direction, double speed, double moved) const {
    for (int axis = 0; axis < 3; ++axis) {
      Control& c = drives.controls[controls[static_cast<std::size_t>(axis)]];
      c.value[axis] = speed * direction[axis];
      c.lag[axis] = hasMean() ? (moved / (t - before) - speed) * direction[axis] : 0.0;
    }
  }

  void operator()(const Ramp& r) const {
    Control& c = drives.controls[controls[0]];
    c.value = rampAt(r, t);
    c.lag = hasMean() ? Vec3(rampMean(r, before, t) - c.value) : Vec3::Zero();
  }
  void operator()(const Shaker& s) const {
    const double peak = 2.0 * pi * s.frequency * s.amplitude;
    setVelocity(s.direction, peak * cosOfTurns(s.frequency * t),
                s.amplitude * (sinOfTurns(s.frequency * t) - sinOfTurns(s.frequency * before)));
  }
  void operator()(const TriangleShaker& s) const {
    const auto turns = [&](double time) { return (time - s.start) * s.frequency; };
    const double rest = drives.rules.phaseFromStart ? turns(t) : t * s.frequency;
    const double phase = rest - std::floor(turns(t));
    const double sign = phase >= 0.25 && phase < 0.75 ? -1.0 : 1.0;
    setVelocity(s.direction, sign * 4.0 * s.amplitude * s.frequency,
                s.amplitude * (triangle(turns(t)) - triangle(turns(before))));
  }
  void operator()(const Triaxial& s) const {
    Vec3 inner;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t pair = 2 * static_cast<std::size_t>(axis);
      const BodyId low = s.walls[pair], high = s.walls[pair + 1];
      inner[axis] =
          std::abs((bodies.pos[high][axis] - radius[high]) - (bodies.pos[low][axis] + radius[low]));
    }
    for (std::size_t k = 0; k < 6; ++k) {
      const int axis = static_cast<int>(k / 2);
      const double inwards = k % 2 == 0 ? 1.0 : -1.0;
      const double area = inner[(axis + 1) % 3] * inner[(axis + 2) % 3];
      const double value = s.byPressure[k] ? (s.value[k] + s.rate[k] * t) * area : s.value[k];
      set(k, inwards * value);
    }
  }
};

}  // namespace

void setServos(Drives& drives, double before, double t, const Bodies& bodies,
               const std::vector<double>& radius) {
  for (std::size_t k = 0; k < drives.servos.size(); ++k) {
    if (!drives.rules.allServos && k + 1 < drives.servos.size()) continue;
    const Servo& s = drives.servos[k];
    std::visit(Setting{drives, s.controls, before, t, bodies, radius}, s.servo);
  }
}

}  // namespace scree::sim
