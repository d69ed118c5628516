// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on several bodies at once: one lane a body.
#pragma once

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

}  // namespace scree::sim
