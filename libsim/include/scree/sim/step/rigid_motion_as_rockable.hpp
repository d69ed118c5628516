// SPDX-License-Identifier: GPL-3.0-or-later
// How Rockable moves one rigid body: pure functions of its state, for `--compat rockable` alone.
#pragma once

#include "scree/sim/step/rigid_motion.hpp"

namespace scree::sim::asRockable {

/// First derivative of an orientation whose body turns with a global spin.
inline Quat rate(const Quat& q, const Vec3& spin) {
  const Vec3 v = 0.5 * (q.w() * spin + spin.cross(q.vec()));
  return {-0.5 * spin.dot(q.vec()), v.x(), v.y(), v.z()};
}

/// Second derivative as that program has it: the scalar part of the centripetal term has the sign
/// turned, which pulls orientations towards the identity and leaves order 1 (docs/compatibility.md,
/// Q5).
inline Quat secondRate(const Quat& q, const Vec3& spin, const Vec3& spinAcc) {
  const Quat ofAcceleration = rate(q, spinAcc);
  const double turning = spin.dot(q.vec());
  const Vec3 inner = q.w() * spin + spin.cross(q.vec());
  const Vec3 v = ofAcceleration.vec() + 0.25 * (-turning * spin + spin.cross(inner));
  return {ofAcceleration.w() + 0.25 * q.w() * spin.squaredNorm(), v.x(), v.y(), v.z()};
}

/// `q` plus `dt` times a derivative; not normalised.
inline Quat advanced(const Quat& q, double dt, const Quat& derivative) {
  const Vec3 v = q.vec() + dt * derivative.vec();
  return {q.w() + dt * derivative.w(), v.x(), v.y(), v.z()};
}

/// Brought to length 1; the identity where next to nothing is left.
inline Quat normalised(const Quat& q) {
  const double length2 = q.w() * q.w() + q.vec().squaredNorm();
  if (length2 <= 1e-9) return Quat::Identity();
  const double inverse = 1.0 / std::sqrt(length2);
  const Vec3 v = q.vec() * inverse;
  return {q.w() * inverse, v.x(), v.y(), v.z()};
}

/// First half of a velocity-Verlet step of a free body.
inline void drift(RigidState& s, double dt) {
  s.pos += dt * s.vel + (0.5 * dt * dt) * s.acc;
  s.vel += (0.5 * dt) * s.acc;
  // The second derivative is taken where the first one has led to, not where the step began.
  const Quat led = advanced(s.q, dt, rate(s.q, s.spin));
  s.q = normalised(advanced(led, 0.5 * dt * dt, secondRate(led, s.spin, s.spinAcc)));
  s.spin += (0.5 * dt) * s.spinAcc;
}

/// Second half, with the accelerations of the new forces.
inline void kick(RigidState& s, double dt) {
  s.vel += (0.5 * dt) * s.acc;
  s.spin += (0.5 * dt) * s.spinAcc;
}

}  // namespace scree::sim::asRockable
