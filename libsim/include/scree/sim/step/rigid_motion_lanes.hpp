// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of velocity Verlet for several bodies at once: operation for operation those of
// rigid_motion.hpp, which is the version to read, and to the bit the same results.
#pragma once

#include "scree/sim/step/lanes.hpp"

namespace scree::sim {

struct RigidLanes {
  Lane3 pos, vel, acc;
  LaneQuat q;
  Lane3 spin, spinAcc;
};

template <int axis>
inline void turnAboutBodyAxis(LaneQuat& q, Lane3& momentum, const Lane& angle) {
  const Lane half = 0.5 * angle;
  const Lane t = half + half * half * half * lanesOf(1.0 / 3.0);
  constexpr int j = (axis + 1) % 3, k = (axis + 2) % 3;
  const Lane one = lanesOf(1.0), inverse = one / (one + t * t);
  const Lane c = (one - t * t) * inverse, s = 2.0 * t * inverse;
  const Lane lj = momentum[j], lk = momentum[k];
  momentum[j] = c * lj + s * lk;
  momentum[k] = c * lk - s * lj;
  const Lane3 v = q.v;
  const Lane w = q.w;
  q.w = w - t * v[axis];
  q.v[axis] = v[axis] + t * w;
  q.v[j] = v[j] + t * v[k];
  q.v[k] = v[k] - t * v[j];
}

inline void rotateFreely(LaneQuat& q, Lane3& momentum, const Lane3& inertia, double dt) {
  const double halfStep = 0.5 * dt;
  turnAboutBodyAxis<0>(q, momentum, halfStep * momentum.x / inertia.x);
  turnAboutBodyAxis<1>(q, momentum, halfStep * momentum.y / inertia.y);
  turnAboutBodyAxis<2>(q, momentum, dt * momentum.z / inertia.z);
  turnAboutBodyAxis<1>(q, momentum, halfStep * momentum.y / inertia.y);
  turnAboutBodyAxis<0>(q, momentum, halfStep * momentum.x / inertia.x);
  // The order in which Eigen sums the squares of x y z w.
  const Lane norm = squareRoot((q.v.x * q.v.x + q.v.z * q.v.z) + (q.v.y * q.v.y + q.w * q.w));
  q = {q.w / norm, {q.v.x / norm, q.v.y / norm, q.v.z / norm}};
}

inline void kickAndDrift(RigidLanes& s, const Lane3& inertia, double dt) {
  const Lane step = lanesOf(dt), halfStep = lanesOf(0.5 * dt), half2 = lanesOf(0.5 * dt * dt);
  s.pos += step * s.vel + half2 * s.acc;
  s.vel += halfStep * s.acc;
  const Lane3 spinBody = turnedBack(s.q, s.spin), accBody = turnedBack(s.q, s.spinAcc);
  Lane3 momentum = product(inertia, spinBody);
  const Lane3 moment = product(inertia, accBody) + cross(spinBody, momentum);
  momentum += halfStep * moment;
  rotateFreely(s.q, momentum, inertia, dt);
  s.spin = rotated(s.q, quotient(momentum, inertia));
}

inline void kick(RigidLanes& s, const Lane3& inertia, const Lane3& acceleration,
                 const Lane3& moment, double dt) {
  const Lane halfStep = lanesOf(0.5 * dt);
  s.acc = acceleration;
  s.vel += halfStep * s.acc;
  const Lane3 momentBody = turnedBack(s.q, moment);
  const Lane3 momentum = product(inertia, turnedBack(s.q, s.spin)) + halfStep * momentBody;
  const Lane3 spinBody = quotient(momentum, inertia);
  s.spin = rotated(s.q, spinBody);
  s.spinAcc = rotated(s.q, quotient(momentBody - cross(spinBody, momentum), inertia));
}

}  // namespace scree::sim
