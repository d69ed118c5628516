// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The proper rotation matrix of a unit quaternion; columns are the body axes in the global frame.
inline Mat3 rotationMatrix(const Quat& q) { return q.toRotationMatrix(); }

}  // namespace scree
