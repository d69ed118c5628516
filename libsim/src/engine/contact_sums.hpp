// SPDX-License-Identifier: GPL-3.0-or-later
// Where the forces of contacts are summed up by body, in an order that threads do not change.
#pragma once

#include "base/function_ref.hpp"
#include "contact/kinematics.hpp"
#include "detect/sub_search.hpp"
#include "engine/body_forces.hpp"
#include "engine/contact_batch.hpp"
#include "engine/pair_force.hpp"
#include "model/thread_shares.hpp"

#include "scree/sim/model/bodies.hpp"

#include <span>
#include <vector>

namespace scree::sim {

/// Rebuilds an expired candidate list on the thread that owns the neighbour pair.
using PairRenewal = FunctionRef<void(std::uint32_t pair, NearSubElements& found)>;

/// Where sums stand until every body has got its own; kept from step to step for its memory.
///
/// Bodies go from the highest number down to the lowest. Each begins with its pairs with driven
/// bodies and those of which it is the first body. What it gets as second body comes later, from
/// the bodies below it. Those of its own thread add it at once. Those of a lower thread leave it
/// here, and the body gathers it once all of these have. The order is the same for any number of
/// threads.
struct ContactSums {
  std::vector<ForceAndMoment> onSecond;  ///< for a pair what its second body gets, where it is kept
  std::vector<char> acts;                ///< for a pair that is kept: whether it acts
  struct Part {
    ForceAndMoment sum;
    ContactPower power;
  };
  std::vector<Part> parts;           ///< of what driven bodies get, see Contacts::partOf
  std::vector<ContactPower> powers;  ///< of other bodies, by block
  /// Pairs that one range has renewed.
  struct alignas(cacheLine) Searches {
    NearSubElements found;
    std::uint64_t count = 0;
    double seconds = 0.0;
    void renew(const PairRenewal& renewal, std::uint32_t pair);
  };
  std::vector<Searches> searches;
  std::uint64_t searchCount() const;
  double takeSearchTime();  ///< [s] of a range, on average, since the last call
  ThreadShares shares;
  /// Ranges that have done their pairs with bodies of higher ones. Those may read what is left for
  /// them, and nobody else reads where their bodies stand.
  Relay left;
  /// Bodies of a range that have pairs with bodies of other ranges.
  struct Borders {
    std::size_t lowestLeaving;  ///< lowest body with a pair with a higher range, or the end
    std::size_t waiting;        ///< bodies from this one on have no pair with a lower range
  };

  /// Makes room for the pairs there are and the cuts of `shares`. In a periodic cell it forgets
  /// which pairs with driven bodies act.
  void prepare(const Contacts& contacts, const Bodies& bodies);
  /// Finds the borders of a range, on its own thread, and forgets which of its pairs act.
  Borders beginRange(std::size_t range, const Contacts& contacts);
  /// Keeps what a pair that acts does to its second body.
  void keep(std::uint32_t r, const PairForce& sum) {
    acts[r] = true;
    onSecond[r] = {-sum.force, sum.momentB};
  }
  /// Clears the part of a driven body that pair r adds to, if r is the first to do so: pairs of a
  /// part are added from the highest second body down.
  void beginPart(std::uint32_t r, const Contacts& contacts) {
    const std::uint32_t number = contacts.partOf[r];
    if (contacts.partOf[r + 1] != number) parts[number] = {};
  }
  /// Adds to the bodies from `begin`, where a range begins, to `end` what the pairs of lower ranges
  /// have left for them.
  void gather(std::size_t begin, std::size_t end, const Contacts& contacts, Bodies& bodies) const;

 private:
  std::vector<std::size_t> preparedCuts_;
  std::uint64_t preparedIndex_ = 0;
  bool stale_ = true;  ///< borders_ are of other pairs or cuts
  std::vector<Borders> borders_;
};

/// Work of a thread on the bodies from `begin` to `end`, which are its own.
using RangeWork = FunctionRef<void(std::size_t begin, std::size_t end)>;

/// The contact forces of the last evaluation again, from what contacts remember, in the same order,
/// for bodies that stand where they stood then. One thread.
/// `byList`: contacts live by list, see PairOptions.
void addRememberedForces(const Contacts& contacts, std::span<const BodyPose> poses,
                         const Images* images, bool byList, Bodies& bodies);

}  // namespace scree::sim
