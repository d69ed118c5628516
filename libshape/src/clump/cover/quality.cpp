// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "samples.hpp"

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

/// A piece of a surface in a search for the largest value on it.
template <class Part>
struct Candidate {
  Part part;
  double bound = HUGE_VAL;  ///< no point of it has more
  std::size_t number = 0;
  bool operator<(const Candidate& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

/// A value that is reached, and one that no point of the part exceeds.
struct Judgement {
  double reached, bound;
};

/// Largest value over parts of a surface, at least `reached`, as a bracket. Parts are split where
/// their bound is largest.
/// @param judge  part -> Judgement
/// @param split  calls its second argument for each part of the first
template <class Part, class Judge, class Split>
shape::Bracket largest(const std::vector<Candidate<Part>>& parts, double reached, double accuracy,
                       Judge&& judge, Split&& split) {
  constexpr std::size_t workLimit = 2'000'000;
  std::size_t made = 0;
  std::priority_queue<Candidate<Part>> queue;
  const auto add = [&](Candidate<Part> candidate) {
    const Judgement here = judge(candidate.part);
    reached = std::max(reached, here.reached);
    candidate.bound = std::min(candidate.bound, here.bound);
    candidate.number = made++;
    if (candidate.bound > reached) queue.push(candidate);
  };
  for (const Candidate<Part>& candidate : parts) add(candidate);
  while (!queue.empty() && queue.top().bound - reached > accuracy && made < workLimit) {
    const Candidate<Part> whole = queue.top();
    queue.pop();
    split(whole.part, [&](const Part& part) { add({part, whole.bound}); });
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
  struct Cube {
    Vec3 middle;
    double half;  // of an edge
  };
  const Vec3 extent = solid.high() - solid.low();
  const double rounding = 1e-12 * extent.norm() +
                          4e-16 * solid.high().cwiseAbs().cwiseMax(solid.low().cwiseAbs()).norm();
  const std::vector<Candidate<Cube>> whole{
      {{0.5 * (solid.low() + solid.high()), 0.5 * extent.maxCoeff() + rounding}}};
  return largest(
      whole, 0.0, accuracy,
      [&](const Cube& cube) -> Judgement {
        const auto near = solid.nearest(cube.middle);
        // No point of the cube is farther from its middle.
        const double reach = std::sqrt(3.0) * cube.half;
        if (std::fabs(near.depth) > reach + rounding) return {0.0, 0.0};  // no surface in it
        const Judgement here{0.0, distanceTo(balls, cube.middle) + reach};
        // The point of the surface above the nearest one of the core. In a rounded solid another
        // part may hide it.
        Vec3 point = near.point;
        if (solid.radius() > 0.0) {
          if (near.depth >= solid.radius()) return here;
          point += solid.radius() * (cube.middle - near.point).normalized();
          if (solid.depth(point) > rounding) return here;
        }
        return {distanceTo(balls, point), here.bound};
      },
      [](const Cube& cube, auto&& add) {
        const double half = 0.5 * cube.half;
        for (int k = 0; k < 8; ++k)
          add(Cube{cube.middle + half * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1),
                   half});
      });
}

shape::Bracket protrudingFrom(const SolidDistance& solid, std::span<const Ball> balls,
                              double accuracy) {
  struct Octant {
    std::array<Vec3, 3> corners;  // about the centre, of a sphere of radius 1 once normalised
    std::size_t ball;
  };
  std::vector<Candidate<Octant>> octants;
  double reached = 0.0, largestRadius = 0.0;
  // Depth changes by no more than the distance moved: from the centre, by the radius at most.
  std::vector<double> most;
  for (const Ball& ball : balls)
    most.push_back(std::max(0.0, ball.radius - solid.depth(ball.centre)));
  const auto protrusion = [&](const Vec3& p, std::size_t k) {
    const Vec3 at = balls[k].centre + balls[k].radius * p.normalized();
    return std::min(most[k], -solid.depth(at));
  };
  for (std::size_t k = 0; k < balls.size(); ++k) {
    largestRadius = std::max(largestRadius, balls[k].radius);
    for (int octant = 0; octant < 8 && most[k] > 0.0; ++octant) {
      const double x = octant & 1 ? -1.0 : 1.0, y = octant & 2 ? -1.0 : 1.0,
                   z = octant & 4 ? -1.0 : 1.0;
      octants.push_back({{{Vec3(x, 0, 0), Vec3(0, y, 0), Vec3(0, 0, z)}, k}, most[k]});
      for (const Vec3& c : octants.back().part.corners)
        reached = std::max(reached, protrusion(c, k));
    }
  }
  // Points of an octahedron are at least 1/√3 from its centre: projecting stretches by √3 at most.
  const double stretch = std::sqrt(3.0) * largestRadius;
  return largest(
      octants, reached, accuracy,
      [&](const Octant& octant) -> Judgement {
        const auto& c = octant.corners;
        const Vec3 middle = (c[0] + c[1] + c[2]) / 3.0;
        double reach = 0.0;
        for (const Vec3& corner : c) reach = std::max(reach, (corner - middle).norm());
        const double here = protrusion(middle, octant.ball);
        return {here, here + stretch * reach};
      },
      [](const Octant& octant, auto&& add) {
        const auto& c = octant.corners;
        std::array<Vec3, 3> half;  // of the sides from corner k to the next
        for (std::size_t k = 0; k < 3; ++k) half[k] = 0.5 * (c[k] + c[(k + 1) % 3]);
        add(Octant{{c[0], half[0], half[2]}, octant.ball});
        add(Octant{{half[0], c[1], half[1]}, octant.ball});
        add(Octant{{half[2], half[1], c[2]}, octant.ball});
        add(Octant{half, octant.ball});
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
