// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <vector>

namespace scree::tools {

/// The direction against gravity; z without gravity.
struct Up {
  explicit Up(const Vec3& gravity);
  Vec3 direction = Vec3::UnitZ();
};

/// The faces of driven bodies, to look straight down on.
class Ground {
 public:
  /// Needs shapes. O(faces)
  explicit Ground(const sim::Instant& instant);
  /// [L] height of a point above the highest face below it, less the rounding of that face; nan
  /// where none is. O(faces)
  double below(const Vec3& x) const;
  /// Whether a centre has left the box around the ground, on a side or below; false without ground.
  bool left(const Vec3& x) const;

 private:
  struct Triangle {
    Vec3 a, b, c;
    double radius;
  };
  Up up_;
  std::vector<Triangle> triangles_;
  shape::Aabb box_;
};

}  // namespace scree::tools
