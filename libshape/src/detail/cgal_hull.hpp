// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// Functions of CGAL behind plain types: its headers cost half a minute of compile time.
namespace scree::shape::detail {

using Triangle = std::array<std::uint32_t, 3>;

/// Triangles of the hull, counter-clockwise seen from outside; corners index `points`. None for
/// points in one plane.
std::vector<Triangle> hullTriangles(std::span<const Vec3> points);

}  // namespace scree::shape::detail
