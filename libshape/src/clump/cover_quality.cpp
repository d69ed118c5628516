// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "cover/mean_gap.hpp"
#include "cover/surface_samples.hpp"

#include "scree/clump/cover.hpp"
#include "scree/mass/certified.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

namespace scree::clump {
namespace {

/// Distance of a point from the nearest ball; negative within one.
double distanceTo(std::span<const Ball> balls, const Vec3& p) {
  double least = 1e300;
  for (const Ball& ball : balls) least = std::min(least, (p - ball.centre).norm() - ball.radius);
  return least;
}

/// A triangle of points, seen from `f`, which changes by no more than the distance moved.
struct SurfacePiece {
  std::array<Vec3, 3> corners;
  std::size_t owner = 0;
  double bound = HUGE_VAL;  ///< no point of it has more
  std::size_t number = 0;
  bool operator<(const SurfacePiece& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

/// Largest value of f(point, owner) over pieces, at least 0, as a bracket. Pieces are split where
/// their bound is largest. `place` maps a corner of a piece to the point, and must not enlarge
/// distances by more than `stretch`.
template <class Place, class F>
shape::Bracket largest(const std::vector<SurfacePiece>& pieces, double accuracy, double stretch,
                       Place&& place, F&& f) {
  constexpr std::size_t workLimit = 2'000'000;
  std::size_t made = 0;
  double reached = 0.0;
  std::priority_queue<SurfacePiece> queue;
  const auto judge = [&](SurfacePiece piece) {
    const Vec3 middle = (piece.corners[0] + piece.corners[1] + piece.corners[2]) / 3.0;
    double reach = 0.0;
    for (const Vec3& c : piece.corners) reach = std::max(reach, (c - middle).norm());
    const double here = f(place(middle, piece.owner), piece.owner);
    reached = std::max(reached, here);
    piece.bound = std::min(piece.bound, here + stretch * reach);
    piece.number = made++;
    if (piece.bound > reached) queue.push(piece);
  };
  for (const SurfacePiece& piece : pieces) {
    for (const Vec3& c : piece.corners)
      reached = std::max(reached, f(place(c, piece.owner), piece.owner));
    judge(piece);
  }
  while (!queue.empty() && queue.top().bound - reached > accuracy && made < workLimit) {
    const SurfacePiece piece = queue.top();
    queue.pop();
    std::array<Vec3, 3> half;  // of the sides from corner k to the next
    for (std::size_t k = 0; k < 3; ++k)
      half[k] = 0.5 * (piece.corners[k] + piece.corners[(k + 1) % 3]);
    const auto& c = piece.corners;
    for (const auto& corners :
         {std::array<Vec3, 3>{c[0], half[0], half[2]}, std::array<Vec3, 3>{half[0], c[1], half[1]},
          std::array<Vec3, 3>{half[2], half[1], c[2]},
          std::array<Vec3, 3>{half[0], half[1], half[2]}})
      judge({corners, piece.owner, piece.bound});
  }
  return {reached, std::max(queue.empty() ? reached : queue.top().bound, reached)};
}

/// Moments of the union of balls and body, for the volume of what is in either.
mass::CertifiedMass volumeOfBoth(const SolidDistance& solid, std::span<const Ball> balls,
                                 const QualityOptions& options) {
  mass::CertifiedBody both;
  mass::RoundedPart& core = both.parts.emplace_back();
  core.vertices = solid.core().vertices;
  core.triangles = shape::trianglesOf(solid.core());
  core.radius = solid.radius();
  core.solid = true;
  for (const Ball& ball : balls) {
    mass::RoundedPart& part = both.parts.emplace_back();
    part.vertices = {ball.centre};
    part.points = {0};
    part.radius = ball.radius;
  }
  return mass::certifiedMass(both, {.tolerance = options.tolerance, .threads = options.threads});
}

}  // namespace

shape::Bracket CoverQuality::hausdorff() const {
  return {std::max(uncovered.atLeast, protruding.atLeast),
          std::max(uncovered.atMost, protruding.atMost)};
}

double inertiaErrorOf(const mass::SolidProperties& body, const mass::SolidProperties& other) {
  return (other.inertiaPerMass - body.inertiaPerMass).norm() / body.inertiaPerMass.norm();
}

shape::Bracket uncoveredBy(const SolidDistance& solid, std::span<const Ball> balls,
                           double accuracy) {
  std::vector<SurfacePiece> pieces;
  for (const auto& t : solid.triangles()) pieces.push_back({t});
  // A point of the rounded surface is `radius` from the core: no farther than that more.
  return largest(
      pieces, accuracy, 1.0, [](const Vec3& p, std::size_t) { return p; },
      [&](const Vec3& p, std::size_t) { return distanceTo(balls, p) + solid.radius(); });
}

shape::Bracket protrudingFrom(const SolidDistance& solid, std::span<const Ball> balls,
                              double accuracy) {
  std::vector<SurfacePiece> pieces;  // octants of each sphere
  // Depth changes by no more than the distance moved: from the centre, by the radius at most.
  std::vector<double> most;
  for (const Ball& ball : balls)
    most.push_back(std::max(0.0, ball.radius - solid.depth(ball.centre)));
  for (std::size_t k = 0; k < balls.size(); ++k)
    for (int octant = 0; octant < 8; ++octant) {
      const double x = octant & 1 ? -1.0 : 1.0, y = octant & 2 ? -1.0 : 1.0,
                   z = octant & 4 ? -1.0 : 1.0;
      if (most[k] > 0.0)
        pieces.push_back({{Vec3(x, 0, 0), Vec3(0, y, 0), Vec3(0, 0, z)}, k, most[k]});
    }
  double largestRadius = 0.0;
  for (const Ball& ball : balls) largestRadius = std::max(largestRadius, ball.radius);
  // Points of an octahedron are at least 1/√3 from its centre: projecting stretches by √3 at most.
  return largest(
      pieces, accuracy, std::sqrt(3.0) * largestRadius,
      [&](const Vec3& p, std::size_t k) {
        return Vec3(balls[k].centre + balls[k].radius * p.normalized());
      },
      [&](const Vec3& p, std::size_t k) { return std::min(most[k], -solid.depth(p)); });
}

shape::Bracket volumeOutside(const SolidDistance& solid, const mass::SolidProperties& body,
                             std::span<const Ball> balls, const QualityOptions& options) {
  const mass::CertifiedMass both = volumeOfBoth(solid, balls, options);
  const double beyond = both.solid.volume - body.volume;
  const double error = both.solid.volume * both.bound.volume;
  return {std::max(0.0, beyond - error), std::max(0.0, beyond + error)};
}

CoverQuality coverQuality(const SolidDistance& solid, const mass::SolidProperties& body,
                          std::span<const Ball> balls, const QualityOptions& options) {
  CoverQuality q;
  const mass::SolidProperties all = solidOf(ballUnionMoments(balls, options.threads));
  q.spheres = balls.size();
  q.bodyVolume = body.volume;
  q.unionVolume = all.volume;
  q.volumeRatio = all.volume / body.volume;
  q.centreError = (all.centre - body.centre).norm() / elementary::cbrt(6.0 * body.volume / pi);
  q.inertiaError = inertiaErrorOf(body, all);

  const mass::CertifiedMass both = volumeOfBoth(solid, balls, options);
  const auto ratio = [&](double eitherVolume) {
    return std::clamp((body.volume + all.volume - eitherVolume) / eitherVolume, 0.0, 1.0);
  };
  q.iou = {ratio(both.solid.volume * (1.0 + both.bound.volume)),
           ratio(both.solid.volume * (1.0 - both.bound.volume))};

  const double accuracy = options.tolerance * elementary::cbrt(body.volume);
  q.uncovered = uncoveredBy(solid, balls, accuracy);
  q.protruding = protrudingFrom(solid, balls, accuracy);
  q.meanGap = detail::meanGap(solid, balls, accuracy);
  q.grooveDepth = detail::grooveDepth(balls);
  q.leastRadius = q.largestRadius = balls.front().radius;
  for (const Ball& ball : balls) {
    q.leastRadius = std::min(q.leastRadius, ball.radius);
    q.largestRadius = std::max(q.largestRadius, ball.radius);
  }
  return q;
}

}  // namespace scree::clump
