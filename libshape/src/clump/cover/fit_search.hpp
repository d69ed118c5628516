// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cover_work.hpp"
#include "depth_field.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>

namespace scree::clump::detail {

/// Searches for balls with the best ratio of the volumes of intersection and union (IoU), then for
/// the objective.
class FitSearch {
 public:
  explicit FitSearch(CoverWork& work) : work_(work) {}

  FoundCover best(const SymmetryGroup& group, std::size_t count);

 private:
  FitLadder& ladderFor(const SymmetryGroup& group);
  OrbitSet search(const SymmetryGroup& group, std::size_t count, double done);

  CoverWork& work_;
  std::optional<DepthField> field_;
  // By the number of maps of the group, for all numbers of balls that a goal leads to.
  std::map<std::size_t, std::unique_ptr<FitLadder>> ladders_;
};

}  // namespace scree::clump::detail
