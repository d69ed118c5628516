// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "detect/sub_search.hpp"

#include "scree/shape/shape.hpp"
#include "scree/sim/pack/packing.hpp"

#include <vector>

namespace scree::sim {

/// Finds whether two placed bodies have a point in common. By the contact geometry of runs: rounded
/// vertices, edges and faces that touch. Since these miss a deep intersection, also by edges that
/// pierce faces and bodies that stand inside others.
class BodyOverlap {
 public:
  explicit BodyOverlap(const std::vector<shape::Shape>& shapes);
  BodyOverlap(const BodyOverlap&) = delete;  // what is placed points into it
  BodyOverlap& operator=(const BodyOverlap&) = delete;

  BodyPose poseOf(const PlacedBody& body) const;
  /// [L] of the balls about the origin, at homothety 1, that hold a shape and that it holds.
  double outerRadius(std::uint32_t shape) const { return kinds_[shape].outer; }
  double innerRadius(std::uint32_t shape) const { return kinds_[shape].inner; }
  bool isBall(std::uint32_t shape) const { return kinds_[shape].geometry.ball; }
  const ShapeGeometry& geometry(std::uint32_t shape) const { return kinds_[shape].geometry; }

  /// Whether bodies a and b overlap; touching exactly is no overlap. Not to be called by two
  /// threads with the same `scratch`. O(sub-elements near each other); O(edges × faces) for the
  /// skeletons where bounding balls overlap and nothing touches.
  bool overlap(const PlacedBody& bodyA, const BodyPose& a, const PlacedBody& bodyB,
               const BodyPose& b, NearSubElements& scratch) const;
  /// Whether the skeletons cross, or one is inside the other.
  bool skeletonsCross(std::uint32_t shapeA, const BodyPose& a, std::uint32_t shapeB,
                      const BodyPose& b) const;

 private:
  struct Kind {
    ShapeGeometry geometry;
    double outer = 0.0, inner = 0.0;
    bool solid = false;  ///< faces enclose a volume
  };
  static bool solidHolds(const ShapeGeometry& g, const Vec3& p);

  std::vector<Kind> kinds_;
};

}  // namespace scree::sim
