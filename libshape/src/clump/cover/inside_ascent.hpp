// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "symmetry.hpp"

#include "scree/clump/solid_distance.hpp"

#include <vector>

namespace scree::clump::detail {

/// Moves balls within a solid, all together, to where their union has more volume.
///
/// The volume of the union changes with the radius of a ball by the area of its visible part. It
/// changes with the centre by the integrated normal of that area. The ball must stay inside: its
/// radius is at most the distance of its centre from each face near it. These distances change with
/// the centre at known rates. Each ball therefore solves a small concave problem. All move at once,
/// and the step shrinks where the exact volume of the union did not grow. This is sequential linear
/// programming with a proximal term (A. S. Lewis & S. J. Wright, Math. Program. 158, 2016).
class InsideAscent {
 public:
  struct Limits {
    double leastRadius = 0.0;  ///< [L]
    double radius = 0.0;       ///< [L] of all balls, which then keep it; 0: as large as each can be
  };
  struct Steps {
    double first = 0.0, least = 0.0;  ///< [L] scale of a step, at the beginning and at the end
    int most = 0;                     ///< steps
    double enough = 1e-6;             ///< gain of volume below which a step is the last, relative
  };
  InsideAscent(const SolidDistance& solid, const SymmetryGroup& group, const Limits& limits,
               int threads)
      : solid_(solid), group_(group), limits_(limits), threads_(threads) {}

  /// @returns [L³] the volume of the union, exact
  double climb(std::vector<Orbit>& orbits, const Steps& steps) const;

 private:
  const SolidDistance& solid_;
  const SymmetryGroup& group_;
  Limits limits_;
  int threads_;
};

}  // namespace scree::clump::detail
