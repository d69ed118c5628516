// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape {

/// Triangles of one polygon, on its own corners and with its winding: ears are cut off in the
/// projection along the axis nearest to its normal, with exact predicates. A polygon that crosses
/// itself there is cut into a fan: still bounded by the same edges.
/// O(n) for convex polygons, O(n r) with r reflex corners, O(n² r) at worst.
void triangulate(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon,
                 std::vector<std::array<std::uint32_t, 3>>& triangles);

/// All faces as triangles. Of a face whose corners are not in one plane this is one of several
/// surfaces; mass and core take the fan about its mean point.
std::vector<std::array<std::uint32_t, 3>> trianglesOf(const SurfaceMesh& mesh);
SurfaceMesh triangulated(const SurfaceMesh& mesh);

/// Whether a polygon, seen along the axis nearest to its normal, neither crosses nor touches itself
/// nor runs back along itself. Exact. O(n log n) as a rule.
bool isSimple(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon);

}  // namespace scree::shape
