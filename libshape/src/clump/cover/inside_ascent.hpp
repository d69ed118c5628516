// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "orbit.hpp"

#include "scree/clump/solid_distance.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// Moves balls within a solid, all together, to where their union has more volume.
///
/// The volume of the union changes with a ball by the area of its visible part: that area for the
/// radius, its integrated normal for the centre. The ball must stay inside: its radius is at most
/// the distance of its centre from each face near it, and these distances change with the centre at
/// known rates. Each ball therefore solves a small concave problem within a step; all move at once,
/// and the step shrinks where the exact volume of the union did not grow (sequential linear
/// programming with a trust region, R. Fletcher & E. Sainz de la Maza, Math. Program. 43, 1989).
class InsideAscent {
 public:
  /// @param radius  [L] the same for all balls, which then keep it; 0: each is as large as it can
  /// be
  InsideAscent(const SolidDistance& solid, const SymmetryGroup& group, double leastRadius,
               double radius, int threads);

  /// [L³] of the union, exact.
  double volume(std::span<const Orbit> orbits) const;

  struct Steps {
    double first = 0.0, least = 0.0;  ///< [L] length of a step, at the beginning and at the end
    int most = 0;                     ///< steps
  };
  /// Moves the orbits that are `active`. @param volume  of the union now  @returns it afterwards
  double climb(std::vector<Orbit>& orbits, double volume, const std::vector<char>& active,
               const Steps& steps) const;

 private:
  Ball moved(std::span<const Ball> balls, std::size_t which, const Mat3& moves, double step) const;

  const SolidDistance& solid_;
  const SymmetryGroup& group_;
  double leastRadius_, radius_;
  int threads_;
  std::vector<Vec3> directions_;
};

}  // namespace scree::clump::detail
