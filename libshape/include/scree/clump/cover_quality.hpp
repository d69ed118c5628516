// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/clump/unions.hpp"
#include "scree/mass/moments.hpp"
#include "scree/shape/mesh_check.hpp"

#include <cstddef>
#include <span>

namespace scree::clump {

/// How well balls stand for a solid.
struct CoverQuality {
  std::size_t spheres = 0;
  double bodyVolume = 0.0;   ///< [L³] exact
  double unionVolume = 0.0;  ///< [L³] exact; shared volume counts once
  double volumeRatio = 0.0;  ///< union over body
  shape::Bracket iou;        ///< volume of the intersection over that of the union of both; proven
  double centreError = 0.0;  ///< distance of the centres, in diameters of the ball of equal volume
  double inertiaError =
      0.0;                   ///< of the tensor per mass, each about its centre; Frobenius, relative
  shape::Bracket uncovered;  ///< [L] largest distance of the surface of the body from the balls
  shape::Bracket protruding;  ///< [L] largest distance of the balls from the body
  shape::Bracket meanGap;     ///< [L] mean distance of the surface of the body from the balls
  double grooveDepth = 0.0;   ///< [L] deepest visible groove between two balls, below their hull
  double leastRadius = 0.0, largestRadius = 0.0;  ///< [L]

  /// [L] no point of either is farther from the other
  shape::Bracket hausdorff() const;
};

struct QualityOptions {
  double tolerance = 1e-4;  ///< of the volume of both together, relative; and of distances, in
                            ///< cube roots of the volume
  int threads = 1;
};

/// Compares the union of `balls` with a solid.
///
/// Volume, centre, inertia and the groove are exact; the ratio of volumes and the distances are
/// proven brackets.
/// @param body  mass properties of the solid, in the frame of `solid`
/// @throws GeometryError as ballUnionMoments
CoverQuality coverQuality(const SolidDistance& solid, const mass::SolidProperties& body,
                          std::span<const Ball> balls, const QualityOptions& options = {});

/// The parts of it that cost little.
double inertiaErrorOf(const mass::SolidProperties& body, const mass::SolidProperties& other);
/// [L] sup over the surface of the core, swept by the radius, of the distance to the balls.
shape::Bracket uncoveredBy(const SolidDistance& solid, std::span<const Ball> balls,
                           double accuracy);
/// [L] sup over the balls of the distance to the solid.
shape::Bracket protrudingFrom(const SolidDistance& solid, std::span<const Ball> balls,
                              double accuracy);

}  // namespace scree::clump
