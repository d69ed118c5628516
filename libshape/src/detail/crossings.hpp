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

/// Finds all crossings. Exact: triangles that only touch count; repeated triangles and triangles
/// without area do not. Equal vertices must be one. O(n log n) on the surface of a body. Gives up
/// after 40,000,000 tests of two boxes and 400 for each triangle, so that the time grows with the
/// triangles and not with their square.
/// @param most  pairs, after which it gives up as well
Crossings crossings(std::span<const Vec3> vertices,
                    std::span<const std::array<std::uint32_t, 3>> triangles,
                    std::size_t most = 2'000'000);

}  // namespace scree::shape::detail
