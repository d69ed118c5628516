// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "skeleton.hpp"

#include <vector>

namespace scree::mass::detail {

/// An element seen from a box.
struct Near {
  std::uint32_t element;
  bool crosses;     ///< it bounds a solid, and may pass through the box
  double f, reach;  ///< distance at the centre; slope · half size
  Vec3 slope;       ///< at the centre
};

/// Drops elements that are nowhere in the box nearer than some other one. Where the radius is many
/// times the edges of a mesh, a few elements stay in place of hundreds. Those that cross the box
/// stay.
///
/// As f is convex and l the tangent plane of another distance, f - l is largest at a corner. Where
/// no corner has it above 0, the first is the nearer one all over the box. The dropped one is then
/// within the first, or one that hides that, so the union is the same. Of many triangles that all
/// have the same vertex as nearest point one stays. O(n), O(n²) up to 48.
void dropHidden(const Skeleton& skeleton, const Vec3& centre, const Vec3& halfSize,
                std::vector<Near>& near);

}  // namespace scree::mass::detail
