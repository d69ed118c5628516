// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "samples.hpp"
#include "symmetry.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// Candidates for a cover, each with the volume that it would add to the balls that cover now.
///
/// Volumes are sums over points of the solid; a candidate holds its points as bits, 64 in a word.
class CandidatePool {
 public:
  CandidatePool(const VolumePoints& points, const SymmetryGroup& group,
                std::vector<Orbit> candidates);

  const std::vector<Orbit>& candidates() const { return candidates_; }

  /// Makes these the balls that cover.
  void cover(std::span<const Ball> balls);
  /// The candidate of at most `room` balls that gains most for each of its balls; none where none
  /// gains. @param size  only orbits of so many balls; 0: any
  const Orbit* best(std::size_t room, std::size_t size = 0) const;
  /// Volume, in smallest cubes, that one of these balls covers and no other ball does.
  std::int64_t coveredAlone(std::span<const Ball> balls) const;

 private:
  static constexpr std::size_t bits = 64;
  struct Word {
    std::uint32_t index;
    std::uint64_t held;
  };
  template <class F>
  void forEachIn(const Ball& ball, F&& f) const;

  std::vector<Vec3> places_;                ///< whole words of points of the same weight
  std::vector<std::int32_t> weight_;        ///< of a point of each word
  std::vector<std::array<Vec3, 2>> boxes_;  ///< of each word
  std::vector<std::uint64_t> all_, free_;   ///< points; those that no ball covers
  std::vector<std::uint16_t> count_;        ///< balls that cover a point
  std::vector<Orbit> candidates_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> first_;  ///< word of each candidate, and the end
};

}  // namespace scree::clump::detail
