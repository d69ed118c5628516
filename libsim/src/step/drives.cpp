// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/step/drives.hpp"

#include "scree/base/portable_math.hpp"
#include "scree/sim/step/rigid_motion.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

struct Setting {
  Drives& drives;
  const std::vector<std::size_t>& controls;
  double t;
  const Bodies& bodies;
  const std::vector<double>& radius;

  void set(std::size_t k, double value) const {
    Control& c = drives.controls[controls[k]];
    c.value[c.axis] = value;
  }
  void setVelocity(const Vec3& v) const {
    for (int axis = 0; axis < 3; ++axis) set(static_cast<std::size_t>(axis), v[axis]);
  }

  void operator()(const Ramp& r) const {
    if (t <= r.t0)
      set(0, r.v0);
    else if (t >= r.t1)
      set(0, r.v1);
    else
      set(0, r.v0 + (r.v1 - r.v0) * (t - r.t0) / (r.t1 - r.t0));
  }
  void operator()(const Shaker& s) const {
    const double peak = 2.0 * pi * s.frequency * s.amplitude;
    setVelocity(peak * cosOfTurns(s.frequency * t) * s.direction);
  }
  void operator()(const TriangleShaker& s) const {
    const double phase = t * s.frequency - std::floor(t * s.frequency);
    const double sign = phase >= 0.25 && phase < 0.75 ? -1.0 : 1.0;
    setVelocity(sign * 4.0 * s.amplitude * s.frequency * s.direction);
  }
  void operator()(const Triaxial& s) const {
    Vec3 inner;
    for (int axis = 0; axis < 3; ++axis) {
      const BodyId low = s.walls[static_cast<std::size_t>(2 * axis)],
                   high = s.walls[static_cast<std::size_t>(2 * axis + 1)];
      inner[axis] =
          std::abs((bodies.pos[high][axis] - radius[high]) - (bodies.pos[low][axis] + radius[low]));
    }
    for (std::size_t k = 0; k < 6; ++k) {
      const int axis = static_cast<int>(k / 2);
      const double inwards = k % 2 == 0 ? 1.0 : -1.0;
      const double area = inner[(axis + 1) % 3] * inner[(axis + 2) % 3];
      set(k, inwards * (s.byPressure[k] ? s.value[k] * area : s.value[k]));
    }
  }
};

RigidState stateOf(const Bodies& b, BodyId k) {
  return {b.pos[k], b.vel[k], b.acc[k], b.q[k], b.spin[k], b.spinAcc[k]};
}

void store(Bodies& b, BodyId k, const RigidState& s) {
  b.pos[k] = s.pos;
  b.vel[k] = s.vel;
  b.acc[k] = s.acc;
  b.q[k] = s.q;
  b.spin[k] = s.spin;
  b.spinAcc[k] = s.spinAcc;
}

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

void setServos(Drives& drives, double t, const Bodies& bodies, const std::vector<double>& radius) {
  for (const Servo& s : drives.servos)
    std::visit(Setting{drives, s.controls, t, bodies, radius}, s.servo);
}

void moveDriven(const Drives& drives, Bodies& bodies, double dt) {
  // Spins of several controls of one body add up to one axis: their order has no say.
  for (const Control& c : drives.controls)
    if (c.what == Imposed::spin) bodies.spin[c.body].setZero();
  for (const Control& c : drives.controls)
    if (c.what == Imposed::spin) bodies.spin[c.body] += c.value;
  // So do velocities of one component: contacts see the velocity that the body moves with.
  for (const Control& c : drives.controls)
    if (c.what == Imposed::velocity) bodies.vel[c.body][c.axis] = 0.0;
  std::vector<BodyId> turned;
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
    switch (c.what) {
      case Imposed::velocity:
        bodies.vel[k][c.axis] += c.value[c.axis];
        bodies.pos[k][c.axis] += dt * c.value[c.axis];
        break;
      case Imposed::force:
        bodies.pos[k][c.axis] += dt * bodies.vel[k][c.axis] + 0.5 * dt * dt * bodies.acc[k][c.axis];
        bodies.vel[k][c.axis] += 0.5 * dt * bodies.acc[k][c.axis];
        break;
      case Imposed::spin:
        if (std::find(turned.begin(), turned.end(), k) == turned.end()) {
          turned.push_back(k);
          bodies.q[k] = turnedBy(bodies.q[k], bodies.spin[k], dt);
        }
        break;
      case Imposed::moment:
        if (c.axis == 3) {
          RigidState s = stateOf(bodies, k);
          const Vec3 pos = s.pos, vel = s.vel;
          kickAndDrift(s, bodies.inertia[k], dt);
          s.pos = pos;
          s.vel = vel;
          store(bodies, k, s);
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

void finishDriven(const Drives& drives, Bodies& bodies, double dt) {
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
    if (c.what == Imposed::force) {
      bodies.acc[k][c.axis] = bodies.force[k][c.axis] / bodies.mass[k];
      bodies.vel[k][c.axis] += 0.5 * dt * bodies.acc[k][c.axis];
    } else if (c.what == Imposed::moment && c.axis < 3) {
      bodies.spinAcc[k][c.axis] = bodies.moment[k][c.axis] / inertiaAbout(bodies, k, c.axis);
      bodies.spin[k][c.axis] += 0.5 * dt * bodies.spinAcc[k][c.axis];
    } else if (c.what == Imposed::moment) {
      RigidState s = stateOf(bodies, k);
      const Vec3 vel = s.vel;
      kick(s, bodies.inertia[k], s.acc, bodies.moment[k], dt);
      s.vel = vel;
      store(bodies, k, s);
    }
  }
}

}  // namespace scree::sim
