// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate_pool.hpp"
#include "cover_work.hpp"
#include "inside_cover.hpp"
#include "volume_points.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace scree::clump::detail {

/// Searches for balls inside a solid, whose union has the largest volume.
class InsideSearch {
 public:
  explicit InsideSearch(CoverWork& work) : work_(work) {}

  FoundCover best(const SymmetryGroup& group, std::size_t count);
  /// Equal balls: for each of several radii the best places.
  FoundCover bestEqual(const SymmetryGroup& group, std::size_t count);
  /// For a share of the volume: greedily up to it, then one ball less as long as that is enough.
  /// @throws GoalNotReached where the share is not reached
  std::vector<Ball> fewest(double ratio);

 private:
  CandidatePool poolFor(const SymmetryGroup& group, std::size_t count) const;
  CandidatePool equalPool(const SymmetryGroup& group, std::size_t count, double radius) const;
  double volumeGoal() const;  ///< [L³]
  FoundCover searchInside(const SymmetryGroup& group, std::size_t count, double done);
  FoundCover searchEqual(const SymmetryGroup& group, std::size_t count);
  FoundCover symmetricEqual(const SymmetryGroup& group, std::size_t count);

  CoverWork& work_;
  // By the number of maps of the group, for all numbers of balls that a goal leads to.
  std::map<std::size_t, std::unique_ptr<InsideLadder>> ladders_;
};

}  // namespace scree::clump::detail
