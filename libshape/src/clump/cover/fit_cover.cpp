// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_cover.hpp"

#include "even_directions.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t samplesOnSphere = 320;
// One ball of n adds about 3/n² to the ratio. Early rounds may keep a loss of a tenth of that.
constexpr double warmth = 0.3;

}  // namespace

FitCover::FitCover(const DepthField& depth, const std::vector<Orbit>& candidates,
                   const SymmetryGroup& group, Occupancy& grid, const Options& options)
    : depth_(depth),
      candidates_(candidates),
      group_(group),
      grid_(grid),
      options_(options),
      directions_(evenDirections(samplesOnSphere)) {}

/// What a change of covered cubes is worth: cubes outside count against it.
double FitCover::value(const Occupancy::Count& count) const {
  return static_cast<double>(count.in) -
         std::max(0.5, grid_.iou()) * static_cast<double>(count.out);
}

/// What an orbit would be worth, for each of its balls.
double FitCover::gain(const Orbit& orbit) {
  if (orbit.size() == 1) return value(grid_.gain(orbit.ball));
  const Occupancy::Count before = grid_.covered();
  const std::vector<Ball> images = imagesOf(group_, orbit);
  for (const Ball& image : images) grid_.add(image);
  const Occupancy::Count after = grid_.covered();
  for (const Ball& image : images) grid_.remove(image);
  return value({after.in - before.in, after.out - before.out}) / static_cast<double>(images.size());
}

void FitCover::add(const Orbit& orbit) {
  for (const Ball& image : imagesOf(group_, orbit)) grid_.add(image);
  orbits_.push_back(orbit);
  count_ += orbit.size();
}

bool FitCover::addBest(std::size_t count, std::size_t stride) {
  Orbit best;
  double most = 0.0;
  for (std::size_t k = orbits_.size() % stride; k < candidates_.size(); k += stride)
    for (const double more : {0.0, 0.02}) {
      if (count_ + candidates_[k].size() > count) continue;
      Orbit orbit = candidates_[k];
      if (options_.radius > 0.0) {
        if (more > 0.0) continue;
        orbit.ball.radius = options_.radius;
      } else {
        orbit.ball.radius += more * options_.size;
      }
      if (const double here = gain(orbit); here > most) most = here, best = std::move(orbit);
    }
  if (most == 0.0) return false;
  add(best);
  return true;
}

/// Slope of the ratio, but for a common factor, over centres and radii. @param blur  [L] depth over
/// which the weight goes from its value outside to that inside
template <class Depth>
void FitCover::slopes(double blur, const std::vector<char>& active, Depth&& depth,
                      std::vector<Slope>& out) const {
  const double outside = grid_.iou();
  out.assign(orbits_.size(), {});
  const std::vector<Ball> balls = imagesOf(group_, orbits_);
  std::vector<const Ball*> near;
  for (std::size_t i = 0, first = 0; i < orbits_.size(); first += orbits_[i++].size()) {
    if (!active.empty() && !active[i]) continue;
    const Ball& ball = balls[first];
    near.clear();
    for (std::size_t j = 0; j < balls.size(); ++j) {
      const double reach = balls[j].radius + ball.radius;
      if (j != first && (balls[j].centre - ball.centre).squaredNorm() < reach * reach)
        near.push_back(&balls[j]);
    }
    for (const Vec3& n : directions_) {
      const Vec3 x = ball.centre + ball.radius * n;
      bool hidden = false;
      for (std::size_t k = 0; k < near.size() && !hidden; ++k) {
        hidden = (x - near[k]->centre).squaredNorm() < near[k]->radius * near[k]->radius;
        // The next direction is close by: the same ball hides it as a rule.
        if (hidden) std::swap(near[0], near[k]);
      }
      if (hidden) continue;
      const double d = std::clamp(depth(x, first) / blur, -1.0, 1.0);
      const double weight = (d > 0.0 ? d : outside * d) * ball.radius * ball.radius;
      out[i].radius += weight;
      out[i].centre += weight * n;
    }
    out[i].centre = orbits_[i].moves * out[i].centre;
  }
  if (options_.radius == 0.0) return;
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < orbits_.size(); ++i) {
    sum += static_cast<double>(orbits_[i].size()) * out[i].radius;
    count += static_cast<double>(orbits_[i].size());
  }
  for (Slope& slope : out) slope.radius = sum / count;
}

void FitCover::replaceAll(std::vector<Orbit> orbits) {
  orbits_ = std::move(orbits);
  grid_.clear();
  count_ = 0;
  for (const Orbit& orbit : orbits_) {
    for (const Ball& image : imagesOf(group_, orbit)) grid_.add(image);
    count_ += orbit.size();
  }
}

void FitCover::remember() {
  if (grid_.iou() <= bestIou_) return;
  bestIou_ = grid_.iou();
  best_ = orbits_;
}

void FitCover::settle() {
  if (best_.empty()) return;
  replaceAll(best_);
  if (options_.radius > 0.0) options_.radius = orbits_.front().ball.radius;
}

void FitCover::descend(int steps, double firstStep, const std::vector<char>& active) {
  follow(
      steps, firstStep, 0.003, active, [this](const Vec3& x, std::size_t) { return depth_(x); },
      true);
}

