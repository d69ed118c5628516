// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_pool.hpp"

#include <algorithm>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t runLength = 32;  // points that share a box

}  // namespace

CandidatePool::CandidatePool(VolumePoints points, const SymmetryGroup& group,
                             std::vector<Orbit> candidates)
    : points_(std::move(points)),
      candidates_(std::move(candidates)),
      holders_(points_.places.size()),
      gain_(candidates_.size(), 0),
      count_(points_.places.size(), 0) {
  for (std::size_t first = 0; first < points_.places.size(); first += runLength) {
    std::array<Vec3, 2> box{points_.places[first], points_.places[first]};
    const std::size_t end = std::min(first + runLength, points_.places.size());
    for (std::size_t k = first; k < end; ++k) {
      box[0] = box[0].cwiseMin(points_.places[k]);
      box[1] = box[1].cwiseMax(points_.places[k]);
    }
    boxes_.push_back(box);
  }
  for (std::uint32_t c = 0; c < candidates_.size(); ++c)
    for (const Ball& ball : imagesOf(group, candidates_[c]))
      forEachIn(ball, [&](std::size_t k) {
        if (!holders_[k].empty() && holders_[k].back() == c) return;  // in two of its balls
        holders_[k].push_back(c);
        gain_[c] += points_.weights[k];
      });
}

template <class F>
void CandidatePool::forEachIn(const Ball& ball, F&& f) const {
  const double square = ball.radius * ball.radius;
  for (std::size_t run = 0; run < boxes_.size(); ++run) {
    const Vec3 nearest = ball.centre.cwiseMax(boxes_[run][0]).cwiseMin(boxes_[run][1]);
    if ((nearest - ball.centre).squaredNorm() >= square) continue;
    const std::size_t end = std::min((run + 1) * runLength, points_.places.size());
    for (std::size_t k = run * runLength; k < end; ++k)
      if ((points_.places[k] - ball.centre).squaredNorm() < square) f(k);
  }
}

void CandidatePool::cover(std::span<const Ball> balls) {
  for (const Ball& ball : balls)
    forEachIn(ball, [&](std::size_t k) {
      if (count_[k]++ != 0) return;
      covered_ += points_.weights[k];
      for (const std::uint32_t c : holders_[k]) gain_[c] -= points_.weights[k];
    });
}

void CandidatePool::uncover(std::span<const Ball> balls) {
  for (const Ball& ball : balls)
    forEachIn(ball, [&](std::size_t k) {
      if (--count_[k] != 0) return;
      covered_ -= points_.weights[k];
      for (const std::uint32_t c : holders_[k]) gain_[c] += points_.weights[k];
    });
}

}  // namespace scree::clump::detail
