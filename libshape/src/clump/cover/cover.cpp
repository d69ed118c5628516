// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/cover.hpp"

#include "base/elementary.hpp"
#include "search_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace scree::clump {
namespace {

using namespace detail;

constexpr std::size_t medialSamples = 6000;
constexpr std::size_t orbitPlaces = 250;    // medial balls from which orbits come, at most
constexpr std::size_t equalPlaces = 3000;   // of equal balls in the solid, at most
constexpr std::size_t fewBalls = 24;        // for which several first orbits are tried
constexpr double symmetryTolerance = 1e-5;  // of the size, by which a mesh may miss a symmetry
constexpr double rounding = 1e-9;           // of a given least radius, which may fit exactly

/// About `count` of the places, evenly spread over their order.
std::vector<Vec3> someOf(const std::vector<Vec3>& places, std::size_t count) {
  std::vector<Vec3> some;
  for (std::size_t k = 0; k < places.size(); k += places.size() / count + 1)
    some.push_back(places[k]);
  return some;
}

std::size_t ballsOf(const std::vector<Orbit>& orbits) {
  return std::accumulate(orbits.begin(), orbits.end(), std::size_t{0},
                         [](std::size_t sum, const Orbit& orbit) { return sum + orbit.size(); });
}

/// Orbits, and how good they are: volume inside, else the ratio of volumes.
struct Cover {
  std::vector<Orbit> orbits{};
  double worth = -1.0;
};

class Search {
 public:
  Search(const SolidDistance& solid, const mass::SolidProperties& body, const CoverOptions& options)
      : solid_(solid),
        body_(body),
        options_(options),
        size_(elementary::cbrt(body.volume)),
        least_(options.leastRadius > 0.0 ? options.leastRadius * (1.0 - rounding) : 0.01 * size_),
        group_(symmetryOf(solid, body, symmetryTolerance * size_)),
        grid_(solid, size_ / 40.0, 0.1 * size_ + std::min(options.leastRadius, 0.4 * size_),
              options.threads),
        points_(grid_.pointsInside()) {
    // Balls of a best fit may leave the solid: smaller ones grow to a given least radius.
    const bool grow = !options.inside && options.overlap && options.leastRadius > 0.0;
    smallest_ = grow ? 0.5 * least_ : least_;
    std::vector<Orbit> largest(1);
    for (const Ball& ball : medialBalls(solid, medialSamples, options.threads))
      if (ball.radius >= smallest_) {
        medial_.push_back(ball.centre);
        if (ball.radius > largest[0].ball.radius) largest[0].ball = ball;
      }
    if (medial_.empty() || points_.empty())
      throw GeometryError(fmt::format("the solid is too thin for balls of radius {:g}",
                                      std::max(options.leastRadius, least_)));
    fillInside(solid, {body.centre}, largest, {0.03 * size_, 1e-15 * size_, 300, 0.0},
               {.threads = options.threads});
    largest_ = largest[0].ball.radius;
  }

  std::vector<Ball> run() {
    if (!options_.overlap) return lattice();
    if (!options_.spheres) return fewest();
    Cover found = best(*options_.spheres);
    if (found.orbits.empty() && !group_.trivial()) {  // each orbit has more balls
      group_ = {body_.centre};
      pool_.reset();
      found = best(*options_.spheres);
    }
    return finished(std::move(found));
  }

 private:
  double radiusAt(const Vec3& centre) const { return solid_.depth(centre) * (1.0 - 1e-14); }
  void report(double done) const {
    if (options_.progress) options_.progress(std::clamp(done, 0.0, 1.0));
  }

  /// @param radius  [L] of equal balls; 0: as large as each can be
  CandidatePool poolOf(double radius) const {
    std::vector<Vec3> places = medial_;
    if (radius > 0.0) {
      for (const Vec3& place : someOf(points_, equalPlaces)) places.push_back(place);
      // A place may be too near to the surface, and the nearest one on a mirror plane not.
      std::erase_if(places, [&](const Vec3& p) { return radiusAt(p) < 0.9 * enough(radius); });
    }
    if (!group_.trivial() && !places.empty()) places = someOf(places, orbitPlaces);
    return {points_, group_,
            candidateOrbits(group_, places, 1e-4 * size_,
                            [&](const Vec3& centre) {
                              const double here = radiusAt(centre);
                              if (radius > 0.0) return here >= enough(radius) ? radius : 0.0;
                              return here >= smallest_ ? std::max(here, least_) : 0.0;
                            }),
            options_.threads};
  }
  /// [L] Depth of the centre of an equal ball, at least.
  double enough(double radius) const { return options_.inside ? radius : 0.4 * radius; }

