// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_pool.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace scree::clump::detail {

CandidatePool::CandidatePool(const VolumePoints& points, const SymmetryGroup& group,
                             std::vector<Orbit> candidates)
    : candidates_(std::move(candidates)) {
  // Points of one weight stand together, close ones next to each other, in whole words.
  std::vector<std::uint32_t> order(points.places.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return points.weights[a] > points.weights[b];
  });
  const Vec3 nowhere = Vec3::Constant(1e150);
  for (const std::uint32_t k : order) {
    if (places_.size() % bits != 0 && weight_.back() != points.weights[k])
      places_.resize((places_.size() / bits + 1) * bits, nowhere);
    if (places_.size() % bits == 0) {
      weight_.push_back(points.weights[k]);
      boxes_.push_back({points.places[k], points.places[k]});
      all_.push_back(0);
    }
    all_.back() |= std::uint64_t{1} << (places_.size() % bits);
    places_.push_back(points.places[k]);
    boxes_.back()[0] = boxes_.back()[0].cwiseMin(points.places[k]);
    boxes_.back()[1] = boxes_.back()[1].cwiseMax(points.places[k]);
  }
  places_.resize(weight_.size() * bits, nowhere);

  std::vector<std::uint64_t> held(weight_.size(), 0);
  for (const Orbit& candidate : candidates_) {
    first_.push_back(static_cast<std::uint32_t>(words_.size()));
    for (const Ball& ball : imagesOf(group, {&candidate, 1}))
      forEachIn(ball, [&](std::size_t k) { held[k / bits] |= std::uint64_t{1} << (k % bits); });
    for (std::uint32_t w = 0; w < held.size(); ++w)
      if (held[w] != 0) words_.push_back({w, std::exchange(held[w], 0)});
  }
  first_.push_back(static_cast<std::uint32_t>(words_.size()));
  cover({});
}

template <class F>
void CandidatePool::forEachIn(const Ball& ball, F&& f) const {
  const double square = ball.radius * ball.radius;
  for (std::size_t word = 0; word < boxes_.size(); ++word) {
    const Vec3 nearest = ball.centre.cwiseMax(boxes_[word][0]).cwiseMin(boxes_[word][1]);
    if ((nearest - ball.centre).squaredNorm() >= square) continue;
    for (std::size_t k = word * bits; k < (word + 1) * bits; ++k)
      if ((places_[k] - ball.centre).squaredNorm() < square) f(k);
  }
}

void CandidatePool::cover(std::span<const Ball> balls) {
  free_ = all_;
  count_.assign(places_.size(), 0);
  for (const Ball& ball : balls)
    forEachIn(ball, [&](std::size_t k) {
      ++count_[k];
      free_[k / bits] &= ~(std::uint64_t{1} << (k % bits));
    });
}

const Orbit* CandidatePool::best(std::size_t room, std::size_t size) const {
  const Orbit* best = nullptr;
  double most = 0.0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    const std::size_t balls = candidates_[c].size();
    if (balls > room || (size > 0 && balls != size)) continue;
    std::int64_t gain = 0;
    for (std::uint32_t k = first_[c]; k < first_[c + 1]; ++k)
      gain += static_cast<std::int64_t>(std::popcount(words_[k].held & free_[words_[k].index])) *
              weight_[words_[k].index];
    if (const double each = static_cast<double>(gain) / static_cast<double>(balls); each > most)
      most = each, best = &candidates_[c];
  }
  return best;
}

std::int64_t CandidatePool::coveredAlone(std::span<const Ball> balls) const {
  std::int64_t volume = 0;
  for (const Ball& ball : balls)
    forEachIn(ball, [&](std::size_t k) { volume += count_[k] == 1 ? weight_[k / bits] : 0; });
  return volume;
}

}  // namespace scree::clump::detail
