// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/drive_system.hpp"

#include "engine/rigid_motion.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace scree::sim {

namespace {

/// Inertia of a body about a global axis through its centre.
double inertiaAbout(const Bodies& b, BodyId k, int axis) {
  const Vec3 e = turnedBack(b.q[k], Vec3::Unit(axis));
  return e.dot(b.inertia[k].cwiseProduct(e));
}

/// Sets Control::leads, once the controls are complete. O(controls log controls).
void markLeaders(Drives& drives) {
  std::set<std::tuple<BodyId, Imposed, int>> seen;
  std::set<BodyId> rigid;  // turned by moments about all axes
  for (const Control& c : drives.controls)
    if (c.what == Imposed::moment && c.axis == 3) rigid.insert(c.body);
  for (Control& c : drives.controls)
    c.leads = seen.insert({c.body, c.what, c.what == Imposed::spin ? 0 : c.axis}).second &&
              !(c.what == Imposed::moment && c.axis < 3 && rigid.contains(c.body));
}

/// Takes velocity and spin from the components that `before` has driven and `now` no longer does:
/// they stay where they are.
void releaseDriven(const Drives& before, const Drives& now, Bodies& bodies) {
  // Bit axis: the velocity or force of that axis; bit 3 + axis: spin or moment.
  const auto componentsOf = [&](const Drives& drives) {
    std::vector<std::uint8_t> driven(bodies.driven, 0);
    for (const Control& c : drives.controls) {
      const bool turns = c.what == Imposed::spin || c.what == Imposed::moment;
      driven[c.body] |= static_cast<std::uint8_t>(c.axis == 3 ? 0x38 : 1 << (c.axis + 3 * turns));
    }
    return driven;
  };
  const auto was = componentsOf(before), is = componentsOf(now);
  for (BodyId k = 0; k < bodies.driven; ++k)
    for (int axis = 0; axis < 3; ++axis) {
      const int released = was[k] & ~is[k];
      if (released >> axis & 1) bodies.vel[k][axis] = bodies.acc[k][axis] = 0.0;
      if (released >> (axis + 3) & 1) bodies.spin[k][axis] = bodies.spinAcc[k][axis] = 0.0;
    }
}

}  // namespace

const std::vector<ControlMode>& controlModes() {
  static const std::vector<ControlMode> modes{
      {"_x_Vel_", Imposed::velocity, 0},  {"_y_Vel_", Imposed::velocity, 1},
      {"_z_Vel_", Imposed::velocity, 2},  {"_xrot_Vel_", Imposed::spin, 0},
      {"_yrot_Vel_", Imposed::spin, 1},   {"_zrot_Vel_", Imposed::spin, 2},
      {"_xyzrot_Vel_", Imposed::spin, 3}, {"_x_For_", Imposed::force, 0},
      {"_y_For_", Imposed::force, 1},     {"_z_For_", Imposed::force, 2},
      {"_xrot_Mom_", Imposed::moment, 0}, {"_yrot_Mom_", Imposed::moment, 1},
      {"_zrot_Mom_", Imposed::moment, 2}, {"_xyzrot_Mom_", Imposed::moment, 3},
  };
  return modes;
}

void DriveSystem::setDegreesOfFreedom(std::uint32_t driven) {
  degreesOfFreedom_.assign(driven, DegreesOfFreedom::none());
  for (const Control& c : drives_.controls) {
    DegreesOfFreedom& f = degreesOfFreedom_[c.body];
    const bool spinning = c.what == Imposed::spin || c.what == Imposed::moment;
    Vec3& moving = spinning ? f.turns : f.moves;
    Vec3& following = spinning ? f.twisted : f.pushed;
    const Vec3 which = c.axis == 3 ? Vec3(Vec3::Ones()) : Vec3(Vec3::Unit(c.axis));
    moving = moving.cwiseMax(which);
    if (c.what == Imposed::force || c.what == Imposed::moment)
      following = following.cwiseMax(which);
    if (c.what == Imposed::moment && c.axis == 3) f.rigid = true;
  }
}

