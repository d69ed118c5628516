// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace scree::mass::detail {

enum class Crossing { no, yes, undecided };

/// Tests of two boxes that `selfIntersects` makes before it gives up, or as much other work. It is
/// some hundred for each triangle, so that the time grows with the triangles and not with their
/// square.
constexpr std::size_t testsMade(std::size_t triangles) { return 40'000'000 + 400 * triangles; }

/// Whether two triangles have more in common than the vertices they share. Exact: triangles that
/// only touch count. Equal vertices must be one. `undecided` where it would take more than
/// `most` tests, as for thousands of triangles that come near one place.
Crossing selfIntersects(std::span<const Vec3> vertices,
                        std::span<const std::array<std::uint32_t, 3>> triangles, std::size_t most);

inline Crossing selfIntersects(std::span<const Vec3> vertices,
                               std::span<const std::array<std::uint32_t, 3>> triangles) {
  return selfIntersects(vertices, triangles, testsMade(triangles.size()));
}

}  // namespace scree::mass::detail
