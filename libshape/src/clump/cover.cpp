// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/cover.hpp"

#include "base/elementary.hpp"
#include "clump/symmetry.hpp"
#include "cover/distance_descent.hpp"
#include "cover/fit_cover.hpp"
#include "cover/inside_cover.hpp"
#include "cover/lattice_fill.hpp"
#include "cover/medial_balls.hpp"
#include "cover/symmetric_covers.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace scree::clump {
namespace {

using namespace detail;

constexpr double fitCubes = 150'000, raysAcross = 100.0;  // the size of the solid
constexpr double ladderCubes = 30'000;                    // for few orbits, whose gains differ more
constexpr double symmetryTolerance = 1e-5;  // of the size, by which a mesh may miss a symmetry

/// One search: its candidates, made once for each group of symmetries, and what it has to reach.
class Search {
 public:
  Search(const SolidDistance& solid, const mass::SolidProperties& body, const CoverOptions& options)
      : solid_(solid),
        body_(body),
        options_(options),
        size_(elementary::cbrt(body.volume)),
        tolerance_(1e-4 * size_),
        symmetry_(symmetryOf(solid, body.centre, symmetryTolerance * size_)) {
    least_ = options.leastRadius > 0.0 ? options.leastRadius : 0.01 * size_;
    medial_ = medialBalls(solid_, medialSamples, least_, options_.threads);
    for (Ball& ball : medial_) ball.radius += options_.protrusion;
    if (medial_.empty())
      throw GeometryError(
          fmt::format("no ball of radius {:g} or more fits into the solid", least_));
  }

