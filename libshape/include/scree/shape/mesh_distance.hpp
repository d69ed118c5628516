// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/surface_mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::shape {

/// The triangles of a mesh, to be asked for the nearest. O(n log n) to make.
class SurfaceDistance {
 public:
  explicit SurfaceDistance(const SurfaceMesh& mesh);

  struct Nearest {
    double distance = 1e300;  ///< [L]
    std::uint32_t triangle = 0;
  };
  /// O(log n) as a rule. @param guess  a triangle that may be near: a good one saves time
  Nearest nearest(const Vec3& p, std::uint32_t guess = 0) const;
  double distance(const Vec3& p, std::uint32_t triangle) const;
  const std::vector<std::array<Vec3, 3>>& triangles() const { return triangles_; }
  const AabbTree& tree() const { return tree_; }  ///< of the boxes of triangles()

 private:
  std::vector<std::array<Vec3, 3>> triangles_;
  AabbTree tree_;
};

/// A number that is known to lie in between.
struct Bracket {
  double atLeast = 0.0, atMost = 0.0;
};

/// Largest distance of the points of surface `from` to surface `to` (the one-sided Hausdorff
/// distance), as a proven bracket.
///
/// Triangles of `from` are split where their bound is largest: a triangle is nowhere farther from
/// one triangle of `to` than at its corners, since the distance to a convex body is convex, and
/// nowhere farther from `to` than the distance at its middle plus its own reach.
/// @param accuracy  [L] stops where atMost - atLeast is below this, or after 2e6 triangles
Bracket farthest(const SurfaceMesh& from, const SurfaceDistance& to, double accuracy);
/// Least distance between two surfaces, to rounding; 0 where they meet. O(n log n) as a rule, more
/// where they run alongside each other much farther apart than their triangles are wide.
double leastDistance(const SurfaceMesh& a, const SurfaceDistance& b);

/// Distance between surfaces (two-sided Hausdorff): no point of either is farther from the other.
Bracket hausdorff(const SurfaceMesh& a, const SurfaceMesh& b, double accuracy);

}  // namespace scree::shape
