// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of velocity Verlet for several bodies at once. Operation for operation they are
// those of rigid_motion.hpp, which is the version to read. The results are the same to the bit.
#pragma once

#include "scree/base/math.hpp"

#include <cmath>
#include <cstddef>

namespace scree::sim {

// Arithmetic on several bodies at once: one lane a body.
/// Bodies that go through a loop side by side. A step of one body is a long chain of dependent
/// operations; four chains at once fill the time that one of them spends waiting.
inline constexpr std::size_t laneCount = 4;

/// One number for each lane, in two registers of the size that every x86-64 has. Each lane rounds
/// as a `double` does, so a body's bits do not depend on its lane.
struct Lane {
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  Pair low, high;

  double operator[](std::size_t k) const { return k < 2 ? low[k] : high[k - 2]; }
  Lane& operator+=(const Lane& b) {
    low += b.low;
    high += b.high;
    return *this;
  }
};
inline Lane lanesOf(double x) { return {Lane::Pair{x, x}, Lane::Pair{x, x}}; }
inline Lane lanesOf(double a, double b, double c, double d) {
  return {Lane::Pair{a, b}, Lane::Pair{c, d}};
}
inline Lane operator+(const Lane& a, const Lane& b) { return {a.low + b.low, a.high + b.high}; }
inline Lane operator-(const Lane& a, const Lane& b) { return {a.low - b.low, a.high - b.high}; }
inline Lane operator-(const Lane& a) { return {-a.low, -a.high}; }
inline Lane operator*(const Lane& a, const Lane& b) { return {a.low * b.low, a.high * b.high}; }
inline Lane operator/(const Lane& a, const Lane& b) { return {a.low / b.low, a.high / b.high}; }
inline Lane operator*(double a, const Lane& b) { return lanesOf(a) * b; }
inline Lane squareRoot(const Lane& x) {
  return lanesOf(std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3]));
}

/// A vector in each lane. Operations run in the order in which the ones on Vec3 do.
struct Lane3 {
  Lane x, y, z;

  Lane& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  const Lane& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  Lane3& operator+=(const Lane3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};
inline Lane3 operator+(const Lane3& a, const Lane3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Lane3 operator-(const Lane3& a, const Lane3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Lane3 operator*(const Lane& s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Lane3 product(const Lane3& a, const Lane3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Lane3 inverseOf(const Lane3& a) {
  const Lane one = lanesOf(1.0);
  return {one / a.x, one / a.y, one / a.z};
}
inline Lane3 cross(const Lane3& a, const Lane3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A unit quaternion in each lane.
struct LaneQuat {
  Lane w;
  Lane3 v;
};
inline Lane3 rotated(const LaneQuat& q, const Lane3& a) {
  const Lane3 u = lanesOf(2.0) * cross(q.v, a);
  return a + q.w * u + cross(q.v, u);
}
inline Lane3 turnedBack(const LaneQuat& q, const Lane3& a) {
  return rotated({q.w, {-q.v.x, -q.v.y, -q.v.z}}, a);
}

/// Bodies first, first + 1, ... of an array, one a lane.
inline Lane3 gather(const Vec3* a) {
  return {lanesOf(a[0].x(), a[1].x(), a[2].x(), a[3].x()),
          lanesOf(a[0].y(), a[1].y(), a[2].y(), a[3].y()),
          lanesOf(a[0].z(), a[1].z(), a[2].z(), a[3].z())};
}
inline LaneQuat gather(const Quat* q) {
  return {lanesOf(q[0].w(), q[1].w(), q[2].w(), q[3].w()),
          {lanesOf(q[0].x(), q[1].x(), q[2].x(), q[3].x()),
           lanesOf(q[0].y(), q[1].y(), q[2].y(), q[3].y()),
           lanesOf(q[0].z(), q[1].z(), q[2].z(), q[3].z())}};
}
inline void scatter(const Lane3& lanes, Vec3* a) {
  for (std::size_t k = 0; k < laneCount; ++k) a[k] = Vec3(lanes.x[k], lanes.y[k], lanes.z[k]);
}
inline void scatter(const LaneQuat& lanes, Quat* q) {
  for (std::size_t k = 0; k < laneCount; ++k)
    q[k] = Quat(lanes.w[k], lanes.v.x[k], lanes.v.y[k], lanes.v.z[k]);
}

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
