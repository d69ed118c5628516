// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "model/contacts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace scree::sim {

/// The awake candidates of a row that has very many: 500 are listed for a boulder that rolls, 100
/// have a gap that is shorter than their sleep was, 10 touch. Heights over the planes of a few
/// faces, side by side in memory, tell nearly all of them apart without a branch; what is left is
/// for the geometry to look at.
class CrowdedRow {
 public:
  static constexpr std::uint32_t fewest = 32, most = 4096;  ///< candidates of a row that has planes

  CrowdedRow(RowPlanes& planes, const PairRow& row, std::span<const Candidate> candidates,
             const Placed& a, const Placed& b, double path);

  /// The first candidate, from place k on, that may touch; `most` if there is none.
  std::size_t next(std::size_t k) const {
    for (std::size_t word = k / 64; word < (count_ + 63) / 64; ++word) {
      const std::uint64_t left =
          awake_[word] & (word == k / 64 ? ~std::uint64_t{0} << k % 64 : ~std::uint64_t{0});
      if (left) return 64 * word + static_cast<std::size_t>(std::countr_zero(left));
    }
    return most;
  }
  /// A contact has begun.
  void begin(std::size_t k) { planes_.touched.push_back(static_cast<std::uint32_t>(k)); }
  /// Path at which the first may touch, if none does now.
  double leastWake(std::span<const Candidate> candidates) const;

 private:
  RowPlanes& planes_;
  std::size_t count_;
  double path_, slack_;
  float least_ = HUGE_VALF;  ///< [L] gap of all that planes tell apart, or less
  std::array<std::uint64_t, most / 64> awake_;
  std::array<std::uint16_t, most> low_;  ///< places of those that planes do not tell apart
  std::uint32_t lowCount_ = 0;
};

/// Sorts the candidates of a row by planes. @pre as many as CrowdedRow takes
void sortByPlanes(const ShapeGeometry& a, const ShapeGeometry& b,
                  std::span<const Candidate> candidates, RowPlanes& planes);

}  // namespace scree::sim
