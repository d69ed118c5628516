// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_search.hpp"

#include "base/elementary.hpp"
#include "distance_descent.hpp"
#include "fit_cover.hpp"
#include "volume_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr double fitCubes = 150'000;
constexpr std::size_t fitPlaces = 1200;
constexpr double severalFrom = 8.0;  // effort

}  // namespace

FoundCover FitSearch::best(const SymmetryGroup& group, std::size_t count) {
  if (!field_) field_.emplace(work_.solid, work_.size / 40.0, work_.margin, work_.options.threads);
  OrbitSet set;
  const bool more = count > OrbitLadder::highest;
  if (group.trivial()) {
    set = search(group, count, 0.0);
  } else {
    set = ladderFor(group).best(count,
                                [&](double done) { work_.reportPart(more ? 0.4 * done : done); });
    if (more)
      if (OrbitSet longer = search(group, count, 0.4); longer.worth > set.worth)
        set = std::move(longer);
  }
  if (set.orbits.empty()) return {};
  if (work_.options.objective == CoverObjective::hausdorff)
    reduceDistance(work_.solid, *field_, group, set.orbits, work_.size, work_.least);
  if (work_.options.objective == CoverObjective::inertia)
    matchInertia(work_.body, group, set.orbits, 0.02 * work_.size, work_.least,
                 work_.options.threads);
  return {imagesOf(group, set.orbits), set.worth};
}

FitLadder& FitSearch::ladderFor(const SymmetryGroup& group) {
  std::unique_ptr<FitLadder>& ladder = ladders_[group.maps.size()];
  if (ladder) return *ladder;
  std::vector<Ball> places;
  for (const Ball& ball : work_.medial)
    if (ball.radius >= std::min(0.03 * work_.size, 2.0 * work_.least)) places.push_back(ball);
  ladder = std::make_unique<FitLadder>(
      work_.shared(work_.options.effort, &*field_), group,
      candidateOrbits(group, someOf(places, orbitPlaces / 3), OrbitLadder::highest, work_.least,
                      work_.tolerance,
                      [this](const Vec3& c) { return work_.candidateRadiusAt(c); }),
      work_.options.equal);
  return *ladder;
}

OrbitSet FitSearch::search(const SymmetryGroup& group, std::size_t count, double done) {
  Occupancy grid(work_.solid, work_.spacing(fitCubes), work_.margin, work_.options.threads);
  FitCover::Options options{.leastRadius = work_.least, .size = work_.size};
  std::vector<Ball> centres;
  if (work_.options.equal) {
    // Overlapping balls that fill the solid: their volumes add up to about twice its own.
    options.radius = elementary::cbrt(1.5 * work_.body.volume / (pi * static_cast<double>(count)));
    options.radius = std::max(options.radius, work_.least);
    for (const Vec3& place : volumePoints(work_.solid, work_.spacing(fitPlaces)).places)
      if (work_.radiusAt(place) > 0.4 * options.radius) centres.push_back({place, options.radius});
  }
  if (centres.empty())
    for (const Ball& ball : work_.medial)
      if (ball.radius >= std::min(0.03 * work_.size, 2.0 * work_.least)) centres.push_back(ball);
  // The gain of an orbit costs as much as all its balls.
  const std::vector<Ball> some = someOf(centres, group.trivial() ? fitPlaces : orbitPlaces / 3);
  const std::vector<Orbit> candidates =
      candidateOrbits(group, some, count, work_.least, work_.tolerance, [&](const Vec3& c) {
        const double radius = work_.candidateRadiusAt(c);
        return options.radius > 0.0 && radius > 0.4 * options.radius ? options.radius : radius;
      });
  const RayVolumes rays(work_.solid, work_.size / raysAcross, work_.options.threads);
  FitCover cover(*field_, candidates, group, grid, rays, options);
  Rng random(work_.options.seed);
  const double usual = fitRounds * static_cast<double>(std::min<std::size_t>(count, 24));
  const auto progress = [&](double part) { work_.reportPart(done + (1.0 - done) * part); };
  const auto once = [&](double effort, double from, double share) {
    while (cover.addBest(count))
      progress(from +
               share * 0.2 * static_cast<double>(cover.count()) / static_cast<double>(count));
    if (cover.count() == 0) return false;
    cover.descend(300, 0.02);
    const double rounds = std::min(usual, fitRounds * static_cast<double>(cover.orbits().size()));
    cover.exchange(count, static_cast<int>(effort * rounds), random,
                   [&](double part) { progress(from + share * (0.2 + 0.7 * part)); });
    cover.descend(300, 0.005);
    cover.settle();
    return true;
  };
  // A long search is several short ones, whose sets are recombined.
  const bool several =
      work_.options.effort >= severalFrom && group.trivial() && !work_.options.equal;
  const int searches = several ? static_cast<int>(work_.options.effort / 3.0) : 1;
  std::vector<std::vector<Orbit>> sets;
  for (int k = 0; k < searches; ++k) {
    const double share = several ? 0.67 / searches : 1.0;
    cover.restart();
    if (!once(several ? 2.0 : work_.options.effort, share * k, share)) return {};
    sets.push_back(cover.orbits());
  }
  if (several)
    cover.recombine(std::move(sets), count, static_cast<int>(work_.options.effort * usual / 4.5),
                    random, [&](double part) { progress(0.67 + 0.3 * part); });
  cover.polish(work_.solid);
  return {.orbits = cover.orbits(), .worth = cover.iou()};
}

}  // namespace scree::clump::detail
