// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"

#include <array>
#include <vector>

namespace scree::clump::detail {

/// Depth below the surface of a solid, tabulated on a grid and interpolated linearly between its
/// points. For searches, where a hundred times the speed matters more than the last digits.
class DepthField {
 public:
  /// @param spacing  [L] of the grid. @param margin  [L] how far it reaches beyond the box
  DepthField(const SolidDistance& solid, double spacing, double margin, int threads);
  /// [L] positive inside; beyond the grid, the depth at its border less the distance to it.
  double operator()(const Vec3& p) const;

 private:
  Vec3 origin_, upper_;
  double spacing_;
  std::array<std::size_t, 3> size_{};
  std::vector<float> depth_;
};

}  // namespace scree::clump::detail
