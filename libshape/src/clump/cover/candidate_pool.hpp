// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "orbit.hpp"
#include "volume_points.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// Candidates for a cover, each with the volume that it would add to the balls that cover now.
///
/// Volumes are sums over points. The gains of all candidates are kept up to date while balls come
/// and go: a point that is covered or uncovered changes those of the candidates that hold it.
/// To find the best of 4,000 candidates then takes a few microseconds.
class CandidatePool {
 public:
  CandidatePool(VolumePoints points, const SymmetryGroup& group, std::vector<Orbit> candidates);

  void cover(std::span<const Ball> balls);
  void uncover(std::span<const Ball> balls);  ///< balls that were covered before

  const std::vector<Orbit>& candidates() const { return candidates_; }
  std::int64_t gain(std::size_t candidate) const { return gain_[candidate]; }
  std::int64_t covered() const { return covered_; }
  std::int64_t total() const { return points_.total; }

 private:
  template <class F>
  void forEachIn(const Ball& ball, F&& f) const;

  VolumePoints points_;
  std::vector<Orbit> candidates_;
  std::vector<std::array<Vec3, 2>> boxes_;           ///< of each run of points
  std::vector<std::vector<std::uint32_t>> holders_;  ///< candidates that hold a point
  std::vector<std::int64_t> gain_;
  std::vector<std::uint16_t> count_;  ///< balls that cover a point
  std::int64_t covered_ = 0;
};

}  // namespace scree::clump::detail
