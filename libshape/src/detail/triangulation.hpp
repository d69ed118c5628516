// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

using Triangle = std::array<std::uint32_t, 3>;

/// Triangles of a simple polygon, wound as it is, n - 2 of them, corners as in `corners`. Convex
/// ones become a fan from their first corner; others lose one ear at a time, O(n²). A polygon that
/// crosses itself or has no area becomes a fan: its area vector is right, its triangles overlap.
std::vector<Triangle> trianglesOf(std::span<const Vec3> points,
                                  std::span<const std::uint32_t> corners);

}  // namespace scree::shape::detail
