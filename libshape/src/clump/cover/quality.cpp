// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "search_parts.hpp"

#include "scree/clump/cover.hpp"
#include "scree/mass/certified.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
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

struct Cube {
  Vec3 middle;
  double half = 0.0;        ///< of an edge
  double bound = HUGE_VAL;  ///< no point that counts in it has more
  std::size_t number = 0;
  /// [L] No point of the cube is farther from its middle.
  double reach() const { return std::sqrt(3.0) * half; }
  bool operator<(const Cube& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

/// A value that is reached, and one that no point of the cube exceeds.
struct Judgement {
  double reached = 0.0, bound = 0.0;
};

/// Largest value over the cubes of a box, at least 0, as a bracket. Cubes are divided into eight
/// where their bound is largest.
/// @param judge  cube -> Judgement
template <class Judge>
shape::Bracket largest(const shape::Aabb& box, double accuracy, Judge&& judge) {
  constexpr std::size_t workLimit = 2'000'000;
  double reached = 0.0;
  std::size_t made = 0;
  std::priority_queue<Cube> queue;
  const auto add = [&](Cube cube) {
    const Judgement here = judge(cube);
    reached = std::max(reached, here.reached);
    cube.bound = std::min(cube.bound, here.bound);
    cube.number = made++;
    if (cube.bound > reached) queue.push(cube);
  };
  add({box.centre(), box.halfSize().maxCoeff()});
  while (!queue.empty() && queue.top().bound - reached > accuracy && made < workLimit) {
    const Cube whole = queue.top();
    queue.pop();
    const double half = 0.5 * whole.half;
    for (int k = 0; k < 8; ++k)
      add({whole.middle + half * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1), half,
           whole.bound});
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

/// Mean over sample points of the surface of the distance to the balls, 0 within one.
SampledMean meanGap(const SolidDistance& solid, std::span<const Ball> balls) {
  constexpr std::size_t samples = 50'000;
  double sum = 0.0, squares = 0.0;
  const std::vector<Vec3> points = detail::surfacePoints(solid, samples);
  for (const Vec3& p : points) {
    const double gap = std::max(0.0, distanceTo(balls, p));
    sum += gap;
    squares += gap * gap;
  }
  const double n = static_cast<double>(points.size()), mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
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
  const double rounding = 1e-12 * (solid.high() - solid.low()).norm() +
                          4e-16 * solid.high().cwiseAbs().cwiseMax(solid.low().cwiseAbs()).norm();
  const shape::Aabb box = shape::Aabb{solid.low(), solid.high()}.grown(rounding);
  return largest(box, accuracy, [&](const Cube& cube) -> Judgement {
    const auto near = solid.nearest(cube.middle);
    if (std::fabs(near.depth) > cube.reach() + rounding) return {};  // no surface in it
    const double bound = distanceTo(balls, cube.middle) + cube.reach();
    // The point of the surface above the nearest one of the core. Other parts may hide it.
    Vec3 point = near.point;
    if (solid.radius() > 0.0) {
      if (near.depth >= solid.radius()) return {0.0, bound};
      point += solid.radius() * (cube.middle - near.point).normalized();
      if (solid.depth(point) > rounding) return {0.0, bound};
    }
    return {distanceTo(balls, point), bound};
  });
}

shape::Bracket protrudingFrom(const SolidDistance& solid, std::span<const Ball> balls,
                              double accuracy) {
  // Depth changes by no more than the distance moved: from a centre, by the radius at most.
  std::vector<std::pair<Ball, double>> out;
  shape::Aabb box;
  for (const Ball& ball : balls)
    if (const double most = ball.radius - solid.depth(ball.centre); most > 0.0) {
      out.push_back({ball, most});
      box.add(shape::Aabb{ball.centre, ball.centre}.grown(ball.radius));
    }
  if (out.empty()) return {0.0, 0.0};
  return largest(box, accuracy, [&](const Cube& cube) {
    const double beyond = -solid.depth(cube.middle);
    Judgement here;
    for (const auto& [ball, most] : out) {
      const Vec3 from = cube.middle - ball.centre;
      const double distance = from.norm(), far = distance - ball.radius;
      if (far > cube.reach()) continue;  // the ball is elsewhere
      here.bound = std::max(here.bound, std::min(most, beyond + cube.reach()));
      if (here.bound <= here.reached || !(distance > 0.0)) continue;
      const Vec3 on = ball.centre + ball.radius / distance * from;
      here.reached = std::max(here.reached, std::min(most, -solid.depth(on)));
    }
    return here;
  });
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

  const double accuracy = options.tolerance * elementary::cbrt(body.volume);
  q.uncovered = uncoveredBy(solid, balls, accuracy);
  q.protruding = protrudingFrom(solid, balls, accuracy);
  if (q.protruding.atMost > 0.0) {
    const mass::CertifiedMass both = volumeOfBoth(solid, balls, options);
    const double beyond = both.solid.volume - body.volume;
    const double error = both.solid.volume * both.bound.volume;
    q.outside = {std::max(0.0, beyond - error), std::max(0.0, beyond + error)};
  }
  const auto ratio = [&](double outside) {
    return std::clamp((all.volume - outside) / (body.volume + outside), 0.0, 1.0);
  };
  q.iou = {ratio(q.outside.atMost), ratio(q.outside.atLeast)};
  q.meanGap = meanGap(solid, balls);
  q.leastRadius = q.largestRadius = balls.front().radius;
  for (const Ball& ball : balls) {
    q.leastRadius = std::min(q.leastRadius, ball.radius);
    q.largestRadius = std::max(q.largestRadius, ball.radius);
  }
  return q;
}

}  // namespace scree::clump
