// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// Volumes that a union of balls shares with a solid, by parallel rays. Along each ray both are
/// intervals with known ends, so that only the sum over rays has an error. It falls faster with the
/// spacing than that of a count of cubes.
class RayVolumes {
 public:
  /// @param spacing  [L] of the rays, which are askew to the axes: faces along them would count
  /// badly
  RayVolumes(const SolidDistance& solid, double spacing, int threads);

  double solid() const { return solid_; }  ///< [L³] volume of the solid
  /// [L³] of the union of balls, within the solid and beyond it. Not for several threads at once.
  struct Shares {
    double in = 0.0, out = 0.0;
  };
  Shares of(std::span<const Ball> balls) const;
  double iou(std::span<const Ball> balls) const {
    const Shares shares = of(balls);
    return shares.in / (solid_ + shares.out);
  }

 private:
  struct Interval {
    double from, to;
  };
  void crossMesh(const SolidDistance& solid, std::vector<std::vector<Interval>>& rays) const;
  void traceRounded(const SolidDistance& solid, std::vector<std::vector<Interval>>& rays,
                    int threads) const;

  Mat3 turn_;  ///< into a frame whose first axis is along the rays
  double spacing_;
  std::array<double, 2> range_{};  ///< [L] of the solid, along the rays
  std::array<double, 2> first_{};  ///< [L] place of the first ray, across
  std::array<std::int64_t, 2> count_{};
  std::vector<std::size_t> begin_;  ///< of the intervals of each ray
  std::vector<Interval> intervals_;
  double solid_ = 0.0;
  mutable std::vector<std::uint32_t> start_;
  mutable std::vector<Interval> covered_;
};

}  // namespace scree::clump::detail