void DriveSystem::setVelocities(bool mean, Bodies& bodies) const {
  const auto valueOf = [mean](const Control& c) -> Vec3 {
    return mean ? Vec3(c.value + c.lag) : c.value;
  };
  for (const Control& c : drives_.controls) {
    Vec3& spin = bodies.spin[c.body];
    if (c.what == Imposed::spin) spin = degreesOfFreedom_[c.body].twisted.cwiseProduct(spin);
    if (c.what == Imposed::velocity) bodies.vel[c.body][c.axis] = 0.0;
  }
  for (const Control& c : drives_.controls) {
    if (c.what == Imposed::spin) bodies.spin[c.body] += valueOf(c);
    if (c.what == Imposed::velocity) bodies.vel[c.body][c.axis] += valueOf(c)[c.axis];
  }
}

void DriveSystem::move(Bodies& bodies, double dt) const {
  setVelocities(true, bodies);
  for (const Control& c : drives_.controls) {
    const BodyId k = c.body;
    if (!c.leads && c.what != Imposed::velocity) continue;
    switch (c.what) {
      case Imposed::velocity:
        bodies.pos[k][c.axis] += dt * (c.value[c.axis] + c.lag[c.axis]);
        break;
      case Imposed::force:
        bodies.pos[k][c.axis] += dt * bodies.vel[k][c.axis] + 0.5 * dt * dt * bodies.acc[k][c.axis];
        bodies.vel[k][c.axis] += 0.5 * dt * bodies.acc[k][c.axis];
        break;
      case Imposed::spin: {
        const DegreesOfFreedom& f = degreesOfFreedom_[k];
        bodies.q[k] = turnedBy(bodies.q[k], (f.turns - f.twisted).cwiseProduct(bodies.spin[k]), dt);
        break;
      }
      case Imposed::moment:
        if (c.axis == 3) {
          RigidState s = stateOf(bodies, k);
          const Vec3 pos = s.pos, vel = s.vel;
          kickAndDrift(s, bodies.inertia[k], dt);
          s.pos = pos;
          s.vel = vel;
          setState(bodies, k, s);
        } else {
          bodies.spin[k][c.axis] += 0.5 * dt * bodies.spinAcc[k][c.axis];
          bodies.q[k] = turnedBy(bodies.q[k], bodies.spin[k][c.axis] * Vec3::Unit(c.axis), dt);
        }
        break;
    }
  }
}

void DriveSystem::addForces(Bodies& bodies, bool mean) const {
  for (const Control& c : drives_.controls) {
    const Vec3 value = mean ? Vec3(c.value + c.lag) : c.value;
    if (c.what == Imposed::force) bodies.force[c.body] += value;
    if (c.what == Imposed::moment) bodies.moment[c.body] += value;
  }
}

void DriveSystem::finish(const Restraint& restraint, Bodies& bodies, double dt) const {
  const auto held = [&](double acc, double speed, double barrier, double exponent) {
    if (restraint.damping > 0.0) acc *= dampingFactor(restraint.damping, acc * speed);
    return barrier > 0.0 ? acc * barrierFactor(speed, barrier, exponent) : acc;
  };
  for (const Control& c : drives_.controls) {
    const BodyId k = c.body;
    if (!c.leads) continue;
    if (c.what == Imposed::force) {
      double& acc = bodies.acc[k][c.axis];
      acc = held(bodies.force[k][c.axis] / bodies.mass[k], bodies.vel[k][c.axis], restraint.barrier,
                 restraint.exponent);
      bodies.vel[k][c.axis] += 0.5 * dt * acc;
    } else if (c.what == Imposed::moment && c.axis < 3) {
      double& acc = bodies.spinAcc[k][c.axis];
      acc = held(bodies.moment[k][c.axis] / inertiaAbout(bodies, k, c.axis), bodies.spin[k][c.axis],
                 restraint.angularBarrier, restraint.angularExponent);
      bodies.spin[k][c.axis] += 0.5 * dt * acc;
    } else if (c.what == Imposed::moment) {
      BodyLoad load{Vec3::Zero(), bodies.moment[k]};
      if (restraint.damping > 0.0)
        load = damped(load, restraint.damping, Vec3::Zero(), bodies.spin[k]);
      load = behindBarriers(load, restraint, Vec3::Zero(), bodies.q[k], bodies.spin[k],
                            bodies.inertia[k]);
      RigidState s = stateOf(bodies, k);
      const Vec3 vel = s.vel;
      kick(s, bodies.inertia[k], s.acc, load.moment, dt);
      s.vel = vel;
      setState(bodies, k, s);
    }
  }
}

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

