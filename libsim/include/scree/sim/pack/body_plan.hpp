// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"
#include "scree/sim/pack/size_grading.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace scree::sim {

/// A body that is to be placed: its shape and size.
struct PlannedBody {
  std::uint32_t shape = 0;
  double homothety = 1.0;
};

/// Which bodies a packing has.
struct PlanOptions {
  std::vector<double> shares;          ///< of each shape, not below 0; empty: equal shares
  Measure shareBy = Measure::number;   ///< what the shares count
  std::optional<SizeGrading> grading;  ///< empty: each shape at its own size
  Measure gradingBy = Measure::mass;
};

/// `number` bodies whose shapes and sizes follow the options by quotas, not by chance: the count
/// (or volume) of each shape is off its share by one body at most. From the largest to the smallest
/// volume. @throws ModelError for shares that sum to 0, or a shape without volume
std::vector<PlannedBody> plannedNumber(const std::vector<shape::Shape>& shapes,
                                       const PlanOptions& options, std::size_t number);
/// As many as have the total volume [L³] that is nearest to `volume`. @throws ModelError also where
/// that would be more than mostPackedBodies
std::vector<PlannedBody> plannedVolume(const std::vector<shape::Shape>& shapes,
                                       const PlanOptions& options, double volume);

/// Sum of the volumes of the bodies [L³].
double solidVolume(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& bodies);

}  // namespace scree::sim
