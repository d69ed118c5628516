// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

struct TriangleSoup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// CGAL's alpha wrap: closed, oriented, free of self-intersections, around all of the input.
/// @param alpha   [L] > 0: gaps narrower than about this are bridged
/// @param offset  [L] > 0: how far the wrap stays off the input
/// The same bits on every call.
TriangleSoup alphaWrap(std::span<const Vec3> points,
                       std::span<const std::array<std::uint32_t, 3>> triangles, double alpha,
                       double offset);

}  // namespace scree::shape::detail
