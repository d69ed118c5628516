// SPDX-License-Identifier: GPL-3.0-or-later
// Angles between directions, by atan2 and so accurate from 0 to π, and evenly spread directions.
// The same bits on every system.
#pragma once

#include "base/elementary.hpp"

#include "scree/base/math.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace scree {

/// Angle between two vectors that are not zero, in [0, π].
inline double angleBetween(const Vec3& a, const Vec3& b) {
  return elementary::atan2(a.cross(b).norm(), a.dot(b));
}

/// Signed solid angle of the triangle a, b, c seen from the origin, in [-2π, 2π]; positive where
/// a·(b × c) is. Divided by 4π and added up over a closed surface, it is the winding number.
///
/// Source: A. Van Oosterom & J. Strackee, IEEE Trans. Biomed. Eng. 30(2), 125-126, 1983.
inline double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2.0 * elementary::atan2(a.dot(b.cross(c)),
                                 la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}
/// The same for unit vectors: the signed area of the spherical triangle.
inline double solidAngleOfUnits(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2.0 * elementary::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a));
}

/// Unit vectors spread evenly over the sphere: a spiral about z with the golden angle.
inline std::vector<Vec3> evenDirections(std::size_t count) {
  std::vector<Vec3> directions;
  const double step = 0.5 * (3.0 - std::sqrt(5.0));  // [turns]
  for (std::size_t k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(count);
    const double across = std::sqrt(1.0 - z * z), turns = step * static_cast<double>(k);
    const double part = turns - std::floor(turns);
    directions.emplace_back(across * cosOfTurns(part), across * sinOfTurns(part), z);
  }
  return directions;
}

}  // namespace scree
