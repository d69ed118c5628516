// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/clump/solid_distance.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/mesh_check.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree::clump {

using mass::Ball;

/// Mean over sample points, which are spread evenly and the same on every run.
struct SampledMean {
  double mean = 0.0;
  double standardError = 0.0;  ///< as of random points; the true error is mostly smaller
};

/// Measures how well balls stand for a solid.
struct CoverQuality {
  std::size_t spheres = 0;
  double bodyVolume = 0.0;   ///< [L³] exact
  double unionVolume = 0.0;  ///< [L³] exact; shared volume counts once
  double volumeRatio = 0.0;  ///< union over body
  shape::Bracket outside;    ///< [L³] of the union that lies outside of the body; proven
  shape::Bracket iou;        ///< volume of the intersection over that of the union of both; proven
  double centreError = 0.0;  ///< distance of the centres, in diameters of the ball of equal volume
  double inertiaError =
      0.0;                   ///< of the tensor per mass, each about its centre; Frobenius, relative
  shape::Bracket uncovered;  ///< [L] largest distance of the surface of the body from the balls
  shape::Bracket protruding;  ///< [L] largest distance of the balls from the body
  SampledMean meanGap;        ///< [L] mean distance of the surface of the body from the balls
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
/// Volume, centre and inertia are exact; the ratio of volumes and the largest distances are proven
/// brackets; the mean gap is sampled.
/// @param body  mass properties of the solid, in the frame of `solid`
/// @throws GeometryError as ballUnionMoments
CoverQuality coverQuality(const SolidDistance& solid, const mass::SolidProperties& body,
                          std::span<const Ball> balls, const QualityOptions& options = {});

/// The parts of it that cost little.
double inertiaErrorOf(const mass::SolidProperties& body, const mass::SolidProperties& other);
/// [L] sup over the surface of the solid, rounded where it is, of the distance to the balls.
shape::Bracket uncoveredBy(const SolidDistance& solid, std::span<const Ball> balls,
                           double accuracy);
/// [L] sup over the balls of the distance to the solid; at most the largest radius less the depth
/// of its centre. Both ends are proven but for the rounding of that depth: 1e-15 of the
/// coordinates.
shape::Bracket protrudingFrom(const SolidDistance& solid, std::span<const Ball> balls,
                              double accuracy);

/// Objective of a search with a number of balls.
enum class CoverObjective {
  volume,     ///< the volume inside, or the ratio of volumes of intersection and union (IoU)
  hausdorff,  ///< the largest distance between the surfaces, from the best IoU on
  inertia     ///< centre and inertia per mass, with the least change of the best IoU
};

/// Goal of a cover, and the balls that it may have.
struct CoverOptions {
  bool inside = false;  ///< no ball leaves the solid; else the best ratio of volumes (IoU)
  CoverObjective objective = CoverObjective::volume;  ///< others only where `inside` is not set
  bool equal = false;                                 ///< all balls have the same radius
  bool overlap = true;  ///< false, with `equal`: balls on a lattice, inside, that touch at most;
                        ///< the goal is a number or a ratio of volumes

  // Exactly one of these says when a cover is good enough.
  std::optional<std::size_t> spheres{};  ///< the best with so many balls, at most
  std::optional<double> volumeRatio{};   ///< volume of the union over that of the solid, at least
  std::optional<double> iou{};           ///< volume of intersection over that of union, at least
  std::optional<double> hausdorff{};     ///< [L] between the surfaces, at most
  std::optional<double> inertiaError{};  ///< of the tensor per mass of the union, at most

  /// [L] of a ball, to a relative 1e-9. 0: a hundredth of the cube root of the volume.
  double leastRadius = 0.0;
  std::uint64_t seed = 1;  ///< of the search
  int threads = 1;         ///< never changes the result
  Progress progress{};
};

/// A goal that no cover within the limits reaches. Holds the cover that comes nearest to it.
class GoalNotReached : public GeometryError {
 public:
  GoalNotReached(const std::string& message, std::vector<Ball> nearest)
      : GeometryError(message), balls_(std::move(nearest)) {}
  const std::vector<Ball>& balls() const { return balls_; }  ///< as coverOf returns them

 private:
  std::vector<Ball> balls_;
};

/// Most balls that a search for a goal uses.
inline constexpr std::size_t coverLimit = 2000;

/// Balls that stand for a solid, largest first.
///
/// Candidates are medial balls. Balls are chosen by what they add, then all are moved together:
/// inside along the exact volume of the union, else along the ratio of volumes. With a goal instead
/// of a number, the result is the least number that the search found. Radii inside are exact
/// distances.
///
/// The cover of a solid has its symmetries that exchange and reverse the axes of the frame, or the
/// principal ones, unless each such cover has more balls than requested.
/// Cost: about n² for n balls: seconds for 20, a minute for 100.
/// @throws GoalNotReached where the goal is not reached with coverLimit balls or the least radius
/// @throws GeometryError where no ball of the least radius fits
std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options);

}  // namespace scree::clump
