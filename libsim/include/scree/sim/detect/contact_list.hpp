// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/contact/kinematics.hpp"
#include "scree/sim/detect/images.hpp"
#include "scree/sim/detect/sub_search.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/contacts.hpp"

#include <algorithm>
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
  /// Brings all lists up to date for the bodies as they stand now.
  /// @param images   of the periodic cell; null without one
  /// @param expired  what pairsExpired() says, where it is known
  void update(const Bodies& bodies, std::span<const Placed> placed, int threads,
              const Images* images, bool expired);
  void update(const Bodies& bodies, std::span<const Placed> placed, int threads,
              const Images* images = nullptr) {
    update(bodies, placed, threads, images, pairsExpired(bodies));
  }

  /// Pairs, lower body first and sorted, that have no contacts because they are bonded. Whoever
  /// changes them makes the pairs expire, too.
  std::vector<std::pair<BodyId, BodyId>> bonded;
  void expirePairs() { goodUntil_.clear(); }

  Contacts contacts;
  /// [L] by how much the paths of the two bodies of a row must grow before they can touch; as much
  /// must have been added since they last could have. 0 where that is not known.
  double clearance(std::size_t row, const Bodies& bodies) const {
    if (row >= limits_.size()) return 0.0;
    const PairRow& pair = contacts.rows[row];
    return std::min(pair.wakes, limits_[row].expires) - bodies.path[pair.a] - bodies.path[pair.b];
  }
  /// Of what is kept beside `contacts`.
  std::size_t memoryBytes() const {
    std::size_t bytes =
        limits_.capacity() * sizeof(RowLimit) + goodUntil_.capacity() * sizeof(double);
    for (const RowPlanes& planes : contacts.planes) bytes += planes.memoryBytes();
    return bytes;
  }

  // What it cost so far.
  std::uint64_t bodyUpdates = 0, pairSearches = 0;

 private:
  void findExpired(const Bodies& bodies, int threads);
  void updatePairs(const Bodies& bodies, std::span<const Placed> placed, int threads,
                   const Images* images);
  void search(std::uint32_t row, const Bodies& bodies, std::span<const Placed> placed,
              const Images* images, NearSubElements& found) const;
  void store(std::uint32_t row, const Bodies& bodies, std::span<const Placed> placed,
             const Images* images, const NearSubElements& found);
  void storePlanes(PairRow& row, const Placed& a, const Placed& b);
  void pack();  ///< rows close up in the pool

  RowSetup setup_;
  const void* context_;
  /// Beside each row, so that a glance at all of them reads little: its list is good while path(a)
  /// + path(b) is below `expires`.
  struct RowLimit {
    BodyId a, b;
    double expires;
  };
  std::vector<RowLimit> limits_;
  std::vector<double> goodUntil_;          ///< path of each body up to which the pairs are complete
  std::vector<std::uint32_t> freePlanes_;  ///< of `contacts.planes`
  std::vector<std::uint32_t> expired_;
  std::vector<std::vector<std::uint32_t>> expiredBy_;  ///< each thread
  std::vector<NearSubElements> found_;
  std::size_t left_ = 0;  ///< places of the pool that no row owns any more
};

}  // namespace scree::sim