void FitCover::polish(const SolidDistance& solid) {
  directions_ = evenDirections(2 * samplesOnSphere);
  std::vector<std::uint32_t> guess(count_, 0);
  follow(
      60, 0.004, 5e-4, {},
      [&](const Vec3& x, std::size_t ball) {
        const auto near = solid.nearest(x, guess[ball]);
        guess[ball] = near.triangle;
        return near.depth;
      },
      false);
}

/// Adam along the slope. @param ranking  whether the grid says which balls are the best so far
template <class Depth>
void FitCover::follow(int steps, double firstStep, double leastBlur,
                      const std::vector<char>& active, Depth&& depth, bool ranking) {
  constexpr double memory = 0.8, memory2 = 0.95;
  struct Average {
    std::array<double, 4> slope{};
    double square = 0.0;
  };
  std::vector<Average> average(orbits_.size());
  std::vector<Slope> slope;
  double fade = 1.0, fade2 = 1.0;
  for (int step = 0; step < steps; ++step) {
    const double part = static_cast<double>(step) / static_cast<double>(steps);
    const double length = options_.size * firstStep * (1.0 - 0.95 * part);
    slopes(options_.size * std::max(leastBlur, 1.5 * firstStep * (1.0 - part)), active, depth,
           slope);
    fade *= memory;
    fade2 *= memory2;
    double common = 0.0;  // change of the radius where all have the same
    for (std::size_t i = 0; i < orbits_.size(); ++i) {
      const std::array<double, 4> g{slope[i].centre.x(), slope[i].centre.y(), slope[i].centre.z(),
                                    slope[i].radius};
      // One scale for the four numbers of a ball, so that the direction of the slope is kept.
      double square = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        average[i].slope[k] = memory * average[i].slope[k] + (1.0 - memory) * g[k];
        square += g[k] * g[k];
      }
      average[i].square = memory2 * average[i].square + (1.0 - memory2) * square;
      const double scale = std::sqrt(average[i].square / (1.0 - fade2));
      if (!(scale > 0.0)) continue;
      const double by = length / ((1.0 - fade) * scale);
      Ball& ball = orbits_[i].ball;
      for (int k = 0; k < 3; ++k)
        ball.centre[k] += by * average[i].slope[static_cast<std::size_t>(k)];
      if (options_.radius > 0.0)
        common += by * average[i].slope[3] / static_cast<double>(orbits_.size());
      else
        ball.radius = std::max(options_.leastRadius, ball.radius + by * average[i].slope[3]);
    }
    if (options_.radius > 0.0) {
      options_.radius = std::max(options_.leastRadius, options_.radius + common);
      for (Orbit& orbit : orbits_) orbit.ball.radius = options_.radius;
    }
    if (step % 10 == 9 || step + 1 == steps) {
      replaceAll(std::move(orbits_));
      if (ranking) remember();
    }
  }
}

void FitCover::exchange(std::size_t count, int rounds, Rng& random,
                        FunctionRef<void(double)> progress) {
  settle();
  std::vector<Orbit> current = orbits_;
  double currentIou = grid_.iou();
  const double mostLoss = warmth / (static_cast<double>(count) * static_cast<double>(count));
  for (int round = 0; round < rounds && orbits_.size() > 1; ++round) {
    const double share = static_cast<double>(round) / static_cast<double>(rounds);
    progress(share);
    const std::size_t first =
        std::min(orbits_.size() - 1,
                 static_cast<std::size_t>(random.uniform() * static_cast<double>(orbits_.size())));
    const std::size_t group =
        std::min<std::size_t>(orbits_.size() - 1, 1 + static_cast<std::size_t>(round) % 3);
    // Those whose surfaces come nearest to the centre of the first.
    const Vec3 middle = orbits_[first].ball.centre;
    std::stable_sort(orbits_.begin(), orbits_.end(), [&](const Orbit& a, const Orbit& b) {
      return (a.ball.centre - middle).norm() - a.ball.radius >
             (b.ball.centre - middle).norm() - b.ball.radius;
    });
    for (std::size_t k = 0; k < group; ++k) {
      for (const Ball& image : imagesOf(group_, orbits_.back())) grid_.remove(image);
      count_ -= orbits_.back().size();
      orbits_.pop_back();
    }
    const std::size_t kept = orbits_.size();
    while (addBest(count, 3)) {
    }
    // Many balls: those far away stay where they are.
    std::vector<char> active;
    if (orbits_.size() > 24) {
      active.assign(orbits_.size(), 1);
      for (std::size_t k = 0; k < kept; ++k) {
        const double away = (orbits_[k].ball.centre - middle).norm() - orbits_[k].ball.radius;
        active[k] = away < 0.35 * options_.size;
      }
    }
    descend(100, 0.02, active);
    if (grid_.iou() > currentIou - mostLoss * (1.0 - share)) {
      current = orbits_;
      currentIou = grid_.iou();
    } else {
      replaceAll(current);
      if (options_.radius > 0.0) options_.radius = orbits_.front().ball.radius;
    }
  }
  settle();
}

}  // namespace scree::clump::detail
