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
  double standardError = 0.0;  ///< as if points were random; the true error is mostly less
};

/// Measures of how closely balls approximate a solid, the "body".
struct CoverQuality {
  std::size_t spheres = 0;
  double bodyVolume = 0.0;   ///< [L³] exact
  double unionVolume = 0.0;  ///< [L³] exact; shared volume counts once
  double volumeRatio = 0.0;  ///< union over body
  shape::Bracket outside;    ///< [L³] part of the union outside of the body; proven
  shape::Bracket iou;        ///< intersection of balls and body over union of both, volumes; proven
  double centreError = 0.0;  ///< distance of the centres, in diameters of the ball of equal volume
  /// Relative difference of the tensors per mass, each about its own centre (Frobenius norm).
  double inertiaError = 0.0;
  shape::Bracket uncovered;   ///< [L] largest distance of the surface of the body from the balls
  shape::Bracket protruding;  ///< [L] largest distance of the balls from the body
  SampledMean meanGap;        ///< [L] mean distance of the surface of the body from the balls
  double leastRadius = 0.0, largestRadius = 0.0;  ///< [L]

  /// [L] The larger of `uncovered` and `protruding`.
  shape::Bracket hausdorff() const;
};

struct QualityOptions {
  /// Accuracy of the brackets: of volumes, relative to the volume of the union of both; of
  /// distances, relative to the cube root of the volume of the body.
  double tolerance = 1e-4;
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

/// CoverQuality::inertiaError alone.
double inertiaErrorOf(const mass::SolidProperties& body, const mass::SolidProperties& other);
/// CoverQuality::uncovered alone, to within `accuracy` [L]; a solid with a rounding counts rounded.
shape::Bracket uncoveredBy(const SolidDistance& solid, std::span<const Ball> balls,
                           double accuracy);
/// CoverQuality::protruding alone, to within `accuracy` [L]. No ball protrudes by more than its
/// radius less the depth of its centre. Both ends are proven, apart from the rounding of that
/// depth: 1e-15 of the coordinates.
shape::Bracket protrudingFrom(const SolidDistance& solid, std::span<const Ball> balls,
                              double accuracy);

/// Objective of a search for a given number of balls.
enum class CoverObjective {
  volume,     ///< largest volume if `inside`, else largest ratio of intersection to union (IoU)
  hausdorff,  ///< smallest Hausdorff distance of the surfaces, searched from the best IoU
  inertia     ///< centre and inertia per mass of the solid, by a small change of the best IoU
};

struct CoverOptions {
  bool inside = false;  ///< no ball leaves the solid; else balls may, for the best IoU
  CoverObjective objective = CoverObjective::volume;  ///< must be volume if `inside`
  bool equal = false;                                 ///< all balls have the same radius
  /// Whether balls may overlap. If not (needs `equal`), they stand on a lattice inside the solid
  /// and may touch; the goal must be `spheres` or `volumeRatio`.
  bool overlap = true;

  // Exactly one of these says when a cover is good enough.
  std::optional<std::size_t> spheres{};  ///< best cover with at most this number of balls
  std::optional<double> volumeRatio{};   ///< volume of the union over that of the solid, at least
  std::optional<double> iou{};           ///< volume of intersection over that of union, at least
  std::optional<double> hausdorff{};     ///< [L] between the surfaces, at most
  std::optional<double> inertiaError{};  ///< of the tensor per mass of the union, at most

  /// [L] Smallest radius allowed, to a relative 1e-9. 0: 1/100 of the cube root of the volume.
  double leastRadius = 0.0;
  std::uint64_t seed = 1;  ///< random seed of the search
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

/// Largest number of balls in a search for a goal.
inline constexpr std::size_t coverLimit = 2000;

/// Finds balls that approximate a solid, and returns them with the largest first.
///
/// Candidates are balls of the medial axis. Those that add most are chosen, then all are moved
/// together to increase the exact volume of the union (`inside`) or else the IoU. With `inside`,
/// each radius is the exact distance of the centre from the surface. The cover has the symmetries
/// that exchange or reverse the axes of the frame, or the principal axes, unless each such cover
/// has more balls than requested. Cost: about n² for n balls: seconds for 20, a minute for 100.
/// @throws GoalNotReached if coverLimit balls, or those of the least radius, do not reach the goal
/// @throws GeometryError where no ball of the least radius fits
std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options);

}  // namespace scree::clump
