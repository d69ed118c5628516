// SPDX-License-Identifier: GPL-3.0-or-later
#include "inside_search.hpp"

#include "base/elementary.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t equalPlaces = 3000;
constexpr std::size_t equalRung = 12;  // balls up to which each radius has a ladder

}  // namespace

double InsideSearch::volumeGoal() const {
  return work_.options.volumeRatio ? *work_.options.volumeRatio * work_.body.volume : 1e300;
}

CandidatePool InsideSearch::poolFor(const SymmetryGroup& group, std::size_t count) const {
  // Enough points to tell apart what balls add where there are many.
  const double cubes = 60'000.0 + 400.0 * static_cast<double>(count);
  return CandidatePool(
      volumePoints(work_.solid, work_.spacing(cubes)), group,
      candidateOrbits(group, group.trivial() ? work_.medial : someOf(work_.medial, orbitPlaces),
                      count, work_.least, work_.tolerance,
                      [this](const Vec3& c) { return work_.radiusAt(c); }));
}

FoundCover InsideSearch::best(const SymmetryGroup& group, std::size_t count) {
  if (group.trivial()) return searchInside(group, count, 0.0);
  std::unique_ptr<InsideLadder>& ladder = ladders_[group.maps.size()];
  if (!ladder)
    ladder = std::make_unique<InsideLadder>(
        work_.shared(work_.options.effort), group, poolFor(group, OrbitLadder::highest),
        InsideAscent::Limits{work_.least, 0.0, work_.options.protrusion}, work_.options.effort,
        volumeGoal());
  const bool more = count > OrbitLadder::highest;
  const OrbitSet set =
      ladder->best(count, [&](double done) { work_.reportPart(more ? 0.4 * done : done); });
  FoundCover found{imagesOf(group, set.orbits), set.worth};
  if (!more) return found;
  FoundCover longer = searchInside(group, count, 0.4);
  return longer.worth > found.worth ? longer : found;
}

FoundCover InsideSearch::searchInside(const SymmetryGroup& group, std::size_t count, double done) {
  CandidatePool pool = poolFor(group, count);
  const InsideAscent ascent = work_.ascentFor(group);
  InsideCover cover(pool, group, ascent, work_.size, work_.options.seed);
  cover.search(count, work_.options.effort, volumeGoal(),
               [&](double share) { work_.reportPart(done + (1.0 - done) * share); });
  return {imagesOf(group, cover.orbits()), cover.volume()};
}

/// Equal balls inside: for each of several radii the best places.
FoundCover InsideSearch::bestEqual(const SymmetryGroup& group, std::size_t count) {
  if (group.trivial()) return searchEqual(group, count);
  FoundCover found = symmetricEqual(group, std::min(count, equalRung));
  if (count <= equalRung) return found;
  FoundCover longer = searchEqual(group, count);
  return longer.worth > found.worth ? longer : found;
}

FoundCover InsideSearch::searchEqual(const SymmetryGroup& group, std::size_t count) {
  double largest = 0.0;
  for (const Ball& ball : work_.medial) largest = std::max(largest, ball.radius);
  // Balls that would fill the solid without overlap have this radius.
  const double filling =
      elementary::cbrt(3.0 * work_.body.volume / (4.0 * pi * static_cast<double>(count)));
  const double from = std::max(work_.least, 0.5 * std::min(filling, largest));
  FoundCover found;
  double bestRadius = 0.0;
  constexpr int radii = 10;
  for (int k = 0; k <= radii + 1; ++k) {
    const bool last = k > radii;
    const double most = std::max(from, largest * (1.0 - 1e-9));
    const double radius =
        last ? bestRadius : from * elementary::pow(most / from, k / double(radii));
    if (!(radius > 0.0)) break;
    CandidatePool pool = equalPool(group, count, radius);
    const InsideAscent ascent = work_.ascentFor(group, radius);
    InsideCover cover(pool, group, ascent, work_.size, work_.options.seed);
    cover.search(count, last ? 0.5 * work_.options.effort : 0.0, 1e300, [](double) {});
    work_.reportPart(k / double(radii + 1));
    if (cover.volume() <= found.worth) continue;
    found = {imagesOf(group, cover.orbits()), cover.volume()};
    bestRadius = radius;
  }
  return found;
}