  /// The pool for balls as large as each can be.
  CandidatePool& pool() {
    if (!pool_) pool_.emplace(poolOf(0.0));
    return *pool_;
  }

  /// Moves all balls together.
  void settle(Cover& cover) const {
    if (options_.inside) {
      cover.worth = fillInside(solid_, group_, cover.orbits, {0.03 * size_, 1e-6 * size_, 60, 1e-7},
                               moveOptions());
      return;
    }
    improveIou(grid_, group_, cover.orbits, moveOptions());
    cover.worth = grid_.iou(imagesOf(group_, cover.orbits));
  }
  MoveOptions moveOptions() const {
    return {size_, least_, options_.equal, options_.seed, options_.threads};
  }

  /// Adds the best candidates until there are `count` balls, or none gains.
  /// @param sizes  balls of the first orbits; any where there is none
  void fill(CandidatePool& pool, std::vector<Orbit>& orbits, std::size_t count,
            std::span<const std::size_t> sizes = {}) const {
    pool.cover(imagesOf(group_, orbits));
    for (std::size_t balls = ballsOf(orbits); balls < count; balls += orbits.back().size()) {
      const std::size_t k = orbits.size();
      const Orbit* const next = pool.takeBest(count - balls, k < sizes.size() ? sizes[k] : 0);
      if (!next) return;
      orbits.push_back(*next);
    }
  }

  /// Half of the balls, moved together, then the others. Under symmetries all at once.
  Cover grown(CandidatePool& pool, std::size_t count,
              std::span<const std::size_t> sizes = {}) const {
    Cover cover;
    fill(pool, cover.orbits, group_.trivial() ? (count + 1) / 2 : count, sizes);
    if (cover.orbits.empty()) return cover;
    settle(cover);
    const std::size_t before = cover.orbits.size();
    fill(pool, cover.orbits, count);
    if (cover.orbits.size() > before) settle(cover);
    return cover;
  }

  /// The best cover of at most `count` balls from a pool. For few, each size of the first two
  /// orbits is tried, since one ball in the centre may leave no room for a better pair.
  Cover best(CandidatePool& pool, std::size_t count) const {
    Cover best = grown(pool, count);
    if (group_.trivial() || count > fewBalls) return best;
    std::set<std::size_t> sizes;
    for (const Orbit& orbit : pool.candidates())
      if (orbit.size() <= count) sizes.insert(orbit.size());
    for (const std::size_t first : sizes)
      for (const std::size_t second : sizes)
        if (second == *sizes.begin() || first + second <= count)
          if (Cover here = grown(pool, count, std::array{first, second}); here.worth > best.worth)
            best = std::move(here);
    return best;
  }

  Cover best(std::size_t count) {
    if (!options_.equal) return best(pool(), count);
    // Overlapping balls that fill the solid: their volumes add up to about twice its own. Inside,
    // several radii up to the largest are tried.
    const double share = body_.volume / (pi * static_cast<double>(count));
    const double fit = std::max(least_, elementary::cbrt(1.5 * share));
    constexpr int radii = 14;
    const double from = std::max(least_, 0.5 * std::min(elementary::cbrt(0.75 * share), largest_));
    Cover best;
    for (int k = options_.inside ? 0 : radii; k <= radii; ++k) {
      const double off = 1.0 - k / double(radii);  // most radii are close to the largest
      const double radius =
          options_.inside ? (1.0 - 1e-6) * (largest_ - off * off * off * (largest_ - from)) : fit;
      CandidatePool pool = poolOf(radius);
      if (Cover here = this->best(pool, count); here.worth > best.worth) best = std::move(here);
      report(k / double(radii));
    }
    return best;
  }

  /// The balls of a cover by the objective, largest first, without those wholly inside others.
  std::vector<Ball> finished(Cover cover) const {
    if (options_.objective == CoverObjective::hausdorff)
      reduceDistance(solid_, grid_, group_, cover.orbits, moveOptions());
    if (options_.objective == CoverObjective::inertia)
      matchInertia(body_, group_, cover.orbits, moveOptions());
    std::vector<Ball> balls = imagesOf(group_, cover.orbits);
    if (options_.inside && !group_.trivial()) shrinkInto(balls);
    std::ranges::stable_sort(balls, std::greater(), &Ball::radius);
    // The margin is far above the rounding of images, so that those of one orbit go together.
    const double margin = 1e-12 * size_;
    std::vector<Ball> kept;
    for (const Ball& ball : balls)
      if (std::ranges::none_of(kept, [&](const Ball& other) {
            return (other.centre - ball.centre).norm() + ball.radius <= other.radius + margin;
          }))
        kept.push_back(ball);
    return kept;
  }