/// Sets the values of all servo controls at time t, and their means since `before`. Pressures act
/// on the walls where they stand.
/// @param radius  rounding radius of each body [L], for the distance between walls
void setServos(Drives& drives, double before, double t, const Bodies& bodies,
               const std::vector<double>& radius) {
  for (std::size_t k = 0; k < drives.servos.size(); ++k) {
    if (!drives.rules.allServos && k + 1 < drives.servos.size()) continue;
    const Servo& s = drives.servos[k];
    std::visit(Setting{drives, s.controls, before, t, bodies, radius}, s.servo);
  }
}

}  // namespace

void DriveSystem::check(const World& world, const Drives& drives) {
  if (drives.cell && !world.images)
    throw ModelError(fmt::format(
        "{}: PeriodicLoading needs a periodic cell: usePeriodicCell 1, and its vectors h",
        world.model.source));
  for (const Control& c : drives.controls) {
    if (c.what != Imposed::force && c.what != Imposed::moment) continue;
    if (!(world.bodies.mass[c.body] > 0.0) ||
        (c.what == Imposed::moment && !(world.bodies.inertia[c.body].minCoeff() > 0.0)))
      throw ModelError(fmt::format(
          "{}: body {} is driven by a force or moment, so it needs a mass: a density for group {}, "
          "and volume and I/m of shape '{}'",
          world.model.source, c.body, world.bodies.group[c.body],
          world.model.shapes[world.bodies.shape[c.body]].name));
  }
}

void DriveSystem::start(const World& world) {
  drives_.rules = world.model.rules.drives;
  markLeaders(drives_);
  setDegreesOfFreedom(world.bodies.driven);
  set(world, world.time);
}

void DriveSystem::replace(const World& world, Drives drives, Bodies& bodies) {
  drives.rules = world.model.rules.drives;
  markLeaders(drives);
  setServos(drives, world.time, world.time, bodies, world.bodies.radius);
  if (drives.rules.releases) releaseDriven(drives_, drives, bodies);
  drives_ = std::move(drives);
  setDegreesOfFreedom(bodies.driven);
}

void DriveSystem::set(const World& world, double before) {
  setServos(drives_, before, world.time, world.bodies, world.bodies.radius);
}

void DriveSystem::remember(const Bodies& bodies) {
  startPos_.resize(bodies.driven);
  startQ_.resize(bodies.driven);
  std::copy_n(bodies.pos.begin(), bodies.driven, startPos_.begin());
  std::copy_n(bodies.q.begin(), bodies.driven, startQ_.begin());
}

void DriveSystem::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  const std::vector<Control>& controls = drives_.controls;
  for (auto at = controls.begin(); at != controls.end(); ++at) {
    const Control& c = *at;
    const auto again = [&](const Control& d) {
      return d.what == c.what && d.body == c.body && d.axis == c.axis;
    };
    if (!drives_.rules.addsUp && std::any_of(at + 1, controls.end(), again)) continue;
    if (c.what == Imposed::force) force[c.body] -= c.value;
    if (c.what == Imposed::moment) moment[c.body] -= c.value;
  }
}

bool DriveSystem::hasBelts(const Bodies& bodies) const {
  for (std::size_t k = 0; k < bodies.driven; ++k) {
    const DegreesOfFreedom& f = degreesOfFreedom_[k];
    if (f.moves.cwiseProduct(bodies.vel[k]) != bodies.vel[k] ||
        f.turns.cwiseProduct(bodies.spin[k]) != bodies.spin[k])
      return true;
  }
  return false;
}

}  // namespace scree::sim
