// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/progress.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace scree::sim {

struct ScatterOptions {
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
  bool turned = true;  ///< orientations uniform on the rotations; else those of the shapes
  Progress progress;
};

struct ScatterResult {
  std::vector<PlacedBody> bodies;  ///< in the order in which they were placed
  double solidFraction = 0.0;      ///< of the volume of the container
  bool saturated = false;          ///< no further body has room, see scatter()
};

/// Random sequential addition: bodies come one after the other to places and with orientations that
/// are uniform among all that overlap no earlier body and no wall, and stay there.
///
/// Cells of the container that can hold no centre any more are dropped, and the others are divided,
/// so that the last places are found. Among balls of one size a ball is refused when all cells are
/// gone: then the packing is saturated. Other bodies are also refused after 20,000 attempts and 50
/// for each body placed, all in vain. So there is no endless loop.
/// Source of the cells: G. Zhang & S. Torquato, Phys. Rev. E 88, 053312, 2013.
///
/// @param plan  the bodies in the order of their coming; the largest first reaches most
/// @returns the bodies placed; fewer than planned where the packing is saturated
/// @throws ModelError where a body is larger than the container, or than half a periodic cell
ScatterResult scatter(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const ScatterOptions& options);

/// The same until the packing is saturated; the plan is repeated as often as it takes.
ScatterResult saturate(const std::vector<shape::Shape>& shapes,
                       const std::vector<PlannedBody>& plan, const Container& container,
                       const ScatterOptions& options);

}  // namespace scree::sim
