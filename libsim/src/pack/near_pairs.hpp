// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of a packing that may touch, and their sub-elements, in little memory.
#pragma once

#include "contact/kinematics.hpp"
#include "detect/images.hpp"
#include "detect/sub_search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace scree::sim {

/// Near pairs of bodies and their candidates, found by the broad phase and the search of runs, for
/// contacts without a history. A pair takes 24 bytes and a candidate 12, where NeighbourList takes
/// 64 and 16 beside the state of its contacts.
///
/// Accumulated displacements of bodies (`path`) count from the last rebuild. No contact is missed,
/// and no result depends on when a list is made.
class NearPairs {
 public:
  struct Pair {
    BodyId a = 0, b = 0;
    std::uint32_t first = 0, count = 0;  ///< candidates, in the pool of the block of pairs
    /// [L] of path(): nothing touches before `skipUntil`, candidates are complete up to `expires`.
    float skipUntil = -1.0F, expires = -1.0F;
  };
  static_assert(sizeof(Pair) == 24);
  struct Sub {
    std::uint32_t iSub = 0;
    std::uint32_t jSub : 29 = 0;
    Pairing pairing : 2 = Pairing::vertexVertex;
    bool swapped : 1 = false;
    float skipUntil = 0.0F;  ///< [L] of path(): does not touch before; below 0: touches

    explicit Sub(const Candidate& c)
        : iSub(c.iSub), jSub(c.jSub), pairing(c.pairing), swapped(c.swapped) {}
    Candidate candidate() const { return {iSub, jSub, pairing, swapped}; }
  };
  static_assert(sizeof(Sub) == 12);
  /// A body as it stands. Threads call it at once.
  using PoseOf = std::function<BodyPose(std::size_t)>;
  /// Memory that one thread needs to renew a block.
  struct Scratch {
    NearSubElements found;
    std::vector<Sub> pool;
  };
  static constexpr std::size_t together = 512;  ///< pairs in a block

  explicit NearPairs(std::size_t bodies) : path_(bodies, 0.0) {}

  void travel(std::size_t body, double moved) { path_[body] += moved; }
  double path(const Pair& pair) const { return path_[pair.a] + path_[pair.b]; }
  /// Whether no body has come farther than the margin of the last rebuild.
  bool complete() const;
  void free();  ///< all but the displacements; then not complete
  /// Finds the pairs again. @param margin  [L] that bodies may move before the next time
  void rebuild(const PoseOf& poseOf, std::size_t driven, double margin, const Images* images,
               int threads);

  std::size_t bytes() const;  ///< [bytes] held
  std::size_t blocks() const { return pools_.size(); }
  std::span<Pair> block(std::size_t n) {
    const std::size_t first = n * together;
    return {pairs_.data() + first, std::min(together, pairs_.size() - first)};
  }
  /// Renews the candidates of the pairs of a block that have expired.
  /// @param skin  [L] how far ahead new ones look
  void renew(std::size_t block, const PoseOf& poseOf, double skin, const Images* images,
             Scratch& scratch);
  std::span<Sub> candidates(std::size_t block, const Pair& pair) {
    return {pools_[block].data() + pair.first, pair.count};
  }
  /// Of a pair in a periodic cell: which image of b stands beside a.
  const CellShift& shift(const Pair& pair) const {
    return shifts_[static_cast<std::size_t>(&pair - pairs_.data())];
  }
  /// A lower bound on a `sum` of path(): less 1e-6 of it and less `slack_`, for rounding.
  float bound(double sum) const {
    return static_cast<float>(std::min(sum * (1.0 - 1e-6) - slack_, 1e30));
  }

 private:
  std::vector<double> path_;  ///< [L] bound on how far any point of each body has moved
  double margin_ = -1.0, slack_ = 0.0;
  std::vector<Pair> pairs_;
  std::vector<CellShift> shifts_;        ///< parallel to pairs_, in a periodic cell
  std::vector<std::vector<Sub>> pools_;  ///< of each block of pairs
};

}  // namespace scree::sim