  /// A mesh may miss its symmetry by a little: images shrink to where they fit.
  void shrinkInto(std::vector<Ball>& balls) const {
    for (Ball& ball : balls) ball.radius = std::min(ball.radius, radiusAt(ball.centre));
    if (!options_.equal || balls.empty()) return;
    const double least = std::ranges::min_element(balls, {}, &Ball::radius)->radius;
    for (Ball& ball : balls) ball.radius = least;
  }

  /// The quantity that the goal limits, as the balls have it, and by how much it misses the goal.
  struct Reached {
    const char* name = "";
    double value = 0.0, missing = INFINITY;
  };
  /// @param worth  of the cover, which shows without a proof that an IoU is far away
  Reached reached(const std::vector<Ball>& balls, double worth) const {
    const mass::SolidProperties all = solidOf(ballUnionMoments(balls, options_.threads));
    const double ratio = all.volume / body_.volume;
    if (options_.volumeRatio) return {"volume ratio", ratio, *options_.volumeRatio - ratio};
    if (options_.inertiaError) {
      const double error = inertiaErrorOf(body_, all);
      return {"inertia error", error, error - *options_.inertiaError};
    }
    if (options_.iou && !options_.inside && worth < *options_.iou - 0.01)
      return {"IoU", worth, *options_.iou - worth};
    if (options_.iou) {
      const double iou =
          options_.inside
              ? ratio
              : coverQuality(solid_, body_, balls, {.threads = options_.threads}).iou.atLeast;
      return {"IoU", iou, *options_.iou - iou};
    }
    const double accuracy = 1e-3 * *options_.hausdorff;
    const double distance = std::max(uncoveredBy(solid_, balls, accuracy).atMost,
                                     protrudingFrom(solid_, balls, accuracy).atMost);
    return {"Hausdorff distance", distance, distance - *options_.hausdorff};
  }
  [[noreturn]] static void refuse(const Reached& at, const std::vector<Ball>& near) {
    throw GoalNotReached(
        fmt::format("the goal is not reached: {} balls have {} {:.4g}; a smaller least radius may "
                    "help",
                    near.size(), at.name, at.value),
        near);
  }

  /// For a goal: an eighth more balls until it is reached, all moved together each time, then one
  /// orbit less as long as that is enough. Ends where twice as many balls come no nearer (a
  /// Hausdorff distance: where 200 do not).
  std::vector<Ball> fewest() {
    Cover cover;
    std::vector<Ball> balls, near;
    Reached nearest;
    std::size_t tried = 0, gained = 0;  // numbers of balls; `gained`: the goal came nearer
    for (std::size_t count = 1;; count += 1 + count / 8) {
      const std::size_t before = cover.orbits.size();
      const std::size_t room = group_.maps.size();  // for any orbit
      const bool full = before > 0 && ballsOf(cover.orbits) + room <= tried;
      tried = count;
      // A largest distance falls in steps: several balls at one place are needed for the next.
      const std::size_t patience =
          std::max<std::size_t>(2 * (gained + room), options_.hausdorff ? 200 : 0);
      if (full || count > patience || count > coverLimit) refuse(nearest, near);
      if (options_.equal) {
        cover = best(count);
      } else {
        fill(pool(), cover.orbits, count);
        if (cover.orbits.size() > before) settle(cover);
      }
      if (cover.orbits.empty()) continue;
      balls = finished(cover);
      const Reached here = reached(balls, cover.worth);
      if (here.missing < 0.9 * nearest.missing) gained = count;
      if (here.missing < nearest.missing) nearest = here, near = balls;
      if (here.missing <= 0.0) break;
      report(1.0 - here.missing);
    }
    while (cover.orbits.size() > 1) {
      Cover less = options_.equal ? best(ballsOf(cover.orbits) - 1) : withoutOne(cover);
      std::vector<Ball> fewer = finished(less);
      if (fewer.empty() || reached(fewer, less.worth).missing > 0.0) break;
      cover = std::move(less);
      balls = std::move(fewer);
    }
    return balls;
  }
  /// The cover without the orbit whose loss costs least.
  Cover withoutOne(const Cover& cover) const {
    Cover best;
    for (std::size_t k = 0; k < cover.orbits.size(); ++k) {
      Cover rest = cover;
      rest.orbits.erase(rest.orbits.begin() + static_cast<std::ptrdiff_t>(k));
      rest.worth = grid_.iou(imagesOf(group_, rest.orbits));
      if (rest.worth > best.worth) best = std::move(rest);
    }
    settle(best);
    return best;
  }

