// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"
#include "contact/kinematics.hpp"
#include "detect/sub_search.hpp"
#include "model/contacts.hpp"

#include "scree/sim/model/bodies.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// Sets what belongs to a new pair of bodies: its parameters and viscosity. None: they are not
/// used.
using PairSetup = FunctionRef<void(NeighbourPair&)>;

/// Keeps the candidates complete as bodies move, at two levels. Near pairs of bodies are rebuilt
/// when a body has used up its margin. The sub-elements of one pair are listed again when that pair
/// has used up its skin. Both use the accumulated displacements of the bodies as a bound. No
/// contact is missed, and no result depends on when a list is made. A value: a copy holds the
/// history of its contacts.
class NeighbourList {
 public:
  /// Whether one of the bodies from `begin` to `end` has used up its margin, or its accumulated
  /// displacement is NaN.
  bool expired(const Bodies& bodies, std::size_t begin, std::size_t end) const;
  bool expired(const Bodies& bodies) const { return expired(bodies, 0, bodies.size()); }
  /// Rebuilds the near pairs of bodies for where they stand now. New pairs have no candidates until
  /// they are renewed. @param setUp  called for each new pair
  void rebuild(const Bodies& bodies, std::span<const BodyPose> poses, int threads,
               const Images* images, PairSetup setUp);
  /// Renews the candidates of one pair if they have expired. @returns whether they had
  /// @param images  of the periodic cell; null without one
  bool renew(std::uint32_t nearPair, const Bodies& bodies, std::span<const BodyPose> poses,
             const Images* images, NearSubElements& found);
  /// Brings all lists up to date for the bodies as they stand now.
  void update(const Bodies& bodies, std::span<const BodyPose> poses, int threads,
              const Images* images = nullptr, PairSetup setUp = {});

  /// Pairs, lower body first and sorted, that have no contacts because they are bonded. Whoever
  /// adds some makes the pairs expire, too; whoever takes some out admits those.
  std::vector<std::pair<BodyId, BodyId>> bonded;
  void expire() { goodUntil_.clear(); }  ///< all pairs
  /// Adds pairs that were bonded, as rebuild() does new ones. One pass over all pairs: bonds may
  /// break at every step. @param pairs  sorted
  void admit(std::span<const std::pair<BodyId, BodyId>> pairs, bool periodic, PairSetup setUp);

  Contacts contacts;
  /// [L] By how much the accumulated displacements of the two bodies of a pair must grow before
  /// they can touch. They have grown by at least as much since the bodies could last touch. Not
  /// above 0 where that is not known.
  double clearance(std::size_t nearPair, const Bodies& bodies) const {
    const NeighbourPair& pair = contacts.pairs[nearPair];
    return pair.skipUntil - bodies.displacement[pair.a] - bodies.displacement[pair.b];
  }

  // Cost so far.
  std::uint64_t bodyUpdates = 0;
  std::uint64_t pairSearches = 0;  ///< of update(); whoever calls renew() counts

 private:
  void search(std::uint32_t nearPair, const Bodies& bodies, std::span<const BodyPose> poses,
              const Images* images, NearSubElements& found) const;
  void store(std::uint32_t nearPair, const Bodies& bodies, std::span<const BodyPose> poses,
             const Images* images, const NearSubElements& found);
  bool isBonded(const std::pair<BodyId, BodyId>& pair) const {
    return std::ranges::binary_search(bonded, pair);
  }
  static NeighbourPair newPair(BodyId a, BodyId b, PairSetup setUp);  ///< has to be renewed
  void storePlanes(NeighbourPair& nearPair, PairPool& pool, const BodyPose& a,
                   const BodyPose& b) const;
  PairPool packed(std::size_t block);  ///< its pool, with its pairs closed up

  std::vector<double> goodUntil_;  ///< [L] displacement of each body at which its margin ends
};

}  // namespace scree::sim
