// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "samples.hpp"
#include "symmetry.hpp"

#include "scree/mass/moments.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump::detail {

/// Moves balls, all together, to where they fit a solid better.
class FitDescent {
 public:
  struct Limits {
    double size = 0.0;         ///< [L] of the solid: cube root of its volume
    double leastRadius = 0.0;  ///< [L]
    bool equal = false;        ///< all balls keep a common radius
    std::uint64_t seed = 1;
    int threads = 1;
  };
  FitDescent(const DepthGrid& depth, const SymmetryGroup& group, const Limits& limits)
      : depth_(depth), group_(group), limits_(limits) {}

  /// Towards a larger ratio of the volumes of intersection and union (IoU).
  ///
  /// The ratio grows where a ball grows over the solid. It falls where the ball grows beyond the
  /// solid, by one over the ratio more. Its change with a centre or a radius is an integral over
  /// the part of the sphere that no other ball covers. That gives the slope for an ascent (Adam,
  /// D. P. Kingma & J. Ba, ICLR 2015). Each step uses other directions, so that what a finite set
  /// of them misses averages out.
  void improveIou(std::vector<Orbit>& orbits) const;

  /// Towards a smaller largest distance between the surface of the solid and that of the balls.
  ///
  /// The distance is sampled: gaps at points of the surface, protrusions at visible points of the
  /// balls. Descends on a high power mean of all, which the largest dominate, and keeps the best
  /// set that it met. O(steps (samples n + points n)) for n balls.
  void reduceDistance(const SolidDistance& solid, std::vector<Orbit>& orbits) const;

 private:
  const DepthGrid& depth_;
  const SymmetryGroup& group_;
  Limits limits_;
};

/// Moves balls by as little as possible so that centre and inertia per mass of their union become
/// those of the solid. Newton's method on the exact moments, with the displacement of least norm.
/// @param spread  [L] the moves allowed for a centre or a radius in one step
void matchInertia(const mass::SolidProperties& body, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, double spread, double leastRadius, int threads);

}  // namespace scree::clump::detail
