// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "depth_field.hpp"
#include "orbit.hpp"

#include "scree/clump/solid_distance.hpp"

#include <vector>

namespace scree::clump::detail {

/// Moves balls so that the largest distance between the surface of a solid and theirs falls.
///
/// The distance is sampled: gaps at points of the surface, protrusions at visible points of the
/// balls. Descends on a high power mean of all, which the largest dominate (Adam), and keeps the
/// best set that it met. O(steps (samples n + points n)) for n balls.
void reduceDistance(const SolidDistance& solid, const DepthField& depth, const SymmetryGroup& group,
                    std::vector<Orbit>& orbits, double size, double leastRadius);

/// Moves balls by as little as possible so that centre and inertia per mass of their union become
/// those of the solid. Newton's method on the exact moments, with the displacement of least norm.
/// @param spread  [L] the moves allowed for a centre or a radius in one step
void matchInertia(const mass::SolidProperties& body, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, double spread, double leastRadius, int threads);

}  // namespace scree::clump::detail
