// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mass/clipped_ball.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

using mass::Ball;
using mass::VisiblePart;

/// Balls, with the part that each has in the volume of their union. After a change only balls
/// that meet a changed one are computed again.
class UnionState {
 public:
  UnionState() = default;
  UnionState(std::vector<Ball> balls, int threads);

  /// The same with other balls. @param from  for each of `balls` its index here where it is the
  /// same ball, else -1
  UnionState changedTo(std::vector<Ball> balls, std::span<const std::int32_t> from,
                       int threads) const;

  double volume() const { return volume_; }  ///< [L³] of the union
  const std::vector<Ball>& balls() const { return balls_; }
  const VisiblePart& part(std::size_t ball) const { return parts_[ball]; }

 private:
  void compute(std::span<const char> known, int threads);

  std::vector<Ball> balls_;
  std::vector<VisiblePart> parts_;
  double volume_ = 0.0;
};

}  // namespace scree::clump::detail
