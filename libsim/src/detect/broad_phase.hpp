// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/model/conf.hpp"

#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// All pairs a < b whose boxes overlap, sorted, but for pairs below `driven` both. O(n log n +
/// pairs). Boxes of any sizes may be mixed: a terrain, a wall and a pebble.
std::vector<std::pair<BodyId, BodyId>> overlappingPairs(std::span<const shape::Aabb> boxes,
                                                        BodyId driven, int threads);

/// Pairs in a periodic cell `h` (columns) of which any images overlap, each once. Boxes
/// stand in the cell at the origin and are less than half as large.
std::vector<std::pair<BodyId, BodyId>> overlappingImages(std::span<const shape::Aabb> boxes,
                                                         const Mat3& h, BodyId driven, int threads);

}  // namespace scree::sim
