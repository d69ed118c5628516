// SPDX-License-Identifier: GPL-3.0-or-later
// From candidates to forces on bodies: the rows of all pairs, and what bodies sum up of them.
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/sim/detect/images.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/pair_table.hpp"
#include "scree/sim/step/body_forces.hpp"
#include "scree/sim/step/row_forces.hpp"
#include "scree/sim/step/thread_shares.hpp"

#include <chrono>
#include <span>
#include <vector>

namespace scree::sim {

/// What a body gets from rows as their first body.
struct FirstBodySum {
  BodyId body = 0;
  ForceAndMoment sum;
  ContactPower power;

  void add(const Vec3& force, const Vec3& moment, const ContactPower& more) {
    sum.force += force;
    sum.moment += moment;
    power += more;
  }
};

/// A driven body sums its rows in parts, each of second bodies whose numbers agree above this many
/// bits: so the rows of a wall may be shared out among threads, and where they are cut depends on
/// no thread and on no list. Other bodies sum theirs in one part.
inline constexpr unsigned partBits = 12;
inline bool samePart(const PairRow& x, const PairRow& y, BodyId driven) {
  return x.a == y.a && (x.a >= driven || (x.b >> partBits) == (y.b >> partBits));
}

/// Where sums stand until every body has gathered its own; kept from step to step for its memory.
struct ContactSums {
  std::vector<ForceAndMoment> onSecond;  ///< for each row what its second body gets
  std::vector<char> acts;                ///< for each row whether it has got anything
  struct OnDriven {
    Vec3 moment = Vec3::Zero();
    ContactPower power;
  };
  std::vector<OnDriven> onDriven;  ///< for each row of a driven body what that gets, but its force
  std::vector<std::vector<FirstBodySum>> parts;  ///< of driven bodies, by range
  std::vector<ContactPower> powers;              ///< of bodies, by block
  ThreadShares shares;
  std::size_t memoryBytes() const;

  void resize(const Contacts& contacts, const Bodies& bodies);
  /// Adds up what the rows as second body of the bodies from `begin` to `end` have written, then
  /// what their rows as first body have left in `bodies`.
  void gather(std::size_t begin, std::size_t end, const Contacts& contacts, Bodies& bodies) const;
  /// Adds up the parts of driven bodies that begin in a share of the rows of such bodies.
  void sumParts(std::size_t range, const Contacts& contacts, BodyId driven);
};

/// Adds up the power of contacts: of driven bodies each by itself, of others in blocks.
class PowerSum {
 public:
  explicit PowerSum(BodyId driven) : driven_(driven) {}
  /// Bodies come in order.
  void add(BodyId body, const ContactPower& power) {
    const std::size_t group = body < driven_ ? body : driven_ + body / bodyBlock;
    if (group != group_) {
      total_ += ofGroup_;
      ofGroup_ = ContactPower();
      group_ = group;
    }
    ofGroup_ += power;
  }
  ContactPower total() const {
    ContactPower sum = total_;
    return sum += ofGroup_;
  }

