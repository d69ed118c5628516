// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_cover.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree::clump::detail {
namespace {

/// Points spread evenly over the unit sphere: a spiral with the golden angle.
std::vector<Vec3> spiral(std::size_t count) {
  std::vector<Vec3> points;
  const double step = 0.5 * (3.0 - std::sqrt(5.0));  // [turns]
  for (std::size_t k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(count);
    const double across = std::sqrt(1.0 - z * z), turns = step * static_cast<double>(k);
    const double part = turns - std::floor(turns);
    points.emplace_back(across * cosOfTurns(part), across * sinOfTurns(part), z);
  }
  return points;
}

constexpr std::size_t samplesOnSphere = 320;

}  // namespace

FitCover::FitCover(const DepthField& depth, const std::vector<Ball>& candidates, Occupancy& grid,
                   double leastRadius, double size)
    : depth_(depth),
      candidates_(candidates),
      grid_(grid),
      leastRadius_(leastRadius),
      size_(size),
      directions_(spiral(samplesOnSphere)) {}

/// What a change of covered cubes is worth: cubes outside count against it.
double FitCover::value(const Occupancy::Count& count) const {
  return static_cast<double>(count.in) -
         std::max(0.5, grid_.iou()) * static_cast<double>(count.out);
}

bool FitCover::addBest(std::size_t stride) {
  Ball best;
  double most = 0.0;
  for (std::size_t k = balls_.size() % stride; k < candidates_.size(); k += stride)
    for (const double more : {0.0, 0.02}) {
      const Ball& candidate = candidates_[k];
      const Ball ball{candidate.centre, candidate.radius + more * size_};
      if (const double gain = value(grid_.gain(ball)); gain > most) most = gain, best = ball;
    }
  if (most == 0.0) return false;
  grid_.add(best);
  balls_.push_back(best);
  return true;
}

/// Slope of the ratio, but for a common factor, over centres and radii. @param blur  [L] depth over
/// which the weight goes from its value outside to that inside
void FitCover::slopes(double blur, std::vector<Slope>& out) const {
  const double outside = grid_.iou();
  out.assign(balls_.size(), {});
  std::vector<std::uint32_t> near;
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const Ball& ball = balls_[i];
    near.clear();
    for (std::size_t j = 0; j < balls_.size(); ++j) {
      const double reach = balls_[j].radius + ball.radius;
      if (j != i && (balls_[j].centre - ball.centre).squaredNorm() < reach * reach)
        near.push_back(static_cast<std::uint32_t>(j));
    }
    for (const Vec3& n : directions_) {
      const Vec3 x = ball.centre + ball.radius * n;
      const bool hidden = std::any_of(near.begin(), near.end(), [&](std::uint32_t j) {
        return (x - balls_[j].centre).squaredNorm() < balls_[j].radius * balls_[j].radius;
      });
      if (hidden) continue;
      const double d = std::clamp(depth_(x) / blur, -1.0, 1.0);
      const double weight = (d > 0.0 ? d : outside * d) * ball.radius * ball.radius;
      out[i].radius += weight;
      out[i].centre += weight * n;
    }
  }
}

void FitCover::replaceAll(std::vector<Ball> balls) {
  balls_ = std::move(balls);
  grid_.clear();
  for (const Ball& ball : balls_) grid_.add(ball);
}

void FitCover::remember() {
  if (grid_.iou() <= bestIou_) return;
  bestIou_ = grid_.iou();
  best_ = balls_;
}

void FitCover::settle() {
  if (!best_.empty()) replaceAll(best_);
}

void FitCover::descend(int steps, double firstStep) {
  constexpr double memory = 0.8, memory2 = 0.95;
  struct Average {
    std::array<double, 4> slope{}, square{};
  };
  std::vector<Average> average(balls_.size());
  std::vector<Slope> slope;
  double fade = 1.0, fade2 = 1.0;
  for (int step = 0; step < steps; ++step) {
    const double part = static_cast<double>(step) / static_cast<double>(steps);
    const double length = size_ * firstStep * (1.0 - 0.95 * part);
    slopes(size_ * std::max(0.003, 1.5 * firstStep * (1.0 - part)), slope);
    fade *= memory;
    fade2 *= memory2;
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const std::array<double, 4> g{slope[i].centre.x(), slope[i].centre.y(), slope[i].centre.z(),
                                    slope[i].radius};
      // One scale for the four numbers of a ball, so that the direction of the slope is kept.
      double square = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        average[i].slope[k] = memory * average[i].slope[k] + (1.0 - memory) * g[k];
        square += g[k] * g[k];
      }
      average[i].square[0] = memory2 * average[i].square[0] + (1.0 - memory2) * square;
      const double scale = std::sqrt(average[i].square[0] / (1.0 - fade2));
      if (!(scale > 0.0)) continue;
      const double by = length / ((1.0 - fade) * scale);
      for (int k = 0; k < 3; ++k)
        balls_[i].centre[k] += by * average[i].slope[static_cast<std::size_t>(k)];
      balls_[i].radius = std::max(leastRadius_, balls_[i].radius + by * average[i].slope[3]);
    }
    if (step % 10 == 9 || step + 1 == steps) {
      replaceAll(balls_);
      remember();
    }
  }
}

void FitCover::exchange(int rounds, Rng& random) {
  settle();
  std::vector<Ball> current = balls_;
  double currentIou = grid_.iou();
  for (int round = 0; round < rounds && balls_.size() > 1; ++round) {
    const std::size_t first =
        std::min(balls_.size() - 1,
                 static_cast<std::size_t>(random.uniform() * static_cast<double>(balls_.size())));
    const std::size_t group =
        std::min<std::size_t>(balls_.size() - 1, 1 + static_cast<std::size_t>(round) % 3);
    // Those whose surfaces come nearest to the centre of the first.
    const Vec3 middle = balls_[first].centre;
    std::stable_sort(balls_.begin(), balls_.end(), [&](const Ball& a, const Ball& b) {
      return (a.centre - middle).norm() - a.radius > (b.centre - middle).norm() - b.radius;
    });
    for (std::size_t k = 0; k < group; ++k) {
      grid_.remove(balls_.back());
      balls_.pop_back();
    }
    bool placed = true;
    for (std::size_t k = 0; k < group && placed; ++k) placed = addBest(3);
    if (placed) descend(100, 0.02);
    const double allowed = 0.003 * (1.0 - static_cast<double>(round) / static_cast<double>(rounds));
    if (placed && grid_.iou() > currentIou - allowed) {
      current = balls_;
      currentIou = grid_.iou();
    } else {
      replaceAll(current);
    }
  }
  settle();
}

}  // namespace scree::clump::detail
