// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of CGAL behind plain types: its headers cost half a minute of compile time.
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

// Predicates have a right answer for every input of finite doubles: no rounding, no tolerance.

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

using Triangle = std::array<std::uint32_t, 3>;

/// Triangles of the hull, counter-clockwise seen from outside; corners index `points`. None for
/// points in one plane.
std::vector<Triangle> hullTriangles(std::span<const Vec3> points);

struct TriangleSoup {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
};

/// CGAL's alpha wrap, see shape::wrapped.
TriangleSoup alphaWrap(std::span<const Vec3> points, std::span<const Triangle> triangles,
                       double alpha, double offset);

}  // namespace scree::shape::detail
