// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "model/contacts.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace scree::sim {

/// Finds the candidates of a many-contact pair that are due in a step. For a boulder that rolls,
/// 500 are listed, 100 are due, and 10 touch. Heights over the planes of a few faces, side by side
/// in memory, exclude the others without a branch. The contact geometry evaluates those due.
class ManyContactPair {
 public:
  static constexpr std::uint32_t fewest = 32,
                                 most = 4096;  ///< candidates of a pair that has planes

  ManyContactPair(PairPlanes& planes, const NeighbourPair& pair,
                  std::span<const Candidate> candidates, const BodyPose& a, const BodyPose& b,
                  double displacement);

  /// The first candidate, from place k on, that may touch; `most` if there is none.
  std::size_t next(std::size_t k) const {
    for (std::size_t word = k / 64; word < (count_ + 63) / 64; ++word) {
      const std::uint64_t left =
          due_[word] & (word == k / 64 ? ~std::uint64_t{0} << k % 64 : ~std::uint64_t{0});
      if (left) return 64 * word + static_cast<std::size_t>(std::countr_zero(left));
    }
    return most;
  }
  /// Records that candidate k has begun to touch.
  void begin(std::size_t k) { planes_.touched.push_back(static_cast<std::uint32_t>(k)); }
  /// [L] Sum of accumulated displacements at which the first candidate may touch, if none does now.
  double leastSkipUntil(std::span<const Candidate> candidates) const;

 private:
  PairPlanes& planes_;
  std::size_t count_;
  double displacement_;
  float least_ = HUGE_VALF;  ///< [L] lower bound of the gaps of all that planes exclude
  std::array<std::uint64_t, most / 64> due_;
  std::array<std::uint16_t, most> low_;  ///< candidates in groups that planes do not exclude
  std::uint32_t lowCount_ = 0;
};

/// Sorts the candidates of a pair by planes. @pre as many as ManyContactPair takes
void sortByPlanes(const ShapeGeometry& a, const ShapeGeometry& b,
                  std::span<const Candidate> candidates, PairPlanes& planes);

}  // namespace scree::sim