 private:
  BodyId driven_;
  std::size_t group_ = 0;
  ContactPower ofGroup_, total_;
};

/// Asks for what is read later. Always inlined: GCC takes a function that does nothing else for one
/// without effect, and drops the call.
[[gnu::always_inline]] inline void prefetch(const void* data, std::size_t size) {
  for (std::size_t byte = 0; byte < size; byte += 64)
    __builtin_prefetch(static_cast<const char*>(data) + byte);
}
[[gnu::always_inline]] inline void prefetchRow(const Contacts& contacts, const PairRow& row,
                                               std::span<const Placed> placed) {
  prefetch(&placed[row.b], sizeof(Placed));
  prefetch(&contacts.candidates[row.first], sizeof(Candidate));
  prefetch(&contacts.states[row.first], sizeof(ContactState));
}

/// The forces and moments of all contacts: driven bodies add them to what they have, those of
/// others begin with them. @returns the power that contacts take up, where memory grows. A body
/// first gets what its rows as second body give, row by row, then the sum of each part of its rows
/// as first body: the same bits for any number of threads. Rows that do not act leave no trace. One
/// thread adds as it goes; several write sums that each body then gathers.
/// `periodic`: b stands where its image beside a does, and sums per row are always written.
/// `compat`: as Rockable has it, see evaluateRow.
template <ContactLaw Law, bool weighted, bool byMean, bool periodic = false, bool compat = false>
ContactPower addContactForces(Contacts& contacts, std::span<const Placed> placed,
                              const PairTable<typename Law::Params>& parameters,
                              ContactWeights weights, const Growth& growth, int threads,
                              Bodies& bodies, ContactSums& sums, const Images* images = nullptr) {
  const BodyId driven = bodies.driven;
  // By value, so that each thread reads from its own stack.
  const auto evaluate = [=, &contacts, &parameters, &bodies, growth = Growth(growth)](
                            PairRow& row, RowForce& sum) {
    const double path = bodies.path[row.a] + bodies.path[row.b];
    if (!compat && row.wakes > path) return false;
    [[maybe_unused]] RowManner<compat> there;
    if constexpr (compat) there.damps = {contacts.damps.data() + row.first, row.count};
    const auto beside = [&](const Placed& b) {
      if constexpr (!compat)
        if (row.planes != PairRow::noPlanes)
          return evaluateCrowdedRow<Law, weighted, byMean>(
              contacts, row, placed[row.a], b, row.a < driven, path, parameters[row.parameters],
              weights, growth, sum);
      return evaluateRow<Law, weighted, byMean, compat>(
          row, {contacts.candidates.data() + row.first, row.count},
          {contacts.states.data() + row.first, row.count}, there, placed[row.a], b, row.a < driven,
          path, parameters[row.parameters], weights, growth, sum);
    };
    if constexpr (periodic) {
      const CellShift& n = contacts.shifts[static_cast<std::size_t>(&row - contacts.rows.data())];
      if constexpr (compat) there.astray = images->offset(n);
      if (!n.isZero()) return beside(images->image(placed[row.b], n));
    }
    return beside(placed[row.b]);
  };

  const std::size_t rows = contacts.rows.size();
  // Rows, the time that memory or another core takes to answer; and how many do not fit a core.
  constexpr std::size_t ahead = 6, tooMany = 8192;
  const bool many = rows > tooMany;
  constexpr std::size_t rowGrain = 100;  // rows that are worth waking a thread for
  sums.shares.cover(driven, bodies.size(), threads);
  if (!periodic && (sums.shares.ranges() == 1 || rows < 2 * rowGrain)) {
    for (std::size_t k = driven; k < bodies.size(); ++k)
      bodies.force[k] = bodies.moment[k] = Vec3::Zero();
    PowerSum power(driven);
    FirstBodySum part;
    bool acts = false;
    const auto endPart = [&] {
      if (!acts) return;
      bodies.force[part.body] += part.sum.force;
      bodies.moment[part.body] += part.sum.moment;
      power.add(part.body, part.power);
      acts = false;
    };
    for (std::size_t r = 0; r < rows; ++r) {
      PairRow& row = contacts.rows[r];
      if (r > 0 && !samePart(contacts.rows[r - 1], row, driven)) endPart();
      if (many && r + ahead < rows) prefetchRow(contacts, contacts.rows[r + ahead], placed);
      RowForce sum;
      if (!evaluate(row, sum)) continue;
      bodies.force[row.b] -= sum.force;
      bodies.moment[row.b] += sum.momentB;
      if (!acts) part = {row.a, {}, {}};
      acts = true;
      part.add(sum.force, sum.momentA, sum.power);
    }
    endPart();
    return power.total();
  }

  sums.resize(contacts, bodies);
  sums.shares.balance();
  const std::span<const std::size_t> cuts = sums.shares.cuts();
  const std::size_t ranges = sums.shares.ranges();
  // A row belongs to its first body, or to its second one where the first is driven.
  parallelFor(threads, ranges, [&](std::size_t range) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto evaluateOwn = evaluate;
    std::uint32_t work = 0;
    const auto actsIn = [&](std::size_t r, RowForce& sum) {
      const bool acts = evaluateOwn(contacts.rows[r], sum);
      work += ThreadShares::workOf(sum.looked);
      sums.acts[r] = acts;
      if (acts) sums.onSecond[r] = {-sum.force, sum.momentB};
      return acts;
    };
    ContactPower ofBlock;
    for (std::size_t k = cuts[range], end = cuts[range + 1]; k < end; ++k) {
      for (const std::uint32_t r : contacts.rowsAsSecond(static_cast<BodyId>(k))) {
        if (contacts.rows[r].a >= driven) break;
        RowForce sum;
        if (actsIn(r, sum)) sums.onDriven[r] = {sum.momentA, sum.power};
      }
      FirstBodySum own;
      for (std::uint32_t r = contacts.firstStart[k]; r < contacts.firstStart[k + 1]; ++r) {
        if (r + ahead < rows) {
          const PairRow& next = contacts.rows[r + ahead];
          many ? prefetchRow(contacts, next, placed) : prefetch(&placed[next.b], sizeof(Placed));
        }
        RowForce sum;
        if (actsIn(r, sum)) own.add(sum.force, sum.momentA, sum.power);
      }
      bodies.force[k] = own.sum.force;
      bodies.moment[k] = own.sum.moment;
      ofBlock += own.power;
      if ((k + 1) % bodyBlock == 0 || k + 1 == end) {
        sums.powers[k / bodyBlock] = ofBlock;
        sums.shares.setWork(k / bodyBlock, work);
        ofBlock = ContactPower();
        work = 0;
      }
    }
    sums.shares.setTime(range, std::chrono::duration<double>(Clock::now() - start).count());
  });
  parallelFor(threads, ranges, [&](std::size_t range) {
    sums.gather(cuts[range], cuts[range + 1], contacts, bodies);
    sums.sumParts(range, contacts, driven);
  });
  PowerSum power(driven);
  for (std::size_t range = 0; range < ranges; ++range)
    for (const FirstBodySum& part : sums.parts[range]) {
      bodies.force[part.body] += part.sum.force;
      bodies.moment[part.body] += part.sum.moment;
      power.add(part.body, part.power);
    }
  for (std::size_t k = driven; k < bodies.size(); k = (k / bodyBlock + 1) * bodyBlock)
    power.add(static_cast<BodyId>(k), sums.powers[k / bodyBlock]);
  return power.total();
}

