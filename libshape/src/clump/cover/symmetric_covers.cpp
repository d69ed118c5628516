// SPDX-License-Identifier: GPL-3.0-or-later
#include "symmetric_covers.hpp"

#include "base/elementary.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr double nearFit = 0.01, moreFit = 2e-5;  // of the ratio of volumes, whose error is 1e-5
constexpr double nearInside = 0.02, moreInside = 1e-6;  // of the volume of the solid
constexpr double together = 2e-3;  // of the size: images closer than that become one ball

/// The set without balls that add nothing: images that came to lie in one place become one, and
/// orbits go that others hide. @param fits  makes a moved orbit a valid one, or returns false
template <class Worth, class Fits>
OrbitSet pruned(const SymmetryGroup& group, OrbitSet set, double tolerance, double more,
                Worth&& worth, Fits&& fits) {
  std::vector<Orbit> merged = set.orbits;
  bool changed = false;
  for (Orbit& orbit : merged) {
    Orbit there = orbitOf(group, orbit.ball, tolerance);
    if (there.size() >= orbit.size() || !fits(there)) continue;
    orbit = std::move(there);
    changed = true;
  }
  if (changed)
    if (const double here = worth(merged); here > set.worth - more)
      set.orbits = std::move(merged), set.worth = here;
  std::vector<std::size_t> order(set.orbits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return set.orbits[a].ball.radius < set.orbits[b].ball.radius;
  });
  std::vector<char> kept(set.orbits.size(), 1);
  for (const std::size_t k : order) {
    kept[k] = 0;
    std::vector<Orbit> rest;
    for (std::size_t j = 0; j < kept.size(); ++j)
      if (kept[j]) rest.push_back(set.orbits[j]);
    if (rest.empty() || worth(rest) < set.worth - 0.1 * more) kept[k] = 1;
  }
  std::vector<Orbit> rest;
  for (std::size_t j = 0; j < kept.size(); ++j)
    if (kept[j]) rest.push_back(set.orbits[j]);
  set.worth = worth(rest);
  set.orbits = std::move(rest);
  return set;
}

FitCover::Options optionsOf(const CoverSearch& search, bool equal) {
  FitCover::Options options{.leastRadius = search.leastRadius, .size = search.size};
  if (equal) options.radius = search.size;  // begin() sets it
  return options;
}

}  // namespace

FitLadder::FitLadder(const CoverSearch& search, const SymmetryGroup& group,
                     std::vector<Orbit> candidates, bool equal)
    : search_(search),
      group_(group),
      candidates_(std::move(candidates)),
      equal_(equal),
      grid_(search.solid, search.edge, search.margin, search.threads),
      rays_(search.solid, search.raySpacing, search.threads),
      cover_(*search.depth, candidates_, group_, grid_, rays_, optionsOf(search, equal)),
      ladder_(kindsOf(group_, candidates_, kinds_),
              {.extended = [this](const OrbitSet& s, std::uint32_t k) { return extended(s, k); },
               .refined = [this](const OrbitSet& s, std::size_t n) { return refined(s, n); },
               .near = nearFit,
               .more = moreFit}) {}

OrbitSet FitLadder::extended(const OrbitSet& from, std::uint32_t kind) {
  double radius = 0.0;
  if (equal_ && !from.orbits.empty()) {
    radius = from.orbits.front().ball.radius;
  } else if (equal_) {
    // Balls that overlap and fill the solid: their volumes add up to about twice its own.
    std::size_t size = 1;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (kinds_[k] == kind) size = candidates_[k].size();
    radius = elementary::cbrt(1.5 * search_.volume / (pi * static_cast<double>(size)));
    radius = std::max(radius, search_.leastRadius);
  }
  cover_.begin(from.orbits, radius);
  if (!cover_.addBestOf(kinds_, kind)) return {};
  cover_.descend(150, 0.02, {}, false);
  return {.orbits = cover_.orbits(), .worth = cover_.iou()};
}

OrbitSet FitLadder::refined(const OrbitSet& set, std::size_t count) {
  const auto radiusOf = [](const OrbitSet& s) { return s.orbits.front().ball.radius; };
  cover_.begin(set.orbits, radiusOf(set));
  Rng random(search_.seed);
  cover_.exchange(count, static_cast<int>(search_.rounds * static_cast<double>(set.orbits.size())),
                  random, [](double) {});
  cover_.descend(300, 0.005);
  cover_.settle();
  OrbitSet best = pruned(
      group_, {.orbits = cover_.orbits(), .worth = cover_.iou()}, together * search_.size, moreFit,
      [&](const std::vector<Orbit>& orbits) { return rays_.iou(imagesOf(group_, orbits)); },
      [](const Orbit&) { return true; });
  cover_.begin(best.orbits, radiusOf(best));
  cover_.polish(search_.solid);
  if (const double polished = cover_.iou(); polished > best.worth)
    best.orbits = cover_.orbits(), best.worth = polished;
  return best;
}

InsideLadder::InsideLadder(const CoverSearch& search, const SymmetryGroup& group,
                           CandidatePool pool, const InsideAscent::Limits& limits, double effort,
                           double goal)
    : search_(search),
      group_(group),
      pool_(std::move(pool)),
      limits_(limits),
      effort_(effort),
      goal_(goal),
      ascent_(search.solid, group_, limits, search.threads),
      cover_(pool_, group_, ascent_, search.size, search.seed),
      ladder_(kindsOf(group_, pool_.candidates(), kinds_),
              {.extended = [this](const OrbitSet& s, std::uint32_t k) { return extended(s, k); },
               .refined = [this](const OrbitSet& s, std::size_t n) { return refined(s, n); },
               .near = nearInside * search.volume,
               .more = moreInside * search.volume}) {}

OrbitSet InsideLadder::extended(const OrbitSet& from, std::uint32_t kind) {
  cover_.begin(from.orbits);
  if (!cover_.addBestOf(kinds_, kind)) return {};
  cover_.settle();
  return {.orbits = cover_.orbits(), .worth = cover_.volume()};
}

OrbitSet InsideLadder::refined(const OrbitSet& set, std::size_t count) {
  cover_.begin(set.orbits);
  cover_.search(count, effort_, goal_, [](double) {});
  return pruned(
      group_, {.orbits = cover_.orbits(), .worth = cover_.volume()}, together * search_.size,
      moreInside * search_.volume,
      [&](const std::vector<Orbit>& orbits) { return ascent_.placed(orbits).volume(); },
      [&](Orbit& orbit) {
        const double depth =
            search_.solid.depth(orbit.ball.centre) * (1.0 - 1e-14) + limits_.protrusion;
        if (limits_.radius == 0.0) orbit.ball.radius = depth;
        return depth >= std::max(limits_.radius, limits_.leastRadius) && depth > limits_.protrusion;
      });
}

}  // namespace scree::clump::detail
