// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/certified.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace scree::mass {

// What other programs do, for comparison. None of it has a bound.

/// Points of the three-dimensional Sobol sequence in Gray-code order, from (.5, .5, .5) on.
/// Source: P. Bratley & B. L. Fox, Algorithm 659, ACM TOMS 14, 1988; 30 bits, polynomials x + 1,
/// x² + x + 1, x³ + x + 1.
class SobolPoints {
 public:
  SobolPoints();
  Vec3 next();  ///< each coordinate in (0, 1)

 private:
  std::array<std::array<std::uint32_t, 30>, 3> direction_;
  std::array<std::uint32_t, 3> x_{};
  std::uint32_t count_ = 0;
};

/// As Rockable does it: `points` Sobol points in the body's box give volume and centre, the next
/// `points` the inertia about that centre, over the volume of the first.
/// @throws GeometryError if no point is inside
SolidProperties sobolMass(const CertifiedBody& body, std::size_t points);

/// As Woo does it: cubes of the given size whose centre is inside count in full, with their own
/// inertia. @throws GeometryError if none is inside, or there would be more than 1e9 of them
SolidProperties gridMass(const CertifiedBody& body, double cellSize, int threads = 1);

/// What an octree has decided: the body has at least `inside` and at most `inside + undecided`.
struct OctreeBounds {
  double inside = 0.0, undecided = 0.0;  ///< [L³]
};

/// As PFC does it: boxes wholly inside any one convex member count, boxes outside all are dropped,
/// others are cut in eight, until the extrapolated volume changes by less than `tolerance` or
/// `boxes` have been cut. The volume is extrapolated as if its error halved with each level; centre
/// and inertia are those of the boxes inside. Members are the rounded points, edges and triangles,
/// and ellipsoids; the inside of a closed surface counts where the surface is farther from the
/// middle of a box than its corners. @throws GeometryError if no box is inside
SolidProperties innerOctreeMass(const CertifiedBody& body, std::size_t boxes = 1'000'000,
                                double tolerance = 1e-5, OctreeBounds* bounds = nullptr);

}  // namespace scree::mass
