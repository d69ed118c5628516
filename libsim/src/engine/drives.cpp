// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/drives.hpp"

#include "engine/rigid_motion.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

/// Inertia of a body about a global axis through its centre.
double inertiaAbout(const Bodies& b, BodyId k, int axis) {
  const Vec3 e = turnedBack(b.q[k], Vec3::Unit(axis));
  return e.dot(b.inertia[k].cwiseProduct(e));
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

void markTurns(Drives& drives) {
  std::vector<std::size_t> spins;
  for (std::size_t m = 0; m < drives.controls.size(); ++m)
    if (drives.controls[m].what == Imposed::spin) spins.push_back(m);
  std::stable_sort(spins.begin(), spins.end(), [&](std::size_t a, std::size_t b) {
    return drives.controls[a].body < drives.controls[b].body;
  });
  for (std::size_t m = 0; m < spins.size(); ++m)
    drives.controls[spins[m]].turns =
        m == 0 || drives.controls[spins[m]].body != drives.controls[spins[m - 1]].body;
}

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

void setDegreesOfFreedom(const Drives& drives, std::uint32_t driven,
                         std::vector<DegreesOfFreedom>& degreesOfFreedom) {
  degreesOfFreedom.assign(driven, DegreesOfFreedom::none());
  for (const Control& c : drives.controls) {
    DegreesOfFreedom& f = degreesOfFreedom[c.body];
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

void setImposedVelocities(const Drives& drives,
                          const std::vector<DegreesOfFreedom>& degreesOfFreedom, bool mean,
                          Bodies& bodies) {
  const auto acts = [](const Control& c) { return c.what == Imposed::spin; };
  const auto valueOf = [mean](const Control& c) -> Vec3 {
    return mean ? Vec3(c.value + c.lag) : c.value;
  };
  for (const Control& c : drives.controls) {
    Vec3& spin = bodies.spin[c.body];
    if (acts(c)) spin = degreesOfFreedom[c.body].twisted.cwiseProduct(spin);
    if (c.what == Imposed::velocity) bodies.vel[c.body][c.axis] = 0.0;
  }
  for (const Control& c : drives.controls) {
    if (acts(c)) bodies.spin[c.body] += valueOf(c);
    if (c.what == Imposed::velocity) bodies.vel[c.body][c.axis] += valueOf(c)[c.axis];
  }
}

void moveDriven(const Drives& drives, const std::vector<DegreesOfFreedom>& degreesOfFreedom,
                Bodies& bodies, double dt) {
  setImposedVelocities(drives, degreesOfFreedom, true, bodies);
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
    switch (c.what) {
      case Imposed::velocity:
        bodies.pos[k][c.axis] += dt * (c.value[c.axis] + c.lag[c.axis]);
        break;
      case Imposed::force:
        bodies.pos[k][c.axis] += dt * bodies.vel[k][c.axis] + 0.5 * dt * dt * bodies.acc[k][c.axis];
        bodies.vel[k][c.axis] += 0.5 * dt * bodies.acc[k][c.axis];
        break;
      case Imposed::spin:
        if (c.turns) {
          const DegreesOfFreedom& f = degreesOfFreedom[k];
          bodies.q[k] =
              turnedBy(bodies.q[k], (f.turns - f.twisted).cwiseProduct(bodies.spin[k]), dt);
        }
        break;
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

void addImposedForces(const Drives& drives, Bodies& bodies) {
  for (const Control& c : drives.controls) {
    if (c.what == Imposed::force) bodies.force[c.body] += c.value;
    if (c.what == Imposed::moment) bodies.moment[c.body] += c.value;
  }
}

void finishDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies, double dt) {
  const auto held = [&](double acc, double speed, double barrier, double exponent) {
    if (restraint.damping > 0.0) acc *= dampingFactor(restraint.damping, acc * speed);
    return barrier > 0.0 ? acc * barrierFactor(speed, barrier, exponent) : acc;
  };
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
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

}  // namespace scree::sim
