// SPDX-License-Identifier: GPL-3.0-or-later
#include "inside_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scree::clump::detail {
namespace {

/// Towards the corners of an icosahedron, opposite ones side by side.
std::vector<Vec3> directions() {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Vec3> all;
  for (const double sign : {1.0, -1.0})
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 v = Vec3::Zero();
      v[axis] = 1.0;
      v[(axis + 1) % 3] = sign * golden;
      all.push_back(v.normalized());
      all.push_back(-all.back());
    }
  return all;
}

}  // namespace

InsideCover::InsideCover(const SolidDistance& solid, const std::vector<Ball>& candidates,
                         Occupancy& coarse, Occupancy& fine, double leastRadius)
    : solid_(solid),
      candidates_(candidates),
      coarse_(coarse),
      fine_(fine),
      leastRadius_(leastRadius),
      bound_(candidates.size(), std::numeric_limits<std::int64_t>::max() / 2) {}

InsideCover::Best InsideCover::bestCandidate() {
  constexpr std::size_t finalists = 6;  // of the coarse grid, compared on the fine one
  std::vector<std::uint32_t> heap(candidates_.size());
  std::iota(heap.begin(), heap.end(), 0U);
  const auto less = [this](std::uint32_t a, std::uint32_t b) {
    return bound_[a] != bound_[b] ? bound_[a] < bound_[b] : a > b;
  };
  std::make_heap(heap.begin(), heap.end(), less);
  std::vector<std::uint32_t> leaders;  // by falling gain
  while (!heap.empty() &&
         (leaders.size() < finalists || bound_[heap.front()] > bound_[leaders.back()])) {
    std::pop_heap(heap.begin(), heap.end(), less);
    const std::uint32_t k = heap.back();
    heap.pop_back();
    bound_[k] = coarse_.gain(candidates_[k]).in;
    leaders.insert(std::upper_bound(leaders.begin(), leaders.end(), k,
                                    [&](std::uint32_t a, std::uint32_t b) { return less(b, a); }),
                   k);
    if (leaders.size() > finalists) leaders.pop_back();
  }
  Best best;
  for (const std::uint32_t k : leaders)
    if (const std::int64_t gain = fine_.gain(candidates_[k]).in; gain > best.gain)
      best = {gain, candidates_[k]};
  return best;
}

void InsideCover::add(const Ball& ball) {
  coarse_.add(ball);
  fine_.add(ball);
}

void InsideCover::remove(const Ball& ball) {
  const std::int64_t loss = coarse_.loss(ball).in;
  coarse_.remove(ball);
  fine_.remove(ball);
  // A candidate gains at most what the ball alone covered, and only where they meet.
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const double reach = candidates_[k].radius + ball.radius;
    if ((candidates_[k].centre - ball.centre).squaredNorm() < reach * reach) bound_[k] += loss;
  }
}

bool InsideCover::addBest() {
  Best best = bestCandidate();
  if (best.gain == 0) return false;
  descend(best);
  add(best.ball);
  balls_.push_back(best.ball);
  return true;
}

void InsideCover::dropLeast() {
  std::size_t least = 0;
  std::int64_t loss = std::numeric_limits<std::int64_t>::max();
  for (std::size_t k = 0; k < balls_.size(); ++k)
    if (const std::int64_t here = fine_.loss(balls_[k]).in; here < loss) loss = here, least = k;
  remove(balls_[least]);
  balls_.erase(balls_.begin() + static_cast<std::ptrdiff_t>(least));
}

/// Pattern search: steps in fixed directions, each grown to a maximal ball; steps are halved once
/// none gains.
void InsideCover::descend(Best& best) const {
  static const std::vector<Vec3> towards = directions();
  double step = 0.3 * best.ball.radius;
  const double least = std::max(0.25 * fine_.spacing(), 0.02 * best.ball.radius);
  std::uint32_t guess = 0;
  std::size_t next = 0;  // the direction that gained last comes first
  while (step > least) {
    std::size_t tried = 0;
    for (; tried < towards.size(); ++tried) {
      const std::size_t k = (next + tried) % towards.size();
      const Ball ball = grownBall(solid_, best.ball.centre + step * towards[k], guess);
      if (!(ball.radius >= leastRadius_) || !(ball.radius > 0.0)) continue;
      if (const std::int64_t gain = fine_.gain(ball).in; gain > best.gain) {
        best = {gain, ball};
        next = k;
        break;
      }
    }
    if (tried == towards.size()) step *= 0.4;
  }
}

/// Replaces a ball and those that share most with it, all at once; takes the change back where it
/// covers less.
bool InsideCover::replaceGroup(std::size_t centre, std::size_t size) {
  const std::int64_t before = fine_.covered().in;
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const double apart = (balls_[k].centre - balls_[centre].centre).norm();
    near.push_back({apart - balls_[k].radius, k});
  }
  near[centre].first = -1e300;
  std::sort(near.begin(), near.end());
  near.resize(std::min(size, near.size()));
  std::vector<Ball> old;
  for (const auto& entry : near) {
    old.push_back(balls_[entry.second]);
    remove(old.back());
  }
  for (const auto& entry : near) {
    Best best = bestCandidate();
    if (best.gain > 0)
      descend(best);
    else
      best.ball = old[static_cast<std::size_t>(&entry - near.data())];
    balls_[entry.second] = best.ball;
    add(best.ball);
  }
  for (const auto& entry : near) move(entry.second, false);
  if (fine_.covered().in > before) return true;
  for (const auto& entry : near) remove(balls_[entry.second]);
  for (std::size_t k = 0; k < near.size(); ++k) {
    balls_[near[k].second] = old[k];
    add(old[k]);
  }
  return false;
}

/// Moves a ball to where it gains most, or exchanges it for the best candidate.
void InsideCover::move(std::size_t k, bool exchange) {
  Ball& ball = balls_[k];
  const std::int64_t loss = fine_.loss(ball).in;
  remove(ball);
  Best moved{loss, ball};
  descend(moved);
  if (exchange) {
    Best other = bestCandidate();
    if (other.gain > loss / 2) descend(other);
    if (other.gain > moved.gain) moved = other;
  }
  ball = moved.ball;
  add(ball);
}

void InsideCover::improve(double leastGain, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t before = fine_.covered().in;
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t k = 0; k < balls_.size(); ++k) order.push_back({fine_.loss(balls_[k]).in, k});
    std::sort(order.begin(), order.end());
    for (const auto& entry : order) move(entry.second, true);
    for (const auto& entry : order)
      for (std::size_t size = 2; size <= 3; ++size) replaceGroup(entry.second, size);
    if (static_cast<double>(fine_.covered().in - before) <
        leastGain * static_cast<double>(fine_.inside()))
      return;
  }
}

}  // namespace scree::clump::detail