/// The same for a symmetric solid and few balls. The radii do not depend on the number, so that
/// more balls are never worse.
FoundCover InsideSearch::symmetricEqual(const SymmetryGroup& group, std::size_t count) {
  constexpr double ratio = 0.93;  // of a radius and the next
  const double largest = std::max(work_.least, work_.largestInside().radius * (1.0 - 1e-6));
  const double filling =
      elementary::cbrt(3.0 * work_.body.volume / (4.0 * pi * static_cast<double>(count)));
  const double least = std::max(work_.least, 0.5 * std::min(filling, largest));
  std::vector<double> radii{largest};
  while (ratio * radii.back() >= least) radii.push_back(ratio * radii.back());
  // Where no place on a plane or an axis has the largest.
  if (0.999 * largest >= work_.least) radii.push_back(0.999 * largest);
  OrbitSet best;
  double radius = 0.0;
  for (std::size_t k = 0; k < radii.size(); ++k) {
    InsideLadder ladder(work_.shared(0.0), group, equalPool(group, equalRung, radii[k]),
                        {work_.least, radii[k], 0.0}, 0.0, 1e300);
    const OrbitSet here = ladder.best(count, [&](double done) {
      work_.reportPart((static_cast<double>(k) + done) / static_cast<double>(radii.size() + 1));
    });
    if (here.worth > best.worth * (1.0 + 1e-6)) best = here, radius = radii[k];
  }
  if (best.orbits.empty()) return {};
  // Between this radius and the next the same places may be better.
  const std::vector<Orbit> places = best.orbits;
  for (const double smaller : {0.985, 0.97, 0.955, 0.94}) {
    if (smaller * radius < work_.least) break;
    std::vector<Orbit> orbits = places;
    for (Orbit& orbit : orbits) orbit.ball.radius = smaller * radius;
    const InsideAscent ascent = work_.ascentFor(group, smaller * radius);
    PlacedOrbits placed = ascent.placed(std::move(orbits));
    ascent.climb(placed, std::vector<char>(placed.orbits.size(), 1),
                 {0.03 * work_.size, 1e-6 * work_.size, 60, 1e-7});
    if (placed.volume() > best.worth) best.orbits = placed.orbits, best.worth = placed.volume();
  }
  return {imagesOf(group, best.orbits), best.worth};
}

CandidatePool InsideSearch::equalPool(const SymmetryGroup& group, std::size_t count,
                                      double radius) const {
  const double cubes = 60'000.0 + 400.0 * static_cast<double>(count);
  VolumePoints points = volumePoints(work_.solid, work_.spacing(cubes));
  const VolumePoints places =
      volumePoints(work_.solid, std::max(0.3 * radius, work_.spacing(equalPlaces)));
  std::vector<Ball> balls;
  for (const Vec3& place : places.places) balls.push_back({place, radius});
  for (const Ball& ball : work_.medial)
    if (balls.size() < 2 * equalPlaces) balls.push_back({ball.centre, radius});
  // A place may be too near to the surface, and the nearest one on a mirror plane not.
  const double enough = group.trivial() ? radius : 0.9 * radius;
  std::erase_if(balls, [&](const Ball& b) { return work_.radiusAt(b.centre) < enough; });
  return CandidatePool(std::move(points), group,
                       candidateOrbits(group, group.trivial() ? balls : someOf(balls, orbitPlaces),
                                       count, work_.least, work_.tolerance, [&](const Vec3& c) {
                                         return work_.radiusAt(c) < radius ? 0.0 : radius;
                                       }));
}

/// For a share of the volume: greedily up to it, then one ball less as long as that is enough.
std::vector<Ball> InsideSearch::fewest(double ratio) {
  const SymmetryGroup group{work_.body.centre};
  double goal = ratio * work_.body.volume;  // of the union; what lies outside is added below
  CandidatePool pool = poolFor(group, 100);
  const InsideAscent ascent = work_.ascentFor(group);
  InsideCover cover(pool, group, ascent, work_.size, work_.options.seed);
  const auto refuse = [&] {
    throw GoalNotReached(
        fmt::format("volume ratio {}: {} balls inside reach {:.4f}; a smaller least radius allows "
                    "more",
                    ratio, cover.balls().size(),
                    (cover.volume() - work_.outside(cover.balls())) / work_.body.volume),
        cover.balls());
  };
  bool more = true;
  while (cover.volume() < goal && more) {
    more = cover.addBest(coverLimit);
    work_.report(0.3 * cover.volume() / goal);
  }
  cover.settle();
  if (cover.volume() < goal) refuse();
  while (work_.options.protrusion > 0.0) {
    goal = ratio * work_.body.volume + work_.outside(cover.balls());
    if (cover.volume() >= goal) break;
    if (!cover.addBest(coverLimit)) refuse();
    cover.settle();
  }
  std::vector<Orbit> enough = cover.orbits();
  const std::size_t first = enough.size();
  while (enough.size() > 1) {
    cover.dropLeast();
    const double base = 1.0 - static_cast<double>(enough.size()) / static_cast<double>(first);
    cover.search(enough.size() - 1, work_.options.effort, goal,
                 [&](double done) { work_.report(0.3 + 0.7 * std::max(base, done)); });
    if (cover.volume() < goal) break;
    if (work_.options.protrusion > 0.0) {
      goal = ratio * work_.body.volume + work_.outside(cover.balls());
      if (cover.volume() < goal) break;
    }
    enough = cover.orbits();
  }
  return imagesOf(group, enough);
}

}  // namespace scree::clump::detail
