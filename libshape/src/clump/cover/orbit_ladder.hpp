// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"
#include "orbit.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// Orbits of one kind have the same number of balls, and a move carries one into the other. Those
/// on mirror planes that maps exchange are an example.
struct OrbitKind {
  std::size_t size = 1;
  bool once = false;  ///< no two of them differ: the centre of the group
};
/// @param ofEach  becomes the kind of each orbit
std::vector<OrbitKind> kindsOf(const SymmetryGroup& group, std::span<const Orbit> orbits,
                               std::vector<std::uint32_t>& ofEach);

/// A set of orbits, and how good it is as a cover.
struct OrbitSet {
  std::vector<Orbit> orbits{};
  double worth = 0.0;
  std::vector<std::uint32_t> kinds{};  ///< of the orbits, in ascending order
  std::size_t balls() const;
};

/// Symmetric covers of at most so many balls, from the smallest on.
///
/// A choice by gain alone may fill the number with the wrong orbits. One ball in the centre leaves
/// no room for the pair that would be better. Each rung therefore holds the best sets of exactly so
/// many balls. They come from the sets of lower rungs, each with one more orbit of each kind. This
/// is dynamic programming as for a knapsack, with the few best sets for each weight. No rung
/// depends on the number that is requested, so that a cover of more balls is never worse.
class OrbitLadder {
 public:
  struct Rules {
    /// The set with another orbit of a kind, all moved together; no orbits where none gains.
    std::function<OrbitSet(const OrbitSet&, std::uint32_t kind)> extended;
    /// A better set of at most `count` balls, from a longer search.
    std::function<OrbitSet(const OrbitSet&, std::size_t count)> refined;
    double near = 0.0;  ///< worth that a longer search may add
    double more = 0.0;  ///< worth that more balls must add
  };
  OrbitLadder(std::vector<OrbitKind> kinds, Rules rules);

  /// The best set of `count` balls at most. @param progress  called with the share that is done
  OrbitSet best(std::size_t count, FunctionRef<void(double)> progress);
  /// The best sets of exactly so many balls, best first.
  std::span<const OrbitSet> rung(std::size_t balls) const { return rungs_[balls]; }

  static constexpr std::size_t highest = 24;  ///< rung

 private:
  void addRung();

  std::vector<OrbitKind> kinds_;
  Rules rules_;
  std::vector<std::vector<OrbitSet>> rungs_;
  std::map<std::size_t, OrbitSet> refined_;
};

}  // namespace scree::clump::detail
