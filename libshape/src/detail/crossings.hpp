// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// Pairs of triangles that have more in common than the vertices they share.
struct Crossings {
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< sorted, the lower index first
  bool complete = true;                             ///< false: gave up, there may be more pairs
};

/// Limits of a search for crossings. Tests of two boxes, or as much other work, are some hundred
/// for each triangle, so that the time grows with the triangles and not with their square.
struct CrossingLimits {
  std::size_t tests = 0;  ///< 0: 40,000,000 and 400 for each triangle
  std::size_t pairs = 2'000'000;
};

/// Finds all crossings. Exact: triangles that only touch count; repeated triangles and triangles
/// without area do not. Equal vertices must be one. O(n log n) on the surface of a body.
Crossings crossings(std::span<const Vec3> vertices,
                    std::span<const std::array<std::uint32_t, 3>> triangles,
                    CrossingLimits limits = {});

}  // namespace scree::shape::detail
