// SPDX-License-Identifier: GPL-3.0-or-later
#include "cover_work.hpp"

#include "base/elementary.hpp"
#include "medial_balls.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::clump::detail {
namespace {

constexpr double ladderCubes = 30'000;  // for few orbits, whose gains differ more
constexpr std::size_t medialSamples = 6000;

}  // namespace

std::vector<Ball> someOf(const std::vector<Ball>& balls, std::size_t count) {
  std::vector<Ball> some;
  const std::size_t stride = balls.size() / count + 1;
  for (std::size_t k = 0; k < balls.size(); k += stride) some.push_back(balls[k]);
  return some;
}

CoverWork::CoverWork(const SolidDistance& givenSolid, const mass::SolidProperties& givenBody,
                     const CoverOptions& givenOptions)
    : solid(givenSolid),
      body(givenBody),
      options(givenOptions),
      size(elementary::cbrt(body.volume)),
      tolerance(1e-4 * size),
      least(options.leastRadius > 0.0 ? options.leastRadius : 0.01 * size),
      symmetry(symmetryOf(solid, body.centre, symmetryTolerance * size)),
      medial(medialBalls(solid, medialSamples, least, options.threads)) {
  for (Ball& ball : medial) ball.radius += options.protrusion;
  if (medial.empty())
    throw GeometryError(fmt::format("no ball of radius {:g} or more fits into the solid", least));
}

double CoverWork::spacing(double cubes) const { return size / elementary::cbrt(cubes); }

void CoverWork::report(double done) const {
  if (options.progress) options.progress(std::min(done, 1.0));
}

double CoverWork::radiusAt(const Vec3& centre) const {
  const double depth = solid.depth(centre) * (1.0 - 1e-14);
  return depth > 0.0 ? depth + options.protrusion : depth;
}

InsideAscent CoverWork::ascentFor(const SymmetryGroup& group, double radius) const {
  return {solid, group, {least, radius, options.protrusion}, options.threads};
}

CoverSearch CoverWork::shared(double effort, const DepthField* depth) const {
  return {.solid = solid,
          .depth = depth,
          .size = size,
          .volume = body.volume,
          .leastRadius = least,
          .rounds = fitRounds * effort,
          .raySpacing = size / raysAcross,
          .edge = spacing(ladderCubes),
          .seed = options.seed,
          .threads = options.threads};
}

double CoverWork::outside(std::span<const Ball> balls) const {
  if (options.protrusion == 0.0) return 0.0;
  return volumeOutside(solid, body, balls, {.tolerance = 1e-5, .threads = options.threads}).atMost;
}

}  // namespace scree::clump::detail
