// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of velocity Verlet for one rigid body, or for several side by side
// (velocity_verlet.cpp): pure functions of its state.
#pragma once

#include "contact/lanes.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/model/bodies.hpp"

#include <cstddef>
#include <type_traits>

namespace scree::sim {

/// Position, orientation and velocities of one body, or one a lane; vectors are global.
template <class Vector, class Quaternion>
struct RigidStateOf {
  Vector pos, vel, acc;
  Quaternion q;
  Vector spin, spinAcc;
};
using RigidState = RigidStateOf<Vec3, Quat>;
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
template <int axis, class Number, class Vector, class Quaternion>
SCREE_INLINE void turnAboutBodyAxis(Quaternion& q, Vector& momentum, const Number& half) {
  const Number t = half + (half * half) * (half * (1.0 / 3.0));
  constexpr int j = (axis + 1) % 3, k = (axis + 2) % 3;
  const Number inverse = 1.0 / (1.0 + t * t);
  const Number c = (1.0 - t * t) * inverse, s = 2.0 * t * inverse;
  const Number lj = momentum[j], lk = momentum[k];
  momentum[j] = c * lj + s * lk;
  momentum[k] = c * lk - s * lj;
  const Vector v = q.vec();
  const Number w = q.w();
  // q (1, t e_axis)
  q.w() = w - t * v[axis];
  Vector r = v;
  r[axis] += t * w;
  r[j] += t * v[k];
  r[k] = r[k] - t * v[j];
  q.vec() = r;
}

/// Free rotation over `dt`: the angular momentum stays in space to rounding and the energy error is
/// bounded; order 2.
/// @param momentum  [M L²/T] body frame
/// @param inverse  [1/(M L²)] of the principal inertia: products, since divisions wait for each
/// other
/// Source: A. Dullweber, B. Leimkuhler, R. McLachlan, J. Chem. Phys. 107, 5840-5851, 1997.
template <class Number, class Vector, class Quaternion>
SCREE_INLINE void rotateFreely(Quaternion& q, Vector& momentum, const Vector& inverse, double dt) {
  const Number half = 0.5 * dt, quarter = 0.25 * dt;  // half the angles of five turns
  const Number byX = quarter * inverse[0], byY = quarter * inverse[1], byZ = half * inverse[2];
  turnAboutBodyAxis<0, Number>(q, momentum, byX * momentum[0]);
  turnAboutBodyAxis<1, Number>(q, momentum, byY * momentum[1]);
  turnAboutBodyAxis<2, Number>(q, momentum, byZ * momentum[2]);
  turnAboutBodyAxis<1, Number>(q, momentum, byY * momentum[1]);
  turnAboutBodyAxis<0, Number>(q, momentum, byX * momentum[0]);
  const Vector v = q.vec();
  const Number norm2 = (v[0] * v[0] + v[2] * v[2]) + (v[1] * v[1] + q.w() * q.w());
  const Number scale = 1.0 / squareRoot(norm2);
  q.w() = q.w() * scale;
  q.vec() = scale * v;
}

/// First half of a step of a free body: half a kick with the accelerations of the last step, then a
/// full drift. `vel` and `spin` are those of the half step afterwards, which contacts see.
template <class Vector, class Quaternion>
SCREE_INLINE void kickAndDrift(RigidStateOf<Vector, Quaternion>& s, const Vector& inertia,
                               double dt) {
  using Number = std::remove_cvref_t<decltype(s.pos[0])>;
  const Number step = dt, halfStep = 0.5 * dt, half2 = 0.5 * dt * dt;
  s.pos += step * s.vel + half2 * s.acc;
  s.vel += halfStep * s.acc;
  const Vector spinBody = turnedBack(s.q, s.spin), accBody = turnedBack(s.q, s.spinAcc);
  Vector momentum = inertia.cwiseProduct(spinBody);
  // The moment of the last step, from what files hold: I α + ω × I ω.
  const Vector moment = inertia.cwiseProduct(accBody) + spinBody.cross(momentum);
  momentum += halfStep * moment;
  const Vector inverse = inertia.cwiseInverse();
  rotateFreely<Number>(s.q, momentum, inverse, dt);
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
template <class Vector, class Quaternion>
SCREE_INLINE void kick(RigidStateOf<Vector, Quaternion>& s, const Vector& inertia,
                       const Vector& acceleration, const Vector& moment, double dt) {
  const std::remove_cvref_t<decltype(s.pos[0])> halfStep = 0.5 * dt;
  s.acc = acceleration;
  s.vel += halfStep * s.acc;
  const Vector momentBody = turnedBack(s.q, moment);
  const Vector momentum = inertia.cwiseProduct(turnedBack(s.q, s.spin)) + halfStep * momentBody;
  const Vector inverse = inertia.cwiseInverse();
  const Vector spinBody = momentum.cwiseProduct(inverse);
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
