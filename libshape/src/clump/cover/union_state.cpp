// SPDX-License-Identifier: GPL-3.0-or-later
#include "union_state.hpp"

#include "scree/base/parallel.hpp"

#include <utility>

namespace scree::clump::detail {
namespace {

bool meet(const Ball& a, const Ball& b) {
  const double reach = a.radius + b.radius;
  return (a.centre - b.centre).squaredNorm() < reach * reach;
}

VisiblePart partOf(const Ball& ball, std::span<const Ball> neighbours) {
  VisiblePart part;
  mass::ClippedBall<double> plain;
  if (plain.visible(ball, neighbours, part)) return part;
  mass::ClippedBall<scree::detail::DoubleDouble> fine;
  fine.visible(ball, neighbours, part);
  return part;
}

}  // namespace

UnionState::UnionState(std::vector<Ball> balls, int threads)
    : balls_(std::move(balls)), parts_(balls_.size()) {
  compute(std::vector<char>(balls_.size(), 0), threads);
}

UnionState UnionState::changedTo(std::vector<Ball> balls, std::span<const std::int32_t> from,
                                 int threads) const {
  UnionState next;
  next.balls_ = std::move(balls);
  next.parts_.resize(next.balls_.size());
  std::vector<char> stays(balls_.size(), 0), known(next.balls_.size(), 0);
  for (const std::int32_t k : from)
    if (k >= 0) stays[static_cast<std::size_t>(k)] = 1;
  std::vector<Ball> changed;
  for (std::size_t k = 0; k < balls_.size(); ++k)
    if (!stays[k]) changed.push_back(balls_[k]);
  for (std::size_t k = 0; k < next.balls_.size(); ++k)
    if (from[k] < 0) changed.push_back(next.balls_[k]);
  for (std::size_t k = 0; k < next.balls_.size(); ++k) {
    if (from[k] < 0) continue;
    bool near = false;
    for (std::size_t j = 0; j < changed.size() && !near; ++j)
      near = meet(next.balls_[k], changed[j]);
    if (near) continue;
    known[k] = 1;
    next.parts_[k] = parts_[static_cast<std::size_t>(from[k])];
  }
  next.compute(known, threads);
  return next;
}

/// Computes the parts that are not `known`, and sums all.
void UnionState::compute(std::span<const char> known, int threads) {
  parallelFor(threads, balls_.size(), [&](std::size_t i) {
    if (known[i]) return;
    std::vector<Ball> near;
    bool hidden = false;
    for (std::size_t j = 0; j < balls_.size(); ++j) {
      if (j == i || !meet(balls_[i], balls_[j])) continue;
      if (balls_[i].centre == balls_[j].centre)  // no plane lies between them
        hidden = hidden || balls_[i].radius < balls_[j].radius ||
                 (balls_[i].radius == balls_[j].radius && j < i);
      else
        near.push_back(balls_[j]);
    }
    parts_[i] = hidden ? VisiblePart{} : partOf(balls_[i], near);
  });
  volume_ = 0.0;
  for (const VisiblePart& part : parts_) volume_ += part.volume;
}

}  // namespace scree::clump::detail
