// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"

#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/model/conf.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// Predicate that tells whether the pair a < b is to be listed; an empty one accepts all. Any
/// thread may call it, for a pair more than once.
using PairFilter = FunctionRef<bool(BodyId, BodyId)>;

/// Number of ranges of bodies to share out: one for each thread, but of at least 128 bodies each,
/// since smaller ranges do not pay.
inline std::size_t rangesOf(std::size_t bodies, int threads) {
  constexpr std::size_t few = 128;
  return std::clamp<std::size_t>(bodies / few, 1, static_cast<std::size_t>(std::max(threads, 1)));
}

/// All pairs a < b whose boxes overlap, sorted, but for pairs below `driven` both. O(n log n +
/// pairs). Boxes of any sizes may be mixed: a terrain, a wall and a pebble.
std::vector<std::pair<BodyId, BodyId>> overlappingPairs(std::span<const shape::Aabb> boxes,
                                                        BodyId driven, int threads,
                                                        PairFilter wanted = {});

/// Pairs in a periodic cell `h` (columns) of which any images overlap, each once. Boxes
/// stand in the cell at the origin and are less than half as large.
std::vector<std::pair<BodyId, BodyId>> overlappingImages(std::span<const shape::Aabb> boxes,
                                                         const Mat3& h, BodyId driven, int threads,
                                                         PairFilter wanted = {});

}  // namespace scree::sim
