// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cgal_wrap.hpp"

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// Functions of CGAL behind plain types: its headers cost half a minute of compile time.
namespace scree::shape::detail {

using Triangle = std::array<std::uint32_t, 3>;

/// Triangles of the hull, counter-clockwise seen from outside; corners index `points`, which must
/// differ from each other and not lie in one plane.
std::vector<Triangle> hullTriangles(std::span<const Vec3> points);

/// Surface of the hull of any points, with those on it alone; empty where they lie in one plane.
TriangleSoup hullSurface(std::span<const Vec3> points);

}  // namespace scree::shape::detail
