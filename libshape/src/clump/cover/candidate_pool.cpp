// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_pool.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace scree::clump::detail {

CandidatePool::CandidatePool(VolumePoints points, const SymmetryGroup& group,
                             std::vector<Orbit> candidates)
    : total_(points.total), candidates_(std::move(candidates)) {
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
      free_.push_back(0);
    }
    free_.back() |= std::uint64_t{1} << (places_.size() % bits);
    places_.push_back(points.places[k]);
    boxes_.back()[0] = boxes_.back()[0].cwiseMin(points.places[k]);
    boxes_.back()[1] = boxes_.back()[1].cwiseMax(points.places[k]);
  }
  places_.resize(weight_.size() * bits, nowhere);
  count_.assign(places_.size(), 0);

  std::vector<std::uint64_t> held(weight_.size(), 0);
  for (const Orbit& candidate : candidates_) {
    first_.push_back(static_cast<std::uint32_t>(words_.size()));
    for (const Ball& ball : imagesOf(group, candidate))
      forEachIn(ball, [&](std::size_t k) { held[k / bits] |= std::uint64_t{1} << (k % bits); });
    std::int64_t volume = 0;
    for (std::uint32_t w = 0; w < held.size(); ++w) {
      if (held[w] == 0) continue;
      words_.push_back({w, held[w]});
      volume += static_cast<std::int64_t>(std::popcount(held[w])) * weight_[w];
      held[w] = 0;
    }
    bound_.push_back(volume);
  }
  first_.push_back(static_cast<std::uint32_t>(words_.size()));
  exact_.assign(candidates_.size(), 1);
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
  for (const Ball& ball : balls)
    forEachIn(ball, [&](std::size_t k) {
      if (count_[k]++ != 0) return;
      covered_ += weight_[k / bits];
      free_[k / bits] &= ~(std::uint64_t{1} << (k % bits));
    });
  if (!balls.empty()) std::fill(exact_.begin(), exact_.end(), char{0});
}

void CandidatePool::uncover(std::span<const Ball> balls) {
  for (const Ball& ball : balls) {
    const std::int64_t before = covered_;
    forEachIn(ball, [&](std::size_t k) {
      if (--count_[k] != 0) return;
      covered_ -= weight_[k / bits];
      free_[k / bits] |= std::uint64_t{1} << (k % bits);
    });
    const std::int64_t freed = before - covered_;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Ball& other = candidates_[c].ball;
      const double reach = other.radius + ball.radius;
      if (candidates_[c].size() > 1 || (other.centre - ball.centre).squaredNorm() < reach * reach) {
        bound_[c] += freed;
        exact_[c] = 0;
      }
    }
  }
}

std::int64_t CandidatePool::count(std::size_t candidate) const {
  std::int64_t sum = 0;
  for (std::uint32_t k = first_[candidate]; k < first_[candidate + 1]; ++k)
    sum += static_cast<std::int64_t>(std::popcount(words_[k].held & free_[words_[k].index])) *
           weight_[words_[k].index];
  return sum;
}

std::size_t CandidatePool::best(std::size_t room, double noise, Rng& random) {
  const auto worth = [&](std::size_t c) {
    return static_cast<double>(bound_[c]) / static_cast<double>(candidates_[c].size());
  };
  std::size_t best = candidates_.size();
  double most = 0.0;
  const auto refine = [&](std::size_t c) {
    if (candidates_[c].size() > room || !(worth(c) > (1.0 - noise) * most)) return;
    if (!exact_[c]) {
      bound_[c] = count(c);
      exact_[c] = 1;
    }
    if (worth(c) > most || (worth(c) == most && most > 0.0 && c < best)) most = worth(c), best = c;
  };
  // Those known to gain much first, so that few others need to be counted.
  std::size_t start = candidates_.size();
  std::int64_t largest = 0;
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (candidates_[c].size() <= room && bound_[c] > largest) largest = bound_[c], start = c;
  if (start == candidates_.size()) return start;
  refine(start);
  for (std::size_t c = 0; c < candidates_.size(); ++c) refine(c);
  if (noise == 0.0 || best == candidates_.size()) return best;
  const double enough = (1.0 - noise) * most;
  most = 0.0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (candidates_[c].size() > room || !exact_[c]) continue;
    double here = worth(c);
    if (!(here > enough)) continue;
    here *= 1.0 + noise * random.uniform();
    if (here > most) most = here, best = c;
  }
  return best;
}

std::size_t CandidatePool::bestOf(std::span<const std::uint32_t> kinds, std::uint32_t kind) {
  std::size_t best = candidates_.size();
  std::int64_t most = 0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (kinds[c] != kind || bound_[c] <= most) continue;
    if (!exact_[c]) {
      bound_[c] = count(c);
      exact_[c] = 1;
    }
    if (bound_[c] > most) most = bound_[c], best = c;
  }
  return best;
}

}  // namespace scree::clump::detail
