// SPDX-License-Identifier: GPL-3.0-or-later
#include "medial_balls.hpp"

#include "surface_samples.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace scree::clump::detail {
namespace {

/// Shrinks a ball that touches the core at `at` until it holds no other point of the faces.
Ball shrunk(const SolidDistance& solid, const SurfaceSample& at, double largest) {
  double radius = largest;
  std::uint32_t guess = at.triangle;
  for (int round = 0; round < 60; ++round) {
    const Vec3 centre = at.point + radius * at.inward;
    const auto near = solid.nearest(centre, guess);
    guess = near.triangle;
    const Vec3 across = at.point - near.point;
    const double away = (centre - near.point).norm();
    if (away >= radius * (1.0 - 1e-9)) break;
    const double depth = -across.dot(at.inward);  // of the nearest point below the tangent plane
    if (!(depth > 0.0)) return {at.point, 0.0};   // a crease: the surface bends over the point
    const double next = across.squaredNorm() / (2.0 * depth);
    if (!(next < radius)) break;
    radius = next;
  }
  const Vec3 centre = at.point + radius * at.inward;
  // Shortened by rounding: the ball must not leave the solid.
  return {centre, std::max(0.0, solid.depth(centre, guess)) * (1.0 - 1e-14)};
}

double largestRadius(const SolidDistance& solid) {
  return 0.5 * (solid.high() - solid.low()).maxCoeff();
}

}  // namespace

Ball grownBall(const SolidDistance& solid, const Vec3& centre, std::uint32_t& guess) {
  const auto near = solid.nearest(centre, guess);
  guess = near.triangle;
  if (!(near.depth > 0.0)) return {centre, 0.0};
  const Vec3 away = centre - near.point;
  const double distance = away.norm();
  const Ball small{centre, near.depth * (1.0 - 1e-14)};
  if (!(distance > 0.0)) return small;
  const bool inCore = near.depth > solid.radius();
  const SurfaceSample at{near.point, (inCore ? 1.0 : -1.0) / distance * away, near.triangle};
  // A short begin saves steps; a ball that stayed as large as it began may not be maximal.
  const double largest = largestRadius(solid);
  double begin = 1.5 * near.depth;
  Ball grown = shrunk(solid, at, std::min(begin, largest));
  while (grown.radius >= 0.999 * begin && begin < largest) {
    begin *= 4.0;
    grown = shrunk(solid, at, std::min(begin, largest));
  }
  return grown.radius > small.radius ? grown : small;
}

std::vector<Ball> medialBalls(const SolidDistance& solid, std::size_t samples, int threads) {
  const std::vector<SurfaceSample> points = surfaceSamples(solid, samples);
  const double largest = largestRadius(solid);
  std::vector<Ball> balls(points.size());
  parallelFor(threads, points.size(),
              [&](std::size_t k) { balls[k] = shrunk(solid, points[k], largest); });
  if (solid.radius() > 0.0)
    for (const SurfaceSample& point : points) balls.push_back({point.point, solid.radius()});
  std::erase_if(balls, [&](const Ball& b) { return !(b.radius > 0.0); });
  return balls;
}

}  // namespace scree::clump::detail
