// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifdef __FAST_MATH__
#error \
    "Scree promises the same bits everywhere, which -ffast-math breaks: compile what includes its headers without it"
#endif

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include <numbers>

namespace scree {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Orientation: a unit quaternion that turns the body frame into the global one. Files write it
/// scalar first, `w x y z`. Unaligned, so that it may stand in any array or struct.
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

inline constexpr double pi = std::numbers::pi;

/// `v` turned by `q`, a unit quaternion.
inline Vec3 rotated(const Quat& q, const Vec3& v) {
  const Vec3 u = 2.0 * q.vec().cross(v);
  return v + q.w() * u + q.vec().cross(u);
}
/// `v` turned back by `q`: from the global frame into the body frame.
inline Vec3 turnedBack(const Quat& q, const Vec3& v) { return rotated(q.conjugate(), v); }

/// The shortest rotation that brings the direction `from` into the direction `to`; both of any
/// length above 0. Error about 2e-16 / |a + b| for unit vectors a, b; opposite ones are joined by a
/// half turn about an axis perpendicular to them.
Quat shortestTurn(const Vec3& from, const Vec3& to);

/// The proper rotation matrix of a unit quaternion; columns are the body axes in the global frame.
inline Mat3 rotationMatrix(const Quat& q) { return q.toRotationMatrix(); }

// Functions whose results reach the state of a run. System libraries may differ in the last digit
// from machine to machine (with and without fused multiply-add); these use + - * / alone, in fixed
// order.

/// Natural logarithm of x > 0 (finite, normal); relative error below 4e-16 unless x is near 1.
double portableLog(double x);

/// cos(2π turns) and sin(2π turns); absolute error below 4e-16 for |turns| < 1e6.
double cosOfTurns(double turns);
double sinOfTurns(double turns);

/// e^x; relative error below 5e-16 where the result is a normal number, 0 and inf beyond.
double portableExp(double x);

/// x^y for x >= 0; exact for y = 1 and y = 2, elsewhere of relative error below
/// 5e-16 (1 + |y ln x|). 0^y is 0 for y > 0, 1 for y = 0, inf for y < 0.
double portablePow(double x, double y);

/// Angle of the point (x, y) from the x axis, in [-π, π]; relative error below 5e-16. 0 for (0, 0).
double portableAtan2(double y, double x);

/// arccos of x in [-1, 1] (beyond: of the nearer end); absolute error below 5e-16.
double portableAcos(double x);

}  // namespace scree
