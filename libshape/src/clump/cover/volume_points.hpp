// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump::detail {

/// Points within a solid, each with the volume that it stands for. They are the middles of cubes
/// that are small near the surface and larger inside, where no ball of a cover misses them.
struct VolumePoints {
  std::vector<Vec3> places;           ///< [L] cubes close to each other stand close in the list
  std::vector<std::int32_t> weights;  ///< in smallest cubes
  std::int64_t total = 0;             ///< of all weights
};

/// @param spacing  [L] edge of the smallest cubes. O(n log n) for n points
VolumePoints volumePoints(const SolidDistance& solid, double spacing);

}  // namespace scree::clump::detail
