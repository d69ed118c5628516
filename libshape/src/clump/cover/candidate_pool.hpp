// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "orbit.hpp"
#include "volume_points.hpp"

#include "scree/base/rng.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// Candidates for a cover, each with the volume that it would add to the balls that cover now.
///
/// Volumes are sums over points; a candidate holds its points as bits, 64 in a word. What it would
/// add is known as a bound, and counted where the bound could make it the best. Bounds stay valid
/// while balls are added; where one goes, bounds of candidates that meet it grow by what is free.
class CandidatePool {
 public:
  CandidatePool(VolumePoints points, const SymmetryGroup& group, std::vector<Orbit> candidates);

  void cover(std::span<const Ball> balls);
  void uncover(std::span<const Ball> balls);  ///< balls that were covered before

  const std::vector<Orbit>& candidates() const { return candidates_; }
  std::int64_t covered() const { return covered_; }
  std::int64_t total() const { return total_; }
  /// The candidate of at most `room` balls that gains most for each of its balls; the number of
  /// candidates where none gains. With `noise`, one that gains at least that share less, by chance.
  std::size_t best(std::size_t room, double noise, Rng& random);
  /// The candidate of a kind that gains most. @param kinds  of all candidates
  std::size_t bestOf(std::span<const std::uint32_t> kinds, std::uint32_t kind);

 private:
  static constexpr std::size_t bits = 64;
  struct Word {
    std::uint32_t index;
    std::uint64_t held;
  };
  template <class F>
  void forEachIn(const Ball& ball, F&& f) const;
  std::int64_t count(std::size_t candidate) const;

  std::int64_t covered_ = 0, total_;
  std::vector<Vec3> places_;                ///< whole words of points of the same weight
  std::vector<std::int32_t> weight_;        ///< of a point of each word
  std::vector<std::array<Vec3, 2>> boxes_;  ///< of each word
  std::vector<std::uint64_t> free_;         ///< points that no ball covers
  std::vector<std::uint16_t> count_;        ///< balls that cover a point
  std::vector<Orbit> candidates_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> first_;  ///< word of each candidate, and the end
  std::vector<std::int64_t> bound_;   ///< of what a candidate gains
  std::vector<char> exact_;           ///< whether the bound is what it gains
};

}  // namespace scree::clump::detail
