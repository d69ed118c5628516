// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/contact/kinematics.hpp"
#include "scree/sim/detect/images.hpp"
#include "scree/sim/detect/sub_search.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/contacts.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// Keeps the candidates complete as bodies move, at two levels: near pairs of bodies, remade when a
/// body has used up its margin, and the sub-elements of one pair, remade when that pair has used up
/// its skin. Both go by the bodies' path lengths, a bound that nothing can outrun, so no contact
/// is ever missed and no result depends on when a list is made.
class ContactList {
 public:
  /// Sets what belongs to a new row: parameters and viscosity of its two bodies.
  using RowSetup = void (*)(const void* context, PairRow& row);
  ContactList(RowSetup setup, const void* context) : setup_(setup), context_(context) {}

  /// Whether one of the bodies from `begin` to `end` has used up its margin, or its path is no
  /// number.
  bool pairsExpired(const Bodies& bodies, std::size_t begin, std::size_t end) const;
  bool pairsExpired(const Bodies& bodies) const { return pairsExpired(bodies, 0, bodies.size()); }
  /// Makes the near pairs of bodies anew for where they stand now; their rows are in need of a
  /// search, if they are new.
  void updatePairs(const Bodies& bodies, std::span<const Placed> placed, int threads,
                   const Images* images);
  /// Makes the list of one row anew, if it has run out. @returns whether it had
  /// @param images  of the periodic cell; null without one
  bool renew(std::uint32_t row, const Bodies& bodies, std::span<const Placed> placed,
             const Images* images, NearSubElements& found);
  /// Brings all lists up to date for the bodies as they stand now.
  void update(const Bodies& bodies, std::span<const Placed> placed, int threads,
              const Images* images = nullptr);

  /// Pairs, lower body first and sorted, that have no contacts because they are bonded. Whoever
  /// adds some makes the pairs expire, too; whoever takes some out admits those.
  std::vector<std::pair<BodyId, BodyId>> bonded;
  void expirePairs() { goodUntil_.clear(); }
  /// Gives pairs that were bonded rows, which are in need of a search. One pass over all rows:
  /// bonds may break at every step. @param pairs  sorted
  void admit(std::span<const std::pair<BodyId, BodyId>> pairs, bool periodic);

  Contacts contacts;
  /// [L] by how much the paths of the two bodies of a row must grow before they can touch; as much
  /// must have been added since they last could have. Not above 0 where that is not known.
  double clearance(std::size_t row, const Bodies& bodies) const {
    const PairRow& pair = contacts.rows[row];
    return pair.wakes - bodies.path[pair.a] - bodies.path[pair.b];
  }
  std::size_t memoryBytes() const {
    return contacts.memoryBytes() + goodUntil_.capacity() * sizeof(double);
  }

  // What it cost so far.
  std::uint64_t bodyUpdates = 0;
  std::uint64_t pairSearches = 0;  ///< of update(); whoever calls renew() counts

 private:
  void search(std::uint32_t row, const Bodies& bodies, std::span<const Placed> placed,
              const Images* images, NearSubElements& found) const;
  void store(std::uint32_t row, const Bodies& bodies, std::span<const Placed> placed,
             const Images* images, const NearSubElements& found);
  PairRow newRow(BodyId a, BodyId b) const;  ///< in need of a search
  void storePlanes(PairRow& row, RowPool& pool, const Placed& a, const Placed& b) const;
  RowPool packed(std::size_t block);  ///< its pool, with its rows closed up

  RowSetup setup_;
  const void* context_;
  std::vector<double> goodUntil_;  ///< path of each body up to which the pairs are complete
};

}  // namespace scree::sim
