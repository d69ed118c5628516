// SPDX-License-Identifier: GPL-3.0-or-later
// Moves of all balls of a cover together.
#pragma once

#include "samples.hpp"
#include "symmetry.hpp"

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/moments.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump::detail {

struct MoveOptions {
  double size = 0.0;         ///< [L] of the solid: cube root of its volume
  double leastRadius = 0.0;  ///< [L]
  bool equal = false;        ///< all balls keep a common radius
  std::uint64_t seed = 1;
  int threads = 1;
};

/// Steps of an ascent inside a solid.
struct AscentSteps {
  double first = 0.0, least = 0.0;  ///< [L] scale of a step, at the beginning and at the end
  int most = 0;                     ///< steps
  double enough = 1e-6;             ///< gain of volume below which a step is the last, relative
};

/// Moves balls within a solid to where their union has more volume. Equal balls keep their radius,
/// others are as large as each can be.
///
/// The volume of the union changes with the radius of a ball by the area of its visible part. It
/// changes with the centre by the integrated normal of that area. The ball must stay inside: its
/// radius is at most the distance of its centre from each face near it. These distances change with
/// the centre at known rates. Each ball therefore solves a small concave problem. All move at once,
/// and the step shrinks where the exact volume of the union did not grow. This is sequential linear
/// programming with a proximal term (A. S. Lewis & S. J. Wright, Math. Program. 158, 2016).
/// @returns [L³] the volume of the union, exact
double fillInside(const SolidDistance& solid, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, const AscentSteps& steps, const MoveOptions& options);

/// Moves balls towards a larger ratio of the volumes of intersection and union (IoU).
///
/// The ratio grows where a ball grows over the solid. It falls where the ball grows beyond the
/// solid, by one over the ratio more. Its change with a centre or a radius is an integral over
/// the part of the sphere that no other ball covers. That gives the slope for an ascent (Adam,
/// D. P. Kingma & J. Ba, ICLR 2015). Each step uses other directions, so that what a finite set
/// of them misses averages out.
void improveIou(const DepthGrid& depth, const SymmetryGroup& group, std::vector<Orbit>& orbits,
                const MoveOptions& options);

/// Moves balls towards a smaller largest distance between their surface and that of the solid.
///
/// The distance is sampled: gaps at points of the surface, protrusions at visible points of the
/// balls. Descends on a high power mean of all, which the largest dominate, and keeps the best
/// set that it met. O(steps (samples n + points n)) for n balls.
void reduceDistance(const SolidDistance& solid, const DepthGrid& depth, const SymmetryGroup& group,
                    std::vector<Orbit>& orbits, const MoveOptions& options);

/// Stretches a set of balls a little, so that centre and inertia per mass of their union become
/// those of the solid: centres by the linear map of the second moments, radii by the cube root of
/// its determinant, and again until the exact moments agree.
void matchInertia(const mass::SolidProperties& body, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, const MoveOptions& options);

}  // namespace scree::clump::detail
