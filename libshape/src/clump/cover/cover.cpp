// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/cover.hpp"

#include "base/elementary.hpp"
#include "candidate_pool.hpp"
#include "fit_descent.hpp"
#include "inside_ascent.hpp"
#include "lattice.hpp"
#include "samples.hpp"
#include "symmetry.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace scree::clump {
namespace {

using namespace detail;

constexpr std::size_t medialSamples = 6000;
constexpr std::size_t orbitPlaces = 250;    // medial balls from which orbits come, at most
constexpr std::size_t fewBalls = 24;        // for which many begins are tried
constexpr double poolCubes = 100'000;       // that fill the solid, to compare candidates
constexpr double equalPlaces = 3000;        // of equal balls in the solid, at most
constexpr double symmetryTolerance = 1e-5;  // of the size, by which a mesh may miss a symmetry
constexpr double rounding = 1e-9;           // of a given least radius, which may fit exactly

/// About `count` of the balls, evenly spread over their order.
std::vector<Ball> someOf(const std::vector<Ball>& balls, std::size_t count) {
  std::vector<Ball> some;
  for (std::size_t k = 0; k < balls.size(); k += balls.size() / count + 1) some.push_back(balls[k]);
  return some;
}

std::size_t ballsOf(const std::vector<Orbit>& orbits) {
  std::size_t sum = 0;
  for (const Orbit& orbit : orbits) sum += orbit.size();
  return sum;
}

/// Orbits, and how good they are: volume inside, else the ratio of volumes.
struct Cover {
  std::vector<Orbit> orbits{};
  double worth = -1.0;
};

/// One search for the cover of a solid.
class Search {
 public:
  Search(const SolidDistance& solid, const mass::SolidProperties& body, const CoverOptions& options)
      : solid_(solid),
        body_(body),
        options_(options),
        size_(elementary::cbrt(body.volume)),
        margin_(0.1 * size_),
        least_(options.leastRadius > 0.0 ? options.leastRadius * (1.0 - rounding) : 0.01 * size_),
        symmetry_(symmetryOf(solid, body.centre, symmetryTolerance * size_)),
        medial_(medialBalls(solid, medialSamples, options.threads)) {
    if (bestFit() && options.leastRadius > 0.0)
      raiseToLeast();
    else
      dropTooSmall();
  }

  std::vector<Ball> run() {
    try {
      if (options_.equal && !options_.overlap) {
        double largest = 0.0;
        for (const Ball& ball : medial_) largest = std::max(largest, ball.radius);
        return latticeCover(solid_, body_.volume, options_, largest, least_);
      }
      return largestFirst(options_.spheres ? best(*options_.spheres) : fewest());
    } catch (const GoalNotReached& e) {
      throw GoalNotReached(e.what(), largestFirst(e.balls()));
    }
  }

 private:
  bool bestFit() const { return !options_.inside && options_.overlap; }
  double radiusAt(const Vec3& centre) const { return solid_.depth(centre) * (1.0 - 1e-14); }
  void report(double done) const {
    if (options_.progress) options_.progress(std::min(done, 1.0));
  }

  void dropTooSmall() {
    const auto fits = [this](const Ball& ball) { return ball.radius >= least_; };
    if (std::none_of(medial_.begin(), medial_.end(), fits)) {
      const Ball largest = largestInside();
      if (!(largest.radius > 0.0)) throw GeometryError("no ball fits into the solid");
      if (!fits(largest))
        throw GeometryError(fmt::format(
            "the solid is too thin for balls of radius {:g}; the largest ball inside that was "
            "found has a radius of {:.9g}",
            options_.leastRadius > 0.0 ? options_.leastRadius : least_,
            largest.radius * (1.0 - 1e-8)));
      medial_.push_back(largest);
    }
    std::erase_if(medial_, [&](const Ball& ball) { return !fits(ball); });
  }

