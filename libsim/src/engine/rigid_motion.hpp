// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of velocity Verlet for one rigid body: pure functions of its state.
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/bodies.hpp"

#include <cmath>
#include <cstddef>

namespace scree::sim {

/// Position, orientation and velocities of one body; vectors are global.
struct RigidState {
  Vec3 pos, vel, acc;
  Quat q;
  Vec3 spin, spinAcc;
};
inline RigidState stateOf(const Bodies& b, std::size_t k) {
  return {b.pos[k], b.vel[k], b.acc[k], b.q[k], b.spin[k], b.spinAcc[k]};
}
/// Puts body `k` where `s` is, as fast as that; accelerations stay.
inline void setMotion(Bodies& b, std::size_t k, const RigidState& s) {
  b.pos[k] = s.pos;
  b.vel[k] = s.vel;
  b.q[k] = s.q;
  b.spin[k] = s.spin;
}
inline void setState(Bodies& b, std::size_t k, const RigidState& s) {
  setMotion(b, k, s);
  b.acc[k] = s.acc;
  b.spinAcc[k] = s.spinAcc;
}

/// Turns a body about its own axis `axis` (0, 1, 2) by twice the angle `half`. Its angular momentum
/// rests in space, so it turns the other way in the body frame. The tangent of the half angle is
/// its series up to the cubic term, with an error of fifth order. So the turn stays exactly
/// orthogonal and needs no library function: the same bits everywhere. `q` grows by a factor and is
/// to be normalised.
inline void turnAboutBodyAxis(Quat& q, Vec3& momentum, int axis, double half) {
  const double t = half + (half * half) * (half * (1.0 / 3.0));
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  const double inverse = 1.0 / (1.0 + t * t);
  const double c = (1.0 - t * t) * inverse, s = 2.0 * t * inverse;
  const double lj = momentum[j], lk = momentum[k];
  momentum[j] = c * lj + s * lk;
  momentum[k] = c * lk - s * lj;
  Vec3 v = q.vec();
  const double w = q.w();
  // q (1, t e_axis)
  q.w() = w - t * v[axis];
  Vec3 r = v;
  r[axis] += t * w;
  r[j] += t * v[k];
  r[k] -= t * v[j];
  q.vec() = r;
}

/// Free rotation over `dt`: the angular momentum stays in space to rounding and the energy error is
/// bounded; order 2.
/// @param momentum  [M L²/T] body frame
/// @param inverse  [1/(M L²)] of the principal inertia: products, since divisions wait for each
/// other
/// Source: A. Dullweber, B. Leimkuhler, R. McLachlan, J. Chem. Phys. 107, 5840-5851, 1997.
inline void rotateFreely(Quat& q, Vec3& momentum, const Vec3& inverse, double dt) {
  const double half = 0.5 * dt, quarter = 0.25 * dt;  // half the angles of five turns
  turnAboutBodyAxis(q, momentum, 0, (quarter * inverse[0]) * momentum[0]);
  turnAboutBodyAxis(q, momentum, 1, (quarter * inverse[1]) * momentum[1]);
  turnAboutBodyAxis(q, momentum, 2, (half * inverse[2]) * momentum[2]);
  turnAboutBodyAxis(q, momentum, 1, (quarter * inverse[1]) * momentum[1]);
  turnAboutBodyAxis(q, momentum, 0, (quarter * inverse[0]) * momentum[0]);
  q.coeffs() *= 1.0 / q.norm();
}

/// First half of a step of a free body: half a kick with the accelerations of the last step, then a
/// full drift. `vel` and `spin` are those of the half step afterwards, which contacts see.
inline void kickAndDrift(RigidState& s, const Vec3& inertia, double dt) {
  s.pos += dt * s.vel + (0.5 * dt * dt) * s.acc;
  s.vel += (0.5 * dt) * s.acc;
  const Vec3 spinBody = turnedBack(s.q, s.spin), accBody = turnedBack(s.q, s.spinAcc);
  Vec3 momentum = inertia.cwiseProduct(spinBody);
  // The moment of the last step, from what files hold: I α + ω × I ω.
  const Vec3 moment = inertia.cwiseProduct(accBody) + spinBody.cross(momentum);
  momentum += (0.5 * dt) * moment;
  const Vec3 inverse = inertia.cwiseInverse();
  rotateFreely(s.q, momentum, inverse, dt);
  s.spin = rotated(s.q, momentum.cwiseProduct(inverse));
}

/// Angular acceleration of a body of this spin under this moment: Euler's equations. Global
/// vectors.
inline Vec3 angularAcceleration(const Quat& q, const Vec3& spin, const Vec3& moment,
                                const Vec3& inertia) {
  const Vec3 spinBody = turnedBack(q, spin);
  const Vec3 momentum = inertia.cwiseProduct(spinBody);
  return rotated(q, (turnedBack(q, moment) - spinBody.cross(momentum)).cwiseQuotient(inertia));
}

/// The moment that makes a body of this spin accelerate like this: I α + ω × I ω.
inline Vec3 momentBehind(const Quat& q, const Vec3& spin, const Vec3& spinAcc,
                         const Vec3& inertia) {
  const Vec3 w = turnedBack(q, spin);
  return rotated(
      q, Vec3(inertia.cwiseProduct(turnedBack(q, spinAcc)) + w.cross(inertia.cwiseProduct(w))));
}

/// Second half: half a kick with the new forces.
/// @param acceleration  [L/T²] force over mass, gravity included
inline void kick(RigidState& s, const Vec3& inertia, const Vec3& acceleration, const Vec3& moment,
                 double dt) {
  s.acc = acceleration;
  s.vel += (0.5 * dt) * s.acc;
  const Vec3 momentBody = turnedBack(s.q, moment);
  const Vec3 momentum = inertia.cwiseProduct(turnedBack(s.q, s.spin)) + (0.5 * dt) * momentBody;
  const Vec3 inverse = inertia.cwiseInverse();
  const Vec3 spinBody = momentum.cwiseProduct(inverse);
  s.spin = rotated(s.q, spinBody);
  s.spinAcc = rotated(s.q, (momentBody - spinBody.cross(momentum)).cwiseProduct(inverse));
}

/// `q` turned by a constant global spin over dt.
inline Quat turnedBy(const Quat& q, const Vec3& spin, double dt) {
  const double half = 0.5 * dt * spin.norm();
  if (half == 0.0) return q;
  const double t = half + half * half * half * (1.0 / 3.0);
  const Vec3 v = spin * (t / spin.norm());
  Quat turn(1.0, v.x(), v.y(), v.z());
  return (turn * q).normalized();
}

}  // namespace scree::sim
