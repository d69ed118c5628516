// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape.hpp"

#include <array>
#include <vector>

namespace scree::shape::detail {

/// Squared distance of a point to a segment, and to a triangle; either may have no extent.
double squaredDistance(const Vec3& p, const Vec3& a, const Vec3& b);
double squaredDistance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The skeleton of a shape as triangles, segments and points that none of the others holds, to be
/// asked whether it comes near a point.
class SkeletonElements {
 public:
  SkeletonElements(const Shape& shape, const Polygons& faces);
  /// Whether any point of the skeleton is nearer to `p` than `distance`. O(log n + elements near).
  bool nearer(const Vec3& p, double distance) const;

 private:
  std::vector<std::array<Vec3, 3>> elements_;  ///< a segment repeats its end, a point itself
  AabbTree tree_;
};

}  // namespace scree::shape::detail