  std::vector<Ball> run() {
    std::vector<Ball> balls;
    if (options_.equal && !options_.overlap)
      balls = lattice();
    else
      balls = options_.spheres ? best(*options_.spheres).balls : fewest();
    std::stable_sort(balls.begin(), balls.end(),
                     [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
    return balls;
  }

 private:
  /// Balls, and how good they are: volume inside, else the ratio of volumes.
  struct Found {
    std::vector<Ball> balls;
    double worth = -1.0;
  };

  double spacing(double cubes) const { return size_ / elementary::cbrt(cubes); }
  void report(double done) const {
    if (options_.progress) options_.progress(std::min(done, 1.0));
  }
  double radiusAt(const Vec3& centre) const {
    const double depth = solid_.depth(centre) * (1.0 - 1e-14);
    return depth > 0.0 ? depth + options_.protrusion : depth;
  }
  InsideAscent ascentFor(const SymmetryGroup& group, double radius = 0.0) const {
    return {solid_, group, {least_, radius, options_.protrusion}, options_.threads};
  }

  /// The best cover that a search with so many balls finds; fewer where no more are of use. As
  /// symmetric as the solid where such a cover has so few balls.
  Found best(std::size_t count) {
    Found found;
    const std::vector<SymmetryGroup> groups = groupsFor(symmetry_, count);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      part_ = {static_cast<double>(k) / static_cast<double>(groups.size()),
               1.0 / static_cast<double>(groups.size())};
      Found here = bestUnder(groups[k], count);
      if (here.worth > found.worth) found = std::move(here);
    }
    if (found.balls.empty()) found = bestUnder({body_.centre}, count);
    return found;
  }
  Found bestUnder(const SymmetryGroup& group, std::size_t count) {
    Found found = !options_.inside ? bestFit(group, count)
                  : options_.equal ? bestEqualInside(group, count)
                                   : bestInside(group, count);
    if (options_.inside && !group.trivial()) shrinkInto(found.balls);
    return found;
  }

  /// A mesh may miss its symmetry by a little: each ball becomes as small as its deepest image.
  void shrinkInto(std::vector<Ball>& balls) const {
    std::vector<double> depth;
    for (const Ball& ball : balls) depth.push_back(std::min(ball.radius, radiusAt(ball.centre)));
    for (std::size_t k = 0; k < balls.size(); ++k) {
      const double radius = balls[k].radius;
      for (std::size_t j = 0; j < balls.size(); ++j)
        if (balls[j].radius == radius) balls[k].radius = std::min(balls[k].radius, depth[j]);
    }
  }

  /// About `count` of the balls, evenly spread over their order.
  static std::vector<Ball> someOf(const std::vector<Ball>& balls, std::size_t count) {
    std::vector<Ball> some;
    const std::size_t stride = balls.size() / count + 1;
    for (std::size_t k = 0; k < balls.size(); k += stride) some.push_back(balls[k]);
    return some;
  }

  CandidatePool poolFor(const SymmetryGroup& group, std::size_t count) const {
    // Enough points to tell apart what balls add where there are many.
    const double cubes = 60'000.0 + 400.0 * static_cast<double>(count);
    return CandidatePool(
        volumePoints(solid_, spacing(cubes)), group,
        candidateOrbits(group, group.trivial() ? medial_ : someOf(medial_, orbitPlaces), count,
                        least_, tolerance_, [this](const Vec3& c) { return radiusAt(c); }));
  }

  CoverSearch shared(double effort) const {
    return {.solid = solid_,
            .depth = field_ ? &*field_ : nullptr,
            .size = size_,
            .volume = body_.volume,
            .leastRadius = least_,
            .rounds = fitRounds * effort,
            .raySpacing = size_ / raysAcross,
            .edge = spacing(ladderCubes),
            .seed = options_.seed,
            .threads = options_.threads};
  }
  double insideGoal() const {
    return options_.volumeRatio ? *options_.volumeRatio * body_.volume : 1e300;
  }

  Found bestInside(const SymmetryGroup& group, std::size_t count) {
    if (group.trivial()) return searchInside(group, count, 0.0);
    std::unique_ptr<InsideLadder>& ladder = insideLadders_[group.maps.size()];
    if (!ladder)
      ladder = std::make_unique<InsideLadder>(
          shared(options_.effort), group, poolFor(group, OrbitLadder::highest),
          InsideAscent::Limits{least_, 0.0, options_.protrusion}, options_.effort, insideGoal());
    const bool more = count > OrbitLadder::highest;
    const OrbitSet set =
        ladder->best(count, [&](double done) { reportPart(more ? 0.4 * done : done); });
    Found found{imagesOf(group, set.orbits), set.worth};
    if (!more) return found;
    Found longer = searchInside(group, count, 0.4);
    return longer.worth > found.worth ? longer : found;
  }

  Found searchInside(const SymmetryGroup& group, std::size_t count, double done) {
    CandidatePool pool = poolFor(group, count);
    const InsideAscent ascent = ascentFor(group);
    InsideCover cover(pool, group, ascent, size_, options_.seed);
    cover.search(count, options_.effort, insideGoal(),
                 [&](double share) { reportPart(done + (1.0 - done) * share); });
    return {imagesOf(group, cover.orbits()), cover.volume()};
  }

  /// Equal balls inside: for each of several radii the best places.
  Found bestEqualInside(const SymmetryGroup& group, std::size_t count) {
    if (group.trivial()) return searchEqual(group, count);
    Found found = symmetricEqual(group, std::min(count, equalRung));
    if (count <= equalRung) return found;
    Found longer = searchEqual(group, count);
    return longer.worth > found.worth ? longer : found;
  }

  Found searchEqual(const SymmetryGroup& group, std::size_t count) {
    double largest = 0.0;
    for (const Ball& ball : medial_) largest = std::max(largest, ball.radius);
    // Balls that would fill the solid without overlap have this radius.
    const double filling =
        elementary::cbrt(3.0 * body_.volume / (4.0 * pi * static_cast<double>(count)));
    const double from = std::max(least_, 0.5 * std::min(filling, largest));
    Found found;
    double bestRadius = 0.0;
    constexpr int radii = 10;
    for (int k = 0; k <= radii + 1; ++k) {
      const bool last = k > radii;
      const double radius =
          last ? bestRadius
               : from * elementary::pow(largest * (1.0 - 1e-9) / from, k / double(radii));
      if (!(radius > 0.0)) break;
      CandidatePool pool = equalPool(group, count, radius);
      const InsideAscent ascent = ascentFor(group, radius);
      InsideCover cover(pool, group, ascent, size_, options_.seed);
      cover.search(count, last ? 0.5 * options_.effort : 0.0, 1e300, [](double) {});
      reportPart(k / double(radii + 1));
      if (cover.volume() <= found.worth) continue;
      found = {imagesOf(group, cover.orbits()), cover.volume()};
      bestRadius = radius;
    }
    return found;
  }

  /// The same for a symmetric solid and few balls. The radii do not depend on the number, so that
  /// more balls are never worse.
  Found symmetricEqual(const SymmetryGroup& group, std::size_t count) {
    constexpr double ratio = 0.93;  // of a radius and the next
    const double largest = largestInside() * (1.0 - 1e-6);
    const double filling =
        elementary::cbrt(3.0 * body_.volume / (4.0 * pi * static_cast<double>(count)));
    const double least = std::max(least_, 0.5 * std::min(filling, largest));
    std::vector<double> radii;
    for (double r = largest; r >= least || radii.empty(); r *= ratio) radii.push_back(r);
    radii.push_back(0.999 * largest);  // where no place on a plane or an axis has the largest
    OrbitSet best;
    double radius = 0.0;
    for (std::size_t k = 0; k < radii.size(); ++k) {
      InsideLadder ladder(shared(0.0), group, equalPool(group, equalRung, radii[k]),
                          {least_, radii[k], 0.0}, 0.0, 1e300);
      const OrbitSet here = ladder.best(count, [&](double done) {
        reportPart((static_cast<double>(k) + done) / static_cast<double>(radii.size() + 1));
      });
      if (here.worth > best.worth * (1.0 + 1e-6)) best = here, radius = radii[k];
    }
    if (best.orbits.empty()) return {};
    // Between this radius and the next the same places may be better.
    const std::vector<Orbit> places = best.orbits;
    for (const double smaller : {0.985, 0.97, 0.955, 0.94}) {
      std::vector<Orbit> orbits = places;
      for (Orbit& orbit : orbits) orbit.ball.radius = smaller * radius;
      const InsideAscent ascent = ascentFor(group, smaller * radius);
      PlacedOrbits placed = ascent.placed(std::move(orbits));
      ascent.climb(placed, std::vector<char>(placed.orbits.size(), 1),
                   {0.03 * size_, 1e-6 * size_, 60, 1e-7});
      if (placed.volume() > best.worth) best.orbits = placed.orbits, best.worth = placed.volume();
    }
    return {imagesOf(group, best.orbits), best.worth};
  }

  /// [L] radius of the largest ball inside.
  double largestInside() const {
    const SymmetryGroup alone{body_.centre};
    const InsideAscent ascent = ascentFor(alone);
    const auto largest =
        std::max_element(medial_.begin(), medial_.end(),
                         [](const Ball& a, const Ball& b) { return a.radius < b.radius; });
    PlacedOrbits placed = ascent.placed({Orbit{*largest}});
    ascent.climb(placed, {1}, {0.03 * size_, 1e-6 * size_, 60, 1e-7});
    return placed.orbits.front().ball.radius;
  }

  CandidatePool equalPool(const SymmetryGroup& group, std::size_t count, double radius) const {
    const double cubes = 60'000.0 + 400.0 * static_cast<double>(count);
    VolumePoints points = volumePoints(solid_, spacing(cubes));
    const VolumePoints places = volumePoints(solid_, std::max(0.3 * radius, spacing(equalPlaces)));
    std::vector<Ball> balls;
    for (const Vec3& place : places.places) balls.push_back({place, radius});
    for (const Ball& ball : medial_)
      if (balls.size() < 2 * equalPlaces) balls.push_back({ball.centre, radius});
    // A place may be too near to the surface, and the nearest one on a mirror plane not.
    const double enough = group.trivial() ? radius : 0.9 * radius;
    std::erase_if(balls, [&](const Ball& b) { return radiusAt(b.centre) < enough; });
    return CandidatePool(
        std::move(points), group,
        candidateOrbits(group, group.trivial() ? balls : someOf(balls, orbitPlaces), count, least_,
                        tolerance_,
                        [&](const Vec3& c) { return radiusAt(c) < radius ? 0.0 : radius; }));
  }

  /// For a share of the volume: greedily up to it, then one ball less as long as that is enough.
  std::vector<Ball> fewestInside(double ratio) {
    const SymmetryGroup group{body_.centre};
    double goal = ratio * body_.volume;  // of the union; what lies outside is added below
    CandidatePool pool = poolFor(group, 100);
    const InsideAscent ascent = ascentFor(group);
    InsideCover cover(pool, group, ascent, size_, options_.seed);
    while (cover.volume() < goal) {
      if (!cover.addBest(coverLimit))
        throw GeometryError(fmt::format(
            "volume ratio {}: {} balls inside reach {:.4f}; a smaller least radius allows more",
            ratio, cover.balls().size(), cover.volume() / body_.volume));
      report(0.3 * cover.volume() / goal);
    }
    cover.settle();
    while (options_.protrusion > 0.0) {
      goal = ratio * body_.volume + outside(cover.balls());
      if (cover.volume() >= goal || !cover.addBest(coverLimit)) break;
      cover.settle();
    }
    std::vector<Orbit> enough = cover.orbits();
    const std::size_t first = enough.size();
    while (enough.size() > 1) {
      cover.dropLeast();
      const double base = 1.0 - static_cast<double>(enough.size()) / static_cast<double>(first);
      cover.search(enough.size() - 1, options_.effort, goal,
                   [&](double done) { report(0.3 + 0.7 * std::max(base, done)); });
      if (cover.volume() < goal) break;
      if (options_.protrusion > 0.0) {
        goal = ratio * body_.volume + outside(cover.balls());
        if (cover.volume() < goal) break;
      }
      enough = cover.orbits();
    }
    return imagesOf(group, enough);
  }

  /// Volume of the union of the balls beyond the solid, at most.
  double outside(std::span<const Ball> balls) const {
    return volumeOutside(solid_, body_, balls, {.tolerance = 1e-5, .threads = options_.threads})
        .atMost;
  }

  Found bestFit(const SymmetryGroup& group, std::size_t count) {
    if (!field_) field_.emplace(solid_, size_ / 40.0, 0.1 * size_, options_.threads);
    OrbitSet set;
    const bool more = count > OrbitLadder::highest;
    if (group.trivial()) {
      set = searchFit(group, count, 0.0);
    } else {
      set =
          fitLadder(group).best(count, [&](double done) { reportPart(more ? 0.4 * done : done); });
      if (more)
        if (OrbitSet longer = searchFit(group, count, 0.4); longer.worth > set.worth)
          set = std::move(longer);
    }
    if (set.orbits.empty()) return {};
    if (options_.objective == CoverObjective::hausdorff)
      reduceDistance(solid_, *field_, group, set.orbits, size_, least_);
    if (options_.objective == CoverObjective::inertia)
      matchInertia(body_, group, set.orbits, 0.02 * size_, least_, options_.threads);
    return {imagesOf(group, set.orbits), set.worth};
  }

  FitLadder& fitLadder(const SymmetryGroup& group) {
    std::unique_ptr<FitLadder>& ladder = fitLadders_[group.maps.size()];
    if (ladder) return *ladder;
    std::vector<Ball> places;
    for (const Ball& ball : medial_)
      if (ball.radius >= std::min(0.03 * size_, 2.0 * least_)) places.push_back(ball);
    ladder = std::make_unique<FitLadder>(
        shared(options_.effort), group,
        candidateOrbits(group, someOf(places, orbitPlaces / 3), OrbitLadder::highest, least_,
                        tolerance_, [this](const Vec3& c) { return radiusAt(c); }),
        options_.equal);
    return *ladder;
  }

  OrbitSet searchFit(const SymmetryGroup& group, std::size_t count, double done) {
    Occupancy grid(solid_, spacing(fitCubes), 0.1 * size_, options_.threads);
    FitCover::Options options{.leastRadius = least_, .size = size_};
    std::vector<Ball> centres;
    if (options_.equal) {
      // Overlapping balls that fill the solid: their volumes add up to about twice its own.
      options.radius = elementary::cbrt(1.5 * body_.volume / (pi * static_cast<double>(count)));
      options.radius = std::max(options.radius, least_);
      for (const Vec3& place : volumePoints(solid_, spacing(fitPlaces)).places)
        if (radiusAt(place) > 0.4 * options.radius) centres.push_back({place, options.radius});
    }
    if (centres.empty())
      for (const Ball& ball : medial_)
        if (ball.radius >= std::min(0.03 * size_, 2.0 * least_)) centres.push_back(ball);
    // The gain of an orbit costs as much as all its balls.
    const std::vector<Ball> some = someOf(centres, group.trivial() ? fitPlaces : orbitPlaces / 3);
    const std::vector<Orbit> candidates =
        candidateOrbits(group, some, count, least_, tolerance_, [&](const Vec3& c) {
          const double radius = radiusAt(c);
          return options.radius > 0.0 && radius > 0.4 * options.radius ? options.radius : radius;
        });
    const RayVolumes rays(solid_, size_ / raysAcross, options_.threads);
    FitCover cover(*field_, candidates, group, grid, rays, options);
    Rng random(options_.seed);
    const double usual = fitRounds * static_cast<double>(std::min<std::size_t>(count, 24));
    const auto progress = [&](double part) { reportPart(done + (1.0 - done) * part); };
    const auto search = [&](double effort, double from, double share) {
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
    const bool several = options_.effort >= severalFrom && group.trivial() && !options_.equal;
    const int searches = several ? static_cast<int>(options_.effort / 3.0) : 1;
    std::vector<std::vector<Orbit>> sets;
    for (int k = 0; k < searches; ++k) {
      const double share = several ? 0.67 / searches : 1.0;
      cover.restart();
      if (!search(several ? 2.0 : options_.effort, share * k, share)) return {};
      sets.push_back(cover.orbits());
    }
    if (several)
      cover.recombine(std::move(sets), count, static_cast<int>(options_.effort * usual / 4.5),
                      random, [&](double part) { progress(0.67 + 0.3 * part); });
    cover.polish(solid_);
    return {.orbits = cover.orbits(), .worth = cover.iou()};
  }

  /// Equal balls without overlap: as many as requested at most, as large as that allows.
  std::vector<Ball> lattice() {
    double largest = 0.0;
    for (const Ball& ball : medial_) largest = std::max(largest, ball.radius);
    const auto enough = [&](const std::vector<Ball>& balls) {
      if (options_.spheres) return balls.size() > *options_.spheres;
      double volume = 0.0;
      for (const Ball& b : balls) volume += 4.0 / 3.0 * pi * b.radius * b.radius * b.radius;
      return volume >= *options_.volumeRatio * body_.volume;
    };
    // Smaller balls are more balls, and fill more: halve what lies between too few and enough.
    double few = largest, many = largest;
    std::vector<Ball> balls = latticeFill(solid_, few, options_.threads), last = balls;
    while (!enough(last)) {
      few = many;
      balls = last;
      many *= 0.7;
      if (many < least_)
        throw GeometryError(
            "equal balls without overlap do not reach the goal; a smaller least radius may help");
      last = latticeFill(solid_, many, options_.threads);
      if (last.size() > coverLimit && !options_.spheres)
        throw GeometryError(
            fmt::format("the goal is not reached with {} equal balls without overlap", coverLimit));
    }
    for (int round = 0; round < 12; ++round) {
      const double middle = 0.5 * (few + many);
      std::vector<Ball> there = latticeFill(solid_, middle, options_.threads);
      report(round / 12.0);
      if (enough(there)) {
        many = middle;
        last = std::move(there);
      } else {
        few = middle;
        balls = std::move(there);
      }
    }
    if (!options_.spheres) return last;
    if (balls.empty())
      throw GeometryError(fmt::format("no lattice has {} balls or fewer, but one, in the solid",
                                      *options_.spheres));
    return balls;
  }

  /// The least number of balls that reaches the goal: twice as many until it is reached, then
  /// halves of what is between.
  std::vector<Ball> fewest() {
    if (options_.inside && options_.volumeRatio && !options_.equal && symmetry_.trivial())
      return fewestInside(*options_.volumeRatio);
    std::size_t tooFew = 0, enough = 1;
    std::vector<Ball> balls = best(enough).balls;
    double nearest = INFINITY;
    int vain = 0;  // doublings that brought the goal no nearer
    while (!reached(balls)) {
      const double missing = missingBy(balls);
      if (enough >= 2 * symmetry_.maps.size() && missing > 0.98 * nearest) ++vain;
      if (missing < 0.98 * nearest) vain = 0;
      nearest = std::min(nearest, missing);
      if (vain == 2)
        throw GeometryError(fmt::format(
            "the goal is not reached with {} balls ({}), and more bring it no nearer; a smaller "
            "least radius may help",
            balls.size(), reachedBy(balls)));
      if (enough == coverLimit)
        throw GeometryError(fmt::format(
            "the goal is not reached with {} balls ({}); a smaller least radius may help",
            balls.size(), reachedBy(balls)));
      tooFew = enough;
      enough = std::min(2 * enough, coverLimit);
      std::vector<Ball> more = best(enough).balls;
      // Another orbit, which has as many balls as there are symmetries at most, had room.
      if (more.size() <= balls.size() && enough - more.size() >= symmetry_.maps.size())
        throw GeometryError(fmt::format(
            "the goal is not reached with {} balls ({}), and more add nothing; a smaller least "
            "radius may help",
            balls.size(), reachedBy(balls)));
      balls = std::move(more);
    }
    while (enough - tooFew > 1) {
      const std::size_t middle = tooFew + (enough - tooFew) / 2;
      std::vector<Ball> fewer = best(middle).balls;
      if (reached(fewer)) {
        enough = middle;
        balls = std::move(fewer);
      } else {
        tooFew = middle;
      }
    }
    return balls;
  }

  bool reached(const std::vector<Ball>& balls) const {
    const mass::SolidProperties all = solidOf(ballUnionMoments(balls, options_.threads));
    if (options_.volumeRatio)
      return all.volume - (options_.protrusion > 0.0 ? outside(balls) : 0.0) >=
             *options_.volumeRatio * body_.volume;
    if (options_.inertiaError) return inertiaErrorOf(body_, all) <= *options_.inertiaError;
    if (options_.hausdorff) {
      const double accuracy = 1e-3 * *options_.hausdorff;
      return uncoveredBy(solid_, balls, accuracy).atMost <= *options_.hausdorff &&
             protrudingFrom(solid_, balls, accuracy).atMost <= *options_.hausdorff;
    }
    if (options_.inside && options_.protrusion == 0.0)
      return all.volume >= *options_.iou * body_.volume;
    return coverQuality(solid_, body_, balls, {.threads = options_.threads}).iou.atLeast >=
           *options_.iou;
  }

  /// What the goal limits, as the balls have it.
  double valueOf(const std::vector<Ball>& balls) const {
    const mass::SolidProperties all = solidOf(ballUnionMoments(balls, options_.threads));
    if (options_.volumeRatio) return all.volume / body_.volume;
    if (options_.inertiaError) return inertiaErrorOf(body_, all);
    const CoverQuality q =
        coverQuality(solid_, body_, balls, {.tolerance = 1e-3, .threads = options_.threads});
    return options_.hausdorff ? q.hausdorff().atMost : q.iou.atLeast;
  }
  double missingBy(const std::vector<Ball>& balls) const {
    const double value = valueOf(balls);
    if (options_.volumeRatio) return *options_.volumeRatio - value;
    if (options_.iou) return *options_.iou - value;
    return value - (options_.hausdorff ? *options_.hausdorff : *options_.inertiaError);
  }
  std::string reachedBy(const std::vector<Ball>& balls) const {
    const char* name = options_.volumeRatio    ? "volume ratio"
                       : options_.inertiaError ? "inertia error"
                       : options_.hausdorff    ? "Hausdorff distance"
                                               : "IoU";
    return fmt::format("{} {:.4g}", name, valueOf(balls));
  }

  void reportPart(double done) const { report(part_.from + part_.share * done); }

  static constexpr std::size_t medialSamples = 6000, fitPlaces = 1200, equalPlaces = 3000,
                               orbitPlaces = 250;
  static constexpr double fitRounds = 4.0;      // for each orbit, of 24 at most
  static constexpr std::size_t equalRung = 12;  // balls up to which each radius has a ladder
  static constexpr double severalFrom = 8.0;    // effort
  const SolidDistance& solid_;
  const mass::SolidProperties& body_;
  const CoverOptions& options_;
  double size_, tolerance_, least_ = 0.0;
  SymmetryGroup symmetry_;
  std::vector<Ball> medial_;
  std::optional<DepthField> field_;
  // By the number of maps of the group, for all numbers of balls that a goal leads to.
  std::map<std::size_t, std::unique_ptr<FitLadder>> fitLadders_;
  std::map<std::size_t, std::unique_ptr<InsideLadder>> insideLadders_;
  struct {
    double from = 0.0, share = 1.0;
  } part_;  ///< of the work that the present search is
};

}  // namespace

std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options) {
  return Search(solid, body, options).run();
}

}  // namespace scree::clump
