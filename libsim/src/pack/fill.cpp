// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/fill.hpp"

#include "growing_packing.hpp"

namespace scree::sim {
namespace {

/// [-] of the size of the smallest body: the least distance from which contacts act.
constexpr double narrowestShell = 1e-4;

}  // namespace

FillResult fill(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                const Container& container, const FillOptions& options) {
  GrowingPacking growth(shapes, plan, container, options);
  growth.requireRoomAt(1.0);
  const bool complete = growth.grow(1.0, narrowestShell);
  growth.backOff();
  FillResult result = growth.result();
  result.complete = complete;
  return result;
}

}  // namespace scree::sim
