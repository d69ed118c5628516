// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/cover.hpp"

#include "base/elementary.hpp"
#include "cover/fit_cover.hpp"
#include "cover/inside_cover.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace scree::clump {
namespace {

using namespace detail;

constexpr double fineCubes = 300'000, coarseCubes = 20'000, fitCubes = 150'000;

/// One search: its grids and candidates, made once, and what it has to reach.
class Search {
 public:
  Search(const SolidDistance& solid, const mass::SolidProperties& body, const CoverOptions& options)
      : solid_(solid), body_(body), options_(options), size_(elementary::cbrt(body.volume)) {
    least_ = options.leastRadius > 0.0 ? options.leastRadius : 0.01 * size_;
  }

  std::vector<Ball> run() {
    std::vector<Ball> balls = options_.spheres ? best(*options_.spheres) : fewest();
    std::stable_sort(balls.begin(), balls.end(),
                     [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
    return balls;
  }

 private:
  double spacing(double cubes) const { return size_ / elementary::cbrt(cubes); }
  void report(double done) const {
    if (options_.progress) options_.progress(std::min(done, 1.0));
  }

  /// The best cover that a search with so many balls finds; fewer where no more are of use.
  std::vector<Ball> best(std::size_t count) {
    return options_.inside ? bestInside(count) : bestFit(count);
  }

  std::vector<Ball> bestInside(std::size_t count) {
    Occupancy coarse(solid_, spacing(coarseCubes), spacing(coarseCubes), options_.threads);
    Occupancy fine(solid_, spacing(fineCubes), spacing(fineCubes), options_.threads);
    InsideCover cover(solid_, insideCandidates(), coarse, fine, least_);
    while (cover.balls().size() < count && cover.addBest()) report(fraction(cover.balls(), count));
    requireBalls(cover.balls());
    cover.improve(5e-5, improvementRounds);
    return cover.balls();
  }

  /// For a share of the volume: greedily up to it, then one ball less as long as that is enough.
  std::vector<Ball> fewestInside(double ratio) {
    Occupancy coarse(solid_, spacing(coarseCubes), spacing(coarseCubes), options_.threads);
    Occupancy fine(solid_, spacing(fineCubes), spacing(fineCubes), options_.threads);
    InsideCover cover(solid_, insideCandidates(), coarse, fine, least_);
    while (cover.balls().empty() || !reached(cover.balls())) {
      if (cover.balls().size() == coverLimit || !cover.addBest()) {
        requireBalls(cover.balls());
        throw GeometryError(fmt::format(
            "volume ratio {}: {} balls inside reach {:.4f}; a smaller least radius allows more",
            ratio, cover.balls().size(), cover.coverage()));
      }
      report(0.3 * cover.coverage() / ratio);
    }
    std::vector<Ball> enough = cover.balls();
    const std::size_t first = enough.size();
    for (;;) {
      cover.improve(5e-5, improvementRounds);
      if (!reached(cover.balls())) return enough;
      enough = cover.balls();
      report(0.3 + 0.7 * std::min(1.0, 8.0 * static_cast<double>(first - enough.size() + 1) /
                                           static_cast<double>(first)));
      if (enough.size() == 1) return enough;
      cover.dropLeast();
    }
  }

  std::vector<Ball> bestFit(std::size_t count) {
    Occupancy grid(solid_, spacing(fitCubes), 0.1 * size_, options_.threads);
    if (!field_) field_.emplace(solid_, size_ / 40.0, 0.1 * size_, options_.threads);
    if (fitCandidates_.empty())
      fitCandidates_ = medialBalls(solid_, 1200, std::max(least_, 0.03 * size_), options_.threads);
    FitCover cover(*field_, fitCandidates_, grid, least_, size_);
    while (cover.balls().size() < count && cover.addBest())
      report(0.3 * fraction(cover.balls(), count));
    requireBalls(cover.balls());
    cover.descend(300, 0.02);
    Rng random(options_.seed);
    const int rounds = 5 * static_cast<int>(std::min<std::size_t>(count, 24));
    for (int done = 0; done < rounds; done += 20) {
      cover.exchange(20, random);
      report(0.3 + 0.7 * static_cast<double>(done + 20) / static_cast<double>(rounds));
    }
    cover.descend(300, 0.005);
    cover.settle();
    return cover.balls();
  }

  /// The least number of balls that reaches the goal: twice as many until it is reached, then
  /// halves of what is between.
  std::vector<Ball> fewest() {
    if (options_.inside && options_.volumeRatio) return fewestInside(*options_.volumeRatio);
    std::size_t tooFew = 0, enough = 1;
    std::vector<Ball> balls = best(enough);
    while (!reached(balls)) {
      if (enough == coverLimit || balls.size() < enough)
        throw GeometryError(
            fmt::format("the goal is not reached with {} balls; a smaller least radius may help",
                        balls.size()));
      tooFew = enough;
      enough = std::min(2 * enough, coverLimit);
      balls = best(enough);
    }
    while (enough - tooFew > 1) {
      const std::size_t middle = tooFew + (enough - tooFew) / 2;
      std::vector<Ball> fewer = best(middle);
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
    if (options_.volumeRatio) return all.volume >= *options_.volumeRatio * body_.volume;
    if (options_.inertiaError) return inertiaErrorOf(body_, all) <= *options_.inertiaError;
    if (options_.hausdorff) {
      const double accuracy = 1e-3 * *options_.hausdorff;
      return uncoveredBy(solid_, balls, accuracy).atMost <= *options_.hausdorff &&
             protrudingFrom(solid_, balls, accuracy).atMost <= *options_.hausdorff;
    }
    if (options_.inside) return all.volume >= *options_.iou * body_.volume;
    return coverQuality(solid_, body_, balls, {.threads = options_.threads}).iou.atLeast >=
           *options_.iou;
  }

  const std::vector<Ball>& insideCandidates() {
    if (insideCandidates_.empty())
      insideCandidates_ = medialBalls(solid_, 6000, least_, options_.threads);
    return insideCandidates_;
  }
  void requireBalls(const std::vector<Ball>& balls) const {
    if (balls.empty())
      throw GeometryError(
          fmt::format("no ball of radius {:g} or more fits into the solid", least_));
  }
  static double fraction(const std::vector<Ball>& balls, std::size_t count) {
    return static_cast<double>(balls.size()) / static_cast<double>(count);
  }

  static constexpr int improvementRounds = 4;
  const SolidDistance& solid_;
  const mass::SolidProperties& body_;
  const CoverOptions& options_;
  double size_, least_;
  std::vector<Ball> insideCandidates_, fitCandidates_;
  std::optional<DepthField> field_;
};

}  // namespace

std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options) {
  return Search(solid, body, options).run();
}

}  // namespace scree::clump
