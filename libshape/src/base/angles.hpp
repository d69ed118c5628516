// SPDX-License-Identifier: GPL-3.0-or-later
// Angles between directions, from sines and cosines together: accurate from 0 to π, the same bits
// on every machine.
#pragma once

#include "scree/base/math.hpp"

namespace scree {

/// Angle between two vectors that are not zero, in [0, π].
double angleBetween(const Vec3& a, const Vec3& b);

/// Signed solid angle of the triangle a, b, c seen from the origin, in [-2π, 2π]; positive where
/// a·(b × c) is. Divided by 4π and added up over a closed surface, it is the winding number.
///
/// Source: A. Van Oosterom & J. Strackee, IEEE Trans. Biomed. Eng. 30(2), 125-126, 1983.
double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c);
/// The same for unit vectors: area of the spherical triangle.
double solidAngleOfUnits(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace scree
