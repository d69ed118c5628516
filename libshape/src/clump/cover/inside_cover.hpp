// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "medial_balls.hpp"
#include "occupancy.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump::detail {

/// A set of balls within a solid that covers as much of its volume as it can.
///
/// Volumes are counts of cubes here. The order of balls and candidates decides ties, so that equal
/// input gives equal output on any number of threads.
class InsideCover {
 public:
  /// @param coarse  ranks candidates. @param fine  decides. Both without balls; they are used as
  ///                long as this lives
  InsideCover(const SolidDistance& solid, const std::vector<Ball>& candidates, Occupancy& coarse,
              Occupancy& fine, double leastRadius);

  const std::vector<Ball>& balls() const { return balls_; }
  double coverage() const { return fine_.coverage(); }

  /// Adds the candidate that gains most volume. With lazy evaluation: gains can only fall while
  /// balls are added. @returns false where no candidate gains a cube
  bool addBest();
  /// Removes the ball that loses least volume.
  void dropLeast();
  /// Exchanges each ball for the best candidate in its absence, and moves it to where it gains
  /// most, until a round over all balls gains less than `leastGain` of the solid.
  void improve(double leastGain, int rounds);

 private:
  struct Best {
    std::int64_t gain = 0;
    Ball ball;
  };
  Best bestCandidate();
  void descend(Best& best) const;
  void move(std::size_t k, bool exchange);
  bool replaceGroup(std::size_t centre, std::size_t size);
  void add(const Ball& ball);
  void remove(const Ball& ball);

  const SolidDistance& solid_;
  const std::vector<Ball>& candidates_;
  Occupancy &coarse_, &fine_;
  double leastRadius_;
  std::vector<std::int64_t> bound_;  ///< no candidate gains more cubes of the coarse grid
  std::vector<Ball> balls_;
};

}  // namespace scree::clump::detail
