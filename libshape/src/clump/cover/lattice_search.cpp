// SPDX-License-Identifier: GPL-3.0-or-later
#include "lattice_search.hpp"

#include "lattice_fill.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::clump::detail {

std::vector<Ball> bestLattice(const CoverWork& work) {
  double largest = 0.0;
  for (const Ball& ball : work.medial) largest = std::max(largest, ball.radius);
  const auto volumeOf = [](const std::vector<Ball>& lattice) {
    double volume = 0.0;
    for (const Ball& b : lattice) volume += 4.0 / 3.0 * pi * b.radius * b.radius * b.radius;
    return volume;
  };
  const auto enough = [&](const std::vector<Ball>& balls) {
    if (work.options.spheres) return balls.size() > *work.options.spheres;
    return volumeOf(balls) >= *work.options.volumeRatio * work.body.volume;
  };
  // Smaller balls are more balls, and fill more: halve what lies between too few and enough.
  double few = largest, many = largest;
  std::vector<Ball> balls = latticeFill(work.solid, few, work.options.threads), last = balls;
  if (work.options.spheres && enough(last))
    throw GeometryError(fmt::format(
        "{} balls of radius {:.4g}, about the largest that fits, are on a lattice already; "
        "--spheres {} is too few for equal balls without overlap",
        last.size(), largest, *work.options.spheres));
  std::vector<Ball> fullest = last;
  while (!enough(last)) {
    if (volumeOf(last) > volumeOf(fullest)) fullest = last;
    if (many == work.least && work.options.spheres) return fullest;  // no more balls than requested
    if (many == work.least)
      throw GoalNotReached(
          fmt::format("{} equal balls without overlap reach a volume ratio of {:.4g}, and the goal "
                      "is {:g}; a smaller least radius may help",
                      fullest.size(), volumeOf(fullest) / work.body.volume,
                      *work.options.volumeRatio),
          fullest);
    few = many;
    balls = last;
    many = std::max(0.7 * many, work.least);
    last = latticeFill(work.solid, many, work.options.threads);
    if (last.size() > coverLimit && !work.options.spheres)
      throw GoalNotReached(
          fmt::format("{} equal balls without overlap reach a volume ratio of {:.4g}, and the goal "
                      "of {:g} needs more than {}; a smaller goal needs fewer",
                      fullest.size(), volumeOf(fullest) / work.body.volume,
                      *work.options.volumeRatio, coverLimit),
          fullest);
  }
  for (int round = 0; round < 12; ++round) {
    const double middle = 0.5 * (few + many);
    std::vector<Ball> there = latticeFill(work.solid, middle, work.options.threads);
    work.report(round / 12.0);
    if (enough(there)) {
      many = middle;
      last = std::move(there);
    } else {
      few = middle;
      balls = std::move(there);
    }
  }
  if (!work.options.spheres) return last;
  if (balls.empty())
    throw GeometryError(
        fmt::format("no lattice in the solid has from 1 to {} balls; --spheres {} is too few for "
                    "equal balls without overlap",
                    *work.options.spheres, *work.options.spheres));
  return balls;
}

}  // namespace scree::clump::detail
