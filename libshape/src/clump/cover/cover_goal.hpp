// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cover_work.hpp"

#include <string>
#include <vector>

namespace scree::clump::detail {

/// The goal of a search for the fewest balls. With a protrusion, only volume in the solid counts.
class CoverGoal {
 public:
  explicit CoverGoal(const CoverWork& work) : work_(work) {}

  bool reached(const std::vector<Ball>& balls) const;
  /// How far the balls are from it, in its own unit.
  double missingBy(const std::vector<Ball>& balls) const;
  /// What they reach, for messages.
  std::string reachedBy(const std::vector<Ball>& balls) const;

 private:
  double valueOf(const std::vector<Ball>& balls) const;

  const CoverWork& work_;
};

}  // namespace scree::clump::detail
