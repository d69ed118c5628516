// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on several bodies at once, one lane a body: rigid_motion.hpp moves these, too.
#pragma once

#include "engine/rigid_motion.hpp"

#include "scree/base/math.hpp"

#include <cmath>
#include <cstddef>

namespace scree::sim {

/// Bodies that go through a loop side by side. A step of one body is a long chain of dependent
/// operations; four chains at once fill the time that one of them spends waiting.
inline constexpr std::size_t laneCount = 4;

/// One number for each lane, in two registers of the size that every x86-64 has. Each lane rounds
/// as a `double` does, so a body's bits do not depend on its lane.
struct Lane {
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  Pair low, high;

  Lane() = default;
  Lane(double x) : low{x, x}, high{x, x} {}  // NOLINT: a number is one in each lane
  Lane(Pair l, Pair h) : low(l), high(h) {}
  Lane(double a, double b, double c, double d) : low{a, b}, high{c, d} {}

  double operator[](std::size_t k) const { return k < 2 ? low[k] : high[k - 2]; }
  Lane& operator+=(const Lane& b) {
    low += b.low;
    high += b.high;
    return *this;
  }
  Lane& operator-=(const Lane& b) {
    low -= b.low;
    high -= b.high;
    return *this;
  }
};
inline Lane operator+(const Lane& a, const Lane& b) { return {a.low + b.low, a.high + b.high}; }
inline Lane operator-(const Lane& a, const Lane& b) { return {a.low - b.low, a.high - b.high}; }
inline Lane operator-(const Lane& a) { return {-a.low, -a.high}; }
inline Lane operator*(const Lane& a, const Lane& b) { return {a.low * b.low, a.high * b.high}; }
inline Lane operator/(const Lane& a, const Lane& b) { return {a.low / b.low, a.high / b.high}; }
inline Lane squareRoot(const Lane& x) {
  return {std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
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
  Lane3 cwiseProduct(const Lane3& b) const { return {x * b.x, y * b.y, z * b.z}; }
  Lane3 cwiseInverse() const { return {1.0 / x, 1.0 / y, 1.0 / z}; }
  Lane3 cross(const Lane3& b) const {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
};
inline Lane3 operator+(const Lane3& a, const Lane3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Lane3 operator-(const Lane3& a, const Lane3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Lane3 operator*(const Lane& s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }

/// A unit quaternion in each lane.
struct LaneQuat {
  Lane scalar;
  Lane3 vector;

  Lane& w() { return scalar; }
  Lane3& vec() { return vector; }
};
inline Lane3 rotated(const LaneQuat& q, const Lane3& a) {
  const Lane3 u = Lane(2.0) * q.vector.cross(a);
  return a + q.scalar * u + q.vector.cross(u);
}
inline Lane3 turnedBack(const LaneQuat& q, const Lane3& a) {
  return rotated({q.scalar, {-q.vector.x, -q.vector.y, -q.vector.z}}, a);
}
using RigidLanes = RigidStateOf<Lane3, LaneQuat>;

/// Bodies first, first + 1, ... of an array, one a lane.
inline Lane3 gather(const Vec3* a) {
  return {Lane(a[0].x(), a[1].x(), a[2].x(), a[3].x()),
          Lane(a[0].y(), a[1].y(), a[2].y(), a[3].y()),
          Lane(a[0].z(), a[1].z(), a[2].z(), a[3].z())};
}
inline LaneQuat gather(const Quat* q) {
  return {
      Lane(q[0].w(), q[1].w(), q[2].w(), q[3].w()),
      {Lane(q[0].x(), q[1].x(), q[2].x(), q[3].x()), Lane(q[0].y(), q[1].y(), q[2].y(), q[3].y()),
       Lane(q[0].z(), q[1].z(), q[2].z(), q[3].z())}};
}
inline void scatter(const Lane3& lanes, Vec3* a) {
  for (std::size_t k = 0; k < laneCount; ++k) a[k] = Vec3(lanes.x[k], lanes.y[k], lanes.z[k]);
}
inline void scatter(const LaneQuat& lanes, Quat* q) {
  for (std::size_t k = 0; k < laneCount; ++k)
    q[k] = Quat(lanes.scalar[k], lanes.vector.x[k], lanes.vector.y[k], lanes.vector.z[k]);
}

}  // namespace scree::sim
