// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clipped_quadric.hpp"
#include "skeleton.hpp"

#include <span>

namespace scree::mass::detail {

/// What is known of the body within one cell.
struct LeafResult {
  Sums body;                      ///< about the origin of the skeleton
  double more = 0.0, less = 0.0;  ///< the volume may be larger or smaller by this at most
  std::size_t parts = 0;          ///< of the cell that were looked at
  bool complete = true;           ///< false: too many pieces or parts, nothing else is set
};

struct LeafLimits {
  double part = 0.0;          ///< volume that may stay uncertain in one part
  std::size_t parts = 1000;   ///< give up beyond
  std::size_t elements = 12;  ///< give up at once with more
};

/// The body within a box that no element but those of `elements` reaches. `crossing` lists solids
/// whose surface may pass through the box; outside all others is known.
///
/// The box is cut along the planes of slabs and the ends of tubes. It is also cut along the planes
/// where two balls, or two tubes that meet, change places as the nearer one. Parts left with one
/// ball, tube or ellipsoid are exact. Of two others each is held between its tangent plane and that
/// plane moved by its largest deviation over the part. Only where both layers meet is anything
/// unknown.
LeafResult solveLeaf(const Skeleton& skeleton, const Vec3& centre, const Vec3& halfSize,
                     std::span<const std::uint32_t> elements,
                     std::span<const std::uint32_t> crossing, const LeafLimits& limits);

}  // namespace scree::mass::detail
