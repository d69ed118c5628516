// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of velocity Verlet for several bodies at once. Operation for operation they are
// those of rigid_motion.hpp, which is the version to read. The results are the same to the bit.
#pragma once

#include "engine/lanes.hpp"

namespace scree::sim {

struct RigidLanes {
  Lane3 pos, vel, acc;
  LaneQuat q;
  Lane3 spin, spinAcc;
};

template <int axis>
inline void turnAboutBodyAxis(LaneQuat& q, Lane3& momentum, const Lane& half) {
  const Lane t = half + (half * half) * (half * lanesOf(1.0 / 3.0));
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

inline void rotateFreely(LaneQuat& q, Lane3& momentum, const Lane3& inverse, double dt) {
  const Lane half = lanesOf(0.5 * dt), quarter = lanesOf(0.25 * dt);
  const Lane byX = quarter * inverse.x, byY = quarter * inverse.y, byZ = half * inverse.z;
  turnAboutBodyAxis<0>(q, momentum, byX * momentum.x);
  turnAboutBodyAxis<1>(q, momentum, byY * momentum.y);
  turnAboutBodyAxis<2>(q, momentum, byZ * momentum.z);
  turnAboutBodyAxis<1>(q, momentum, byY * momentum.y);
  turnAboutBodyAxis<0>(q, momentum, byX * momentum.x);
  // The order in which Eigen sums the squares of x y z w.
  const Lane norm2 = (q.v.x * q.v.x + q.v.z * q.v.z) + (q.v.y * q.v.y + q.w * q.w);
  const Lane scale = lanesOf(1.0) / squareRoot(norm2);
  q = {q.w * scale, scale * q.v};
}

inline void kickAndDrift(RigidLanes& s, const Lane3& inertia, double dt) {
  const Lane step = lanesOf(dt), halfStep = lanesOf(0.5 * dt), half2 = lanesOf(0.5 * dt * dt);
  s.pos += step * s.vel + half2 * s.acc;
  s.vel += halfStep * s.acc;
  const Lane3 spinBody = turnedBack(s.q, s.spin), accBody = turnedBack(s.q, s.spinAcc);
  Lane3 momentum = product(inertia, spinBody);
  const Lane3 moment = product(inertia, accBody) + cross(spinBody, momentum);
  momentum += halfStep * moment;
  const Lane3 inverse = inverseOf(inertia);
  rotateFreely(s.q, momentum, inverse, dt);
  s.spin = rotated(s.q, product(momentum, inverse));
}

inline void kick(RigidLanes& s, const Lane3& inertia, const Lane3& acceleration,
                 const Lane3& moment, double dt) {
  const Lane halfStep = lanesOf(0.5 * dt);
  s.acc = acceleration;
  s.vel += halfStep * s.acc;
  const Lane3 momentBody = turnedBack(s.q, moment);
  const Lane3 momentum = product(inertia, turnedBack(s.q, s.spin)) + halfStep * momentBody;
  const Lane3 inverse = inverseOf(inertia);
  const Lane3 spinBody = product(momentum, inverse);
  s.spin = rotated(s.q, spinBody);
  s.spinAcc = rotated(s.q, product(momentBody - cross(spinBody, momentum), inverse));
}

}  // namespace scree::sim