  /// Balls of one radius on a face-centred cubic lattice inside the solid: of several positions of
  /// the lattice that with most of them.
  std::vector<Ball> latticeOf(double radius) const {
    constexpr double mostPlaces = 2e7;
    const double cell = std::sqrt(8.0) * radius;
    const Vec3 middle = 0.5 * (solid_.low() + solid_.high()), half = solid_.high() - middle;
    const Vec3 cells = (half / cell).array().ceil() + 1.0;
    if (!(32.0 * cells.prod() < mostPlaces))
      throw GeometryError(
          fmt::format("a lattice of balls of radius {:g} has too many places", radius));
    const int nx = static_cast<int>(cells.x()), ny = static_cast<int>(cells.y()),
              nz = static_cast<int>(cells.z());
    std::vector<Ball> most;
    for (const Vec3& shift : {Vec3(0, 0, 0), Vec3(.25, .25, .25), Vec3(.5, .5, .5), Vec3(.5, 0, 0),
                              Vec3(0, .5, 0), Vec3(0, 0, .5)}) {
      std::vector<Ball> balls;
      std::uint32_t guess = 0;
      for (int z = -nz; z <= nz; ++z)
        for (int y = -ny; y <= ny; ++y)
          for (int x = -nx; x <= nx; ++x)
            for (const Vec3& place :
                 {Vec3(0, 0, 0), Vec3(0, .5, .5), Vec3(.5, 0, .5), Vec3(.5, .5, 0)}) {
              const Vec3 centre = middle + cell * (Vec3(x, y, z) + place + shift);
              if (((centre - middle).cwiseAbs().array() > half.array()).any()) continue;
              const auto near = solid_.nearest(centre, guess);
              guess = near.triangle;
              if (near.depth >= radius) balls.push_back({centre, radius});
            }
      if (balls.size() > most.size()) most = std::move(balls);
    }
    return most;
  }

  /// Equal balls apart, of smaller and smaller radius: the lattice of most balls before one has
  /// more than `spheres`, or the first with the volume ratio.
  std::vector<Ball> lattice() const {
    constexpr double step = 0.98;
    const auto ratioOf = [&](const std::vector<Ball>& balls) {
      if (balls.empty()) return 0.0;
      const double r = balls.front().radius;
      return static_cast<double>(balls.size()) * 4.0 / 3.0 * pi * r * r * r / body_.volume;
    };
    std::vector<Ball> best;
    for (double radius = largest_; radius >= least_; radius *= step) {
      std::vector<Ball> balls = latticeOf(radius);
      if (balls.size() > options_.spheres.value_or(coverLimit)) break;
      if (options_.spheres ? balls.size() > best.size() : ratioOf(balls) > ratioOf(best))
        best = std::move(balls);
      if (!options_.spheres && ratioOf(best) >= *options_.volumeRatio) return best;
      report(ratioOf(best));
    }
    if (!options_.spheres) refuse({"volume ratio", ratioOf(best)}, best);
    if (best.empty())
      throw GeometryError(
          fmt::format("{} are too few equal balls without overlap: a lattice of the largest that "
                      "fit has more",
                      *options_.spheres));
    return best;
  }

  const SolidDistance& solid_;
  const mass::SolidProperties& body_;
  const CoverOptions& options_;
  double size_;               ///< [L] cube root of the volume
  double least_, smallest_;   ///< [L] least radius; of a medial ball
  double largest_ = 0.0;      ///< [L] radius of the largest ball inside that was found
  SymmetryGroup group_;       ///< under which the cover is sought
  std::vector<Vec3> medial_;  ///< [L] centres of balls that fit
  DepthGrid grid_;
  std::vector<Vec3> points_;  ///< [L] of the grid, in the solid
  std::optional<CandidatePool> pool_;
};

}  // namespace

std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options) {
  return Search(solid, body, options).run();
}

}  // namespace scree::clump
