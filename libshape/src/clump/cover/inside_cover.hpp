// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"
#include "candidate_pool.hpp"
#include "inside_ascent.hpp"

#include "scree/base/rng.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// A set of balls within a solid that covers as much of its volume as it can.
///
/// Balls are chosen by the volume that they add, then moved together (InsideAscent). The search
/// takes a few neighbours away, chooses again, and moves those near them. It keeps what is better,
/// early on also what is a little worse. This is a large neighbourhood search (P. Shaw, CP 1998)
/// with the acceptance of simulated annealing. The order of balls and candidates decides ties.
class InsideCover {
 public:
  /// @param pool  without balls; used as long as this lives. @param size  [L] of the solid
  InsideCover(CandidatePool& pool, const SymmetryGroup& group, const InsideAscent& ascent,
              double size, std::uint64_t seed);
  ~InsideCover();
  InsideCover(const InsideCover&) = delete;
  InsideCover& operator=(const InsideCover&) = delete;

  const std::vector<Ball>& balls() const { return at_.state.balls(); }
  double volume() const { return at_.volume(); }  ///< [L³] of the union, exact
  const std::vector<Orbit>& orbits() const { return at_.orbits; }

  /// Adds the best candidate that leaves `count` balls or fewer. @returns false where there is none
  bool addBest(std::size_t count);
  /// Begins again from these balls. What follows does not depend on what was searched before.
  void begin(std::vector<Orbit> orbits);
  /// Adds the best candidate of a kind. @param kinds  of all candidates of the pool
  /// @returns false where none gains
  bool addBestOf(std::span<const std::uint32_t> kinds, std::uint32_t kind);
  /// Moves all balls together, until that gains no more.
  void settle();
  /// Removes the orbit that loses least volume for each of its balls.
  void dropLeast();
  /// Searches with `count` balls at most, until the volume is `goal` or for `effort` times the
  /// usual number of rounds. The best set found remains. `progress` is called with the share of
  /// the rounds.
  void search(std::size_t count, double effort, double goal, FunctionRef<void(double)> progress);

 private:
  std::vector<std::size_t> groupToReplace();
  bool tryOther(std::size_t count, const std::vector<std::size_t>& gone, double allowed);
  void replace(PlacedOrbits next);
  void addCandidate(std::size_t which);

  CandidatePool& pool_;
  const SymmetryGroup& group_;
  const InsideAscent& ascent_;
  double size_;
  std::uint64_t seed_;
  Rng random_;
  double spread_;  ///< of the gains from which the search chooses at random, relative
  PlacedOrbits at_;
};

}  // namespace scree::clump::detail
