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
constexpr double rounding = 1e-9;         // of a given least radius, which may fit exactly
constexpr std::size_t largestBegins = 8;  // for the largest ball inside

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
      margin(0.1 * size),
      least(options.leastRadius > 0.0 ? options.leastRadius * (1.0 - rounding) : 0.01 * size),
      symmetry(symmetryOf(solid, body.centre, symmetryTolerance * size)),
      medial(medialBalls(solid, medialSamples, options.threads)) {
  if (bestFit() && options.leastRadius > 0.0) {
    raiseToLeast();
    return;
  }
  for (Ball& ball : medial) ball.radius += options.protrusion;
  const auto fits = [this](const Ball& ball) { return ball.radius >= least; };
  if (std::none_of(medial.begin(), medial.end(), fits)) {
    const Ball largest = largestInside();
    if (!(largest.radius > 0.0)) throw GeometryError("no ball fits into the solid");
    const double known = largest.radius * (1.0 - 1e-8);
    if (!fits(largest) && options.leastRadius > 0.0)
      throw GeometryError(
          fmt::format("no ball of radius {:g} or more fits into the solid; the largest that was "
                      "found has a radius of {:.9g}",
                      options.leastRadius, known));
    if (!fits(largest))
      throw GeometryError(fmt::format(
          "the solid is too thin for a cover: the largest ball inside that was found has a radius "
          "of {:.9g}, and a hundredth of the cube root of the volume is {:g}",
          known, least));
    medial.push_back(largest);
  }
  std::erase_if(medial, [&](const Ball& ball) { return !fits(ball); });
}

/// Balls of a best fit may leave the solid. Smaller medial balls get the least radius, from half of
/// it on, or from half the largest one.
void CoverWork::raiseToLeast() {
  const double around = 0.5 * (solid.high() - solid.low()).norm();
  if (least > around)
    throw GeometryError(
        fmt::format("a least radius of {:g} is too large: the whole solid lies in a ball of radius "
                    "{:.9g}",
                    options.leastRadius, around));
  double largest = 0.0;
  for (const Ball& ball : medial) largest = std::max(largest, ball.radius);
  if (!(largest > 0.0)) throw GeometryError("no ball fits into the solid");
  margin += std::clamp(least - largest, 0.0, 0.4 * size);
  const double from = 0.5 * std::min(least, largest);
  std::erase_if(medial, [&](const Ball& ball) { return ball.radius < from; });
  for (Ball& ball : medial) ball.radius = std::max(ball.radius, least);
}

/// With the protrusion. Climbs from the largest medial balls, and from the centre, which symmetry
/// makes exact.
Ball CoverWork::largestInside() const {
  std::vector<Ball> begins = medial;
  std::stable_sort(begins.begin(), begins.end(),
                   [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
  begins.resize(std::min(begins.size(), largestBegins));
  begins.push_back({body.centre, radiusAt(body.centre)});
  const SymmetryGroup alone{body.centre};
  const InsideAscent ascent(solid, alone, {.protrusion = options.protrusion}, options.threads);
  Ball largest;
  for (const Ball& begin : begins) {
    if (!(begin.radius > options.protrusion)) continue;
    PlacedOrbits placed = ascent.placed({Orbit{begin}});
    ascent.climb(placed, {1}, {0.03 * size, 1e-15 * size, 300, 0.0});
    const Ball& found = placed.orbits.front().ball;
    if (found.radius > largest.radius) largest = found;
  }
  return largest;
}

double CoverWork::spacing(double cubes) const { return size / elementary::cbrt(cubes); }

void CoverWork::report(double done) const {
  if (options.progress) options.progress(std::min(done, 1.0));
}

double CoverWork::radiusAt(const Vec3& centre) const {
  const double depth = solid.depth(centre) * (1.0 - 1e-14);
  return depth > 0.0 ? depth + options.protrusion : depth;
}

double CoverWork::candidateRadiusAt(const Vec3& centre) const {
  const double radius = radiusAt(centre);
  if (!bestFit() || options.leastRadius == 0.0) return radius;
  return radius > 0.0 ? std::max(radius, least) : 0.0;
}

InsideAscent CoverWork::ascentFor(const SymmetryGroup& group, double radius) const {
  return {solid, group, {least, radius, options.protrusion}, options.threads};
}

CoverSearch CoverWork::shared(double effort, const DepthField* depth) const {
  return {.solid = solid,
          .depth = depth,
          .size = size,
          .volume = body.volume,
          .margin = margin,
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