  /// Balls of a best fit may leave the solid. Smaller medial balls get the least radius, from half
  /// of it on, or from half the largest one.
  void raiseToLeast() {
    const double around = 0.5 * (solid_.high() - solid_.low()).norm();
    if (least_ > around)
      throw GeometryError(fmt::format(
          "a least radius of {:g} is too large: the whole solid lies in a ball of radius {:.9g}",
          options_.leastRadius, around));
    double largest = 0.0;
    for (const Ball& ball : medial_) largest = std::max(largest, ball.radius);
    if (!(largest > 0.0)) throw GeometryError("no ball fits into the solid");
    margin_ += std::clamp(least_ - largest, 0.0, 0.4 * size_);
    const double from = 0.5 * std::min(least_, largest);
    std::erase_if(medial_, [&](const Ball& ball) { return ball.radius < from; });
    for (Ball& ball : medial_) ball.radius = std::max(ball.radius, least_);
  }

  /// Climbs from the largest medial balls, and from the centre, which symmetry makes exact.
  Ball largestInside() const {
    std::vector<Ball> begins = medial_;
    std::stable_sort(begins.begin(), begins.end(),
                     [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
    begins.resize(std::min<std::size_t>(begins.size(), 8));
    begins.push_back({body_.centre, radiusAt(body_.centre)});
    const SymmetryGroup alone{body_.centre};
    Ball largest;
    for (const Ball& begin : begins) {
      if (!(begin.radius > 0.0)) continue;
      std::vector<Orbit> orbit{{begin}};
      InsideAscent(solid_, alone, {}, options_.threads)
          .climb(orbit, {0.03 * size_, 1e-15 * size_, 300, 0.0});
      if (orbit.front().ball.radius > largest.radius) largest = orbit.front().ball;
    }
    return largest;
  }

  const DepthGrid& depth() {
    if (!depth_) depth_.emplace(solid_, size_ / 40.0, margin_, options_.threads);
    return *depth_;
  }

  /// Candidates of a radius of their own. @param radius  [L] of equal balls; 0: as large as fits
  CandidatePool poolOf(const SymmetryGroup& group, double radius) {
    std::vector<Ball> balls = medial_;
    const double enough = options_.inside ? radius : 0.4 * radius;  // depth of the centre
    if (radius > 0.0) {
      const double cubes = size_ / elementary::cbrt(equalPlaces);
      std::vector<Ball> equal;
      for (const Vec3& place : volumePoints(solid_, cubes).places) equal.push_back({place, radius});
      for (const Ball& ball : medial_) equal.push_back({ball.centre, radius});
      // A place may be too near to the surface, and the nearest one on a mirror plane not.
      std::erase_if(equal, [&](const Ball& b) {
        return radiusAt(b.centre) < (group.trivial() ? enough : 0.9 * enough);
      });
      if (!equal.empty()) balls = std::move(equal);
    }
    if (!group.trivial()) balls = someOf(balls, orbitPlaces);
    return {points(), group, candidateOrbits(group, balls, 1e-4 * size_, [&](const Vec3& centre) {
              const double here = radiusAt(centre);
              if (radius > 0.0) return here >= enough ? radius : 0.0;
              if (!bestFit() || options_.leastRadius == 0.0) return here >= least_ ? here : 0.0;
              return here > 0.0 ? std::max(here, least_) : 0.0;
            })};
  }
  const VolumePoints& points() {
    if (!points_) points_ = volumePoints(solid_, size_ / elementary::cbrt(poolCubes));
    return *points_;
  }

  /// Moves all balls together. @param radius  [L] of equal balls inside. @returns their worth
  double settle(const SymmetryGroup& group, std::vector<Orbit>& orbits, double radius) {
    if (options_.inside)
      return InsideAscent(solid_, group, {least_, radius}, options_.threads)
          .climb(orbits, {0.03 * size_, 1e-6 * size_, 60, 1e-7});
    FitDescent(depth(), group, limits()).improveIou(orbits);
    return depth().iou(imagesOf(group, orbits));
  }
  FitDescent::Limits limits() const {
    return {size_, least_, options_.equal, options_.seed, options_.threads};
  }

  /// Adds the best candidates until there are `count` balls, or none gains.
  /// @param sizes  balls of the first orbits; any where there is none
  static void fill(CandidatePool& pool, const SymmetryGroup& group, std::vector<Orbit>& orbits,
                   std::size_t count, std::span<const std::size_t> sizes = {}) {
    for (;;) {
      const std::size_t balls = ballsOf(orbits), number = orbits.size();
      pool.cover(imagesOf(group, orbits));
      const Orbit* next = balls < count
                              ? pool.best(count - balls, number < sizes.size() ? sizes[number] : 0)
                              : nullptr;
      if (!next) return;
      orbits.push_back(*next);
    }
  }

  /// Half of the balls, moved together, then the others. Under symmetries all at once.
  Cover grown(CandidatePool& pool, const SymmetryGroup& group, std::size_t count, double radius,
              std::span<const std::size_t> sizes) {
    Cover cover;
    fill(pool, group, cover.orbits, group.trivial() ? (count + 1) / 2 : count, sizes);
    if (cover.orbits.empty()) return cover;
    cover.worth = settle(group, cover.orbits, radius);
    const std::size_t before = cover.orbits.size();
    fill(pool, group, cover.orbits, count);
    if (cover.orbits.size() > before) cover.worth = settle(group, cover.orbits, radius);
    return cover;
  }

  /// Takes the ball of least use away.
  static void dropOne(CandidatePool& pool, const SymmetryGroup& group, std::vector<Orbit>& orbits) {
    pool.cover(imagesOf(group, orbits));
    orbits.erase(std::ranges::min_element(orbits, {}, [&](const Orbit& orbit) {
      return pool.coveredAlone(imagesOf(group, {&orbit, 1}));
    }));
  }

  /// The best cover of at most `count` balls under a group. For few, each number that the first two
  /// orbits may have is tried, since one ball in the centre may leave no room for a better pair.
  Cover bestUnder(CandidatePool& pool, const SymmetryGroup& group, std::size_t count,
                  double radius) {
    std::set<std::size_t> sizes;
    for (const Orbit& orbit : pool.candidates())
      if (orbit.size() <= count) sizes.insert(orbit.size());
    Cover best;
    const bool oneBegin = count > fewBalls || !thorough_;
    if (oneBegin) best = grown(pool, group, count, radius, {});
    for (const std::size_t first : sizes)
      for (const std::size_t second : sizes) {
        if (oneBegin || (second != *sizes.begin() && first + second > count)) break;
        Cover here = grown(pool, group, count, radius, std::array{first, second});
        if (here.worth > best.worth) best = std::move(here);
      }
    return best;
  }

  /// Equal balls inside: for each of several radii the best places.
  Cover bestEqualInside(const SymmetryGroup& group, std::size_t count) {
    constexpr int radii = 14;
    const double largest = std::max(least_, largestInside().radius * (1.0 - 1e-6));
    const double filling =
        elementary::cbrt(3.0 * body_.volume / (4.0 * pi * static_cast<double>(count)));
    const double from = std::max(least_, 0.5 * std::min(filling, largest));
    Cover best;
    for (int k = 0; k <= radii; ++k) {
      const double radius =
          k == radii ? largest : from * elementary::pow(largest / from, k / double(radii));
      CandidatePool pool = poolOf(group, radius);
      Cover here = bestUnder(pool, group, count, radius);
      if (here.worth > best.worth) best = std::move(here);
      report(k / double(radii));
    }
    return best;
  }

  /// The best cover that a search with so many balls finds; fewer where no more are of use. It is
  /// as symmetric as the solid where such a cover has so few balls.
  std::vector<Ball> best(std::size_t count) {
    SymmetryGroup group = groupFor(symmetry_);
    Cover found = bestUnder(group, count);
    if (found.orbits.empty() && !group.trivial()) {
      group = {body_.centre};
      found = bestUnder(group, count);
    }
    if (options_.objective == CoverObjective::hausdorff)
      FitDescent(depth(), group, limits()).reduceDistance(solid_, found.orbits);
    if (options_.objective == CoverObjective::inertia)
      matchInertia(body_, group, found.orbits, 0.02 * size_, least_, options_.threads);
    std::vector<Ball> balls = imagesOf(group, found.orbits);
    if (options_.inside && !group.trivial()) shrinkInto(balls);
    dropSwallowed(balls);
    return balls;
  }
  Cover bestUnder(const SymmetryGroup& group, std::size_t count) {
    if (options_.equal && options_.inside) return bestEqualInside(group, count);
    // Overlapping balls that fill the solid: their volumes add up to about twice its own.
    const double radius =
        options_.equal
            ? std::max(least_,
                       elementary::cbrt(1.5 * body_.volume / (pi * static_cast<double>(count))))
            : 0.0;
    if (options_.equal) pools_.clear();
    const auto at = pools_.try_emplace(group.maps.size()).first;
    if (!at->second) at->second.emplace(poolOf(group, radius));
    return bestUnder(*at->second, group, count, radius);
  }

  /// Balls wholly inside others add nothing. The margin is far above the rounding of images, so
  /// that those of one orbit go together.
  void dropSwallowed(std::vector<Ball>& balls) const {
    const double margin = 1e-12 * size_;
    std::stable_sort(balls.begin(), balls.end(),
                     [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
    std::vector<Ball> kept;
    for (const Ball& ball : balls)
      if (std::none_of(kept.begin(), kept.end(), [&](const Ball& other) {
            return (other.centre - ball.centre).norm() + ball.radius <= other.radius + margin;
          }))
        kept.push_back(ball);
    balls = std::move(kept);
  }
  std::vector<Ball> largestFirst(std::vector<Ball> balls) const {
    dropSwallowed(balls);
    return balls;
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

  double volumeOf(std::span<const Ball> balls) const {
    return ballUnionMoments(balls, options_.threads).moments.m0;
  }
  /// The quantity that the goal limits, as the balls have it, and by how much it misses the goal.
  struct Reached {
    const char* name;
    double value, missing;
  };
  Reached reached(const std::vector<Ball>& balls) const {
    const auto atLeast = [](const char* name, double value, double goal) -> Reached {
      return {name, value, goal - value};
    };
    if (options_.volumeRatio)
      return atLeast("volume ratio", volumeOf(balls) / body_.volume, *options_.volumeRatio);
    if (options_.iou && options_.inside)
      return atLeast("IoU", volumeOf(balls) / body_.volume, *options_.iou);
    if (options_.iou)
      return atLeast("IoU",
                     coverQuality(solid_, body_, balls, {.threads = options_.threads}).iou.atLeast,
                     *options_.iou);
    if (options_.inertiaError) {
      const double error =
          inertiaErrorOf(body_, solidOf(ballUnionMoments(balls, options_.threads)));
      return {"inertia error", error, error - *options_.inertiaError};
    }
    const double accuracy = 1e-3 * *options_.hausdorff;
    const double distance = std::max(uncoveredBy(solid_, balls, accuracy).atMost,
                                     protrudingFrom(solid_, balls, accuracy).atMost);
    return {"Hausdorff distance", distance, distance - *options_.hausdorff};
  }
  [[noreturn]] void refuse(const std::vector<Ball>& near, const char* why) const {
    const Reached at = reached(near);
    throw GoalNotReached(
        fmt::format("the goal is not reached: {} balls have {} {:.4g}{}; a smaller least radius "
                    "may help",
                    near.size(), at.name, at.value, why),
        near);
  }

  /// The least number of balls that reaches the goal: twice as many until it is reached, then
  /// halves of what is between.
  std::vector<Ball> fewest() {
    if (options_.inside && options_.volumeRatio && !options_.equal && symmetry_.trivial())
      return fewestInside();
    std::size_t tooFew = 0, enough = 1;
    thorough_ = false;
    std::vector<Ball> balls = best(enough), near = balls;
    double nearest = INFINITY;
    int vain = 0;  // doublings that brought the goal no nearer
    for (double missing; (missing = reached(balls).missing) > 0.0;) {
      if (enough >= 2 * symmetry_.maps.size() && missing > 0.9 * nearest) ++vain;
      if (missing < 0.9 * nearest) vain = 0;
      if (missing < nearest) near = balls, nearest = missing;
      if (vain == 2) refuse(near, ", and more bring it no nearer");
      if (enough == coverLimit) refuse(near, "");
      tooFew = enough;
      enough = std::min(2 * enough, coverLimit);
      std::vector<Ball> more = best(enough);
      // Another orbit, which has as many balls as there are symmetries at most, had room.
      const bool full = enough - more.size() >= symmetry_.maps.size();
      if (full && more.size() <= balls.size()) refuse(near, ", and more add nothing");
      balls = std::move(more);
    }
    thorough_ = true;
    while (enough - tooFew > 1) {
      const std::size_t middle = tooFew + (enough - tooFew) / 2;
      std::vector<Ball> fewer = best(middle);
      if (reached(fewer).missing > 0.0) {
        tooFew = middle;
      } else {
        enough = middle;
        balls = std::move(fewer);
      }
    }
    return balls;
  }

  /// For a share of the volume: an eighth more balls until it is reached, all moved together each
  /// time, then one ball less as long as that is enough.
  std::vector<Ball> fewestInside() {
    const SymmetryGroup alone{body_.centre};
    CandidatePool pool = poolOf(alone, 0.0);
    const double goal = *options_.volumeRatio * body_.volume;
    Cover cover;
    while (cover.worth < goal) {
      const std::size_t before = cover.orbits.size();
      fill(pool, alone, cover.orbits, std::min(coverLimit, before + 1 + before / 8));
      if (cover.orbits.size() == before) refuse(imagesOf(alone, cover.orbits), "");
      cover.worth = settle(alone, cover.orbits, 0.0);
      report(0.3 * cover.worth / body_.volume);
    }
    const auto first = static_cast<double>(cover.orbits.size());
    while (cover.orbits.size() > 1) {
      Cover less = cover;
      dropOne(pool, alone, less.orbits);
      less.worth = settle(alone, less.orbits, 0.0);
      if (less.worth < goal) break;
      cover = std::move(less);
      report(1.0 - 0.7 * static_cast<double>(cover.orbits.size()) / first);
    }
    return imagesOf(alone, cover.orbits);
  }

  const SolidDistance& solid_;
  const mass::SolidProperties& body_;
  const CoverOptions& options_;
  double size_;             ///< [L] cube root of the volume
  double margin_;           ///< [L] by which the grid of a best fit reaches beyond the box
  double least_;            ///< [L] least radius
  bool thorough_ = true;    ///< many begins are tried for few balls
  SymmetryGroup symmetry_;  ///< of the solid
  std::vector<Ball> medial_;
  std::optional<DepthGrid> depth_;
  std::optional<VolumePoints> points_;
  /// By the number of maps of the group, for all numbers of balls that a goal leads to.
  std::map<std::size_t, std::optional<CandidatePool>> pools_;
};

}  // namespace

std::size_t symmetriesOf(const SolidDistance& solid, const mass::SolidProperties& body) {
  const double tolerance = symmetryTolerance * elementary::cbrt(body.volume);
  return symmetryOf(solid, body.centre, tolerance).maps.size();
}

std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options) {
  return Search(solid, body, options).run();
}

}  // namespace scree::clump