/// Adds the contact forces of the last evaluation to `bodies` again, from what contacts remember,
/// in the same order, for bodies that stand where they stood then. One thread.
/// `compat`: with the arms of Rockable in a cell, see RowAsRockable.
void addRememberedForces(const Contacts& contacts, std::span<const Placed> placed,
                         const Images* images, bool compat, Bodies& bodies);

/// That of all contacts, summed in the order of rows.
template <ContactLaw Law>
ContactEnergy contactEnergy(const Contacts& contacts,
                            const PairTable<typename Law::Params>& parameters,
                            ContactWeights weights) {
  ContactEnergy energy;
  for (const PairRow& row : contacts.rows) {
    const ElasticStiffness whole = Law::elastic(parameters[row.parameters]);
    double weightSum = 0.0;
    if (weights != ContactWeights::none)
      for (std::uint32_t k = row.first; k < row.first + row.count; ++k)
        if (contacts.states[k].dn < 0.0)
          weightSum += weights == ContactWeights::number ? 1.0 : contacts.states[k].dn;
    for (std::uint32_t k = row.first; k < row.first + row.count; ++k) {
      const ContactState& state = contacts.states[k];
      if (!(state.dn < 0.0)) continue;
      double share = 1.0;
      if (weights == ContactWeights::number) share = 1.0 / weightSum;
      if (weights == ContactWeights::overlap) share = state.dn / weightSum;
      energy.add(state, whole, share);
    }
  }
  return energy;
}

}  // namespace scree::sim
