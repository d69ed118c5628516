// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>

/// Questions with a right answer for every input of finite doubles: no rounding, no tolerance.
namespace scree::shape::detail {

/// +1: a, b, c turn left (counter-clockwise), -1: right, 0: they lie on one line.
int orientation(const Vec2& a, const Vec2& b, const Vec2& c);
/// +1: d sees a, b, c clockwise, that is, lies where the normal of a, b, c points, -1: behind, 0:
/// in the plane.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Whether closed segments have a point in common.
bool segmentsMeet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d);
/// Whether closed triangles have a point in common. Degenerate ones count as the segment or point
/// that they are.
bool trianglesMeet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t);
/// Whether a closed segment and a closed triangle have a point in common; neither degenerate.
bool segmentMeets(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t);
/// Whether the corners lie on one line.
bool onOneLine(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace scree::shape::detail
