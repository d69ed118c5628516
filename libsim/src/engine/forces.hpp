// SPDX-License-Identifier: GPL-3.0-or-later
// Forces of all contacts: evaluates each pair of bodies and sums the results by body.
#pragma once

#include "engine/ball_pair.hpp"
#include "engine/contact_sums.hpp"
#include "engine/pair_forces.hpp"
#include "model/contacts.hpp"

#include "scree/base/parallel.hpp"

#include <chrono>
#include <span>

namespace scree::sim {

/// Computes the forces and moments of all contacts. Driven bodies add them to what they have; for
/// other bodies they replace it. Pairs that do not act add nothing. The order of sums is that of
/// ContactSums. `periodic`: takes b at its image beside a, and keeps the force of each pair.
/// @returns the power that contacts absorb, if `update` keeps history
/// @param renewal     rebuilds the list of a pair that has expired; unused where contacts live by
/// list
/// @param afterwards  done by each thread for its bodies, once they have got all
template <ContactLaw Law, PairOptions options, bool periodic = false>
ContactPower addContactForces(Contacts& contacts, std::span<const BodyPose> poses,
                              const PairTable<typename Law::Params>& parameters,
                              ContactWeights weights, const HistoryUpdate& update, int threads,
                              Bodies& bodies, ContactSums& sums, const PairRenewal& renewal,
                              const Images* images = nullptr, const RangeWork& afterwards = {}) {
  const BodyId driven = bodies.driven;
  // By value, so that each thread reads from its own stack.
  const auto evaluate = [=, &contacts, &parameters, &bodies, update = HistoryUpdate(update)](
                            const ContactBatch::DuePair& due, PairPool& pool,
                            [[maybe_unused]] ContactSums::Searches& searches,
                            [[maybe_unused]] const ContactBatch& batch, PairForce& sum) {
    NeighbourPair& pair = contacts.pairs[due.number];
    const double displacement = bodies.displacement[pair.a] + bodies.displacement[pair.b];
    if constexpr (!options.byList && !options.inLanes) {
      if (pair.skipUntil > displacement) return false;
      if (pair.expires <= displacement) {
        searches.renew(renewal, due.number);
        if (pair.skipUntil > displacement) return false;
      }
    }
    const auto beside = [&](const BodyPose& b) {
      const bool aDriven = pair.a < driven;
      const typename Law::Params& own = parameters[pair.parameters];
      if constexpr (options.inLanes) {
        if (due.count != ContactBatch::alone)
          return evaluatePair<Law, options>(
              {pair, pool, poses[pair.a], b, aDriven, displacement, own, weights, update,
               batch.parts(due), batch.begun(due)},
              sum);
      }
      constexpr PairOptions alone{options.byList, options.weighted, options.byMean};
      if constexpr (!options.byList) {
        if (pair.planes != NeighbourPair::noPlanes)
          return evaluateRarePair<Law, alone>(
              {pair, pool, poses[pair.a], b, aDriven, displacement, own, weights, update}, sum);
        if (isOfBalls(pair, poses[pair.a], b))
          return evaluateBalls<Law, options.byMean>(pair, pool, poses[pair.a], b, aDriven,
                                                    displacement, own, update, sum);
      }
      return evaluatePair<Law, alone>(
          {pair, pool, poses[pair.a], b, aDriven, displacement, own, weights, update}, sum);
    };
    if constexpr (periodic) {
      const CellShift& n = contacts.shifts[due.number];
      if (!n.isZero()) return beside(imageOf(poses[pair.b], *images, n));
    }
    return beside(poses[pair.b]);
  };

  const bool many = contacts.pairs.size() > pairsOfCore;
  sums.shares.cover(driven, bodies.size(), threads);
  sums.shares.balance();
  sums.prepare(contacts, bodies);
  const std::span<const std::size_t> cuts = sums.shares.cuts();
  const std::size_t ranges = sums.shares.ranges();
  const bool shared = ranges > 1;
  sums.left.begin(ranges);
  // A pair belongs to its first body, or to its second one where the first is driven.
  // Not inlined: code that an exception handler encloses has one register less.
  const auto ofRange = [&](std::size_t range) __attribute__((noinline)) {
    using Clock = std::chrono::steady_clock;
    const auto now = [&] { return shared ? Clock::now() : Clock::time_point(); };
    const Clock::time_point start = now();
    const auto evaluateOwn = evaluate;
    const std::size_t begin = cuts[range], end = cuts[range + 1];
    const auto [lowestLeaving, waiting] = sums.beginRange(range, contacts);
    if (lowestLeaving == end) sums.left.pass(range);
    std::uint32_t work = 0;
    ContactPower ofBlock;
    ContactSums::Searches& searches = sums.searches[range];
    static thread_local ContactBatch batch;  // its memory stays with the core
    static thread_local Ahead coming;
    std::size_t evaluated = end;  // in lanes: pairs of bodies from there on have been
    for (std::size_t top = end, low = begin; top > begin; top = low) {
      const std::size_t least = top > lowestLeaving ? lowestLeaving : begin;
      low = std::max((top - 1) / bodyBlock * bodyBlock, least);
      PairPool& pool = contacts.pools[low / bodyBlock];
      if (shared && low >= begin + bodyBlock)  // the thread that ended the last step has them
        contacts.forDrivenPairs(low - bodyBlock, low, [&](std::uint32_t r) {
          prefetchToWrite(&sums.parts[contacts.partOf[r]], sizeof(ContactSums::Part));
        });
      if constexpr (options.inLanes) {
        const auto renew = [&](std::uint32_t r) { searches.renew(renewal, r); };
        if (top <= evaluated)
          evaluated = batch.evaluate({contacts, bodies, poses, parameters, update.dt, begin, end},
                                     top, least, renew);
      } else {
        coming.clear();
        if (many && low > begin) {
          const PairPool& next = contacts.pools[(low - 1) / bodyBlock];
          coming.add(next.candidates.data(), next.candidates.size());
          coming.add(next.states.data(), next.states.size());
          coming.setPace(contacts.firstStart[top] - contacts.firstStart[low]);
        }
      }
      for (std::size_t k = low; k < top; ++k) {
        bodies.force[k] = Vec3::Zero();
        bodies.moment[k] = Vec3::Zero();
      }

      const auto withDriven = [&](std::uint32_t r, const PairForce& sum) {
        const BodyId k = contacts.pairs[r].b;
        bodies.force[k] -= sum.force;
        bodies.moment[k] += sum.momentB;
        ContactSums::Part& part = sums.parts[contacts.partOf[r]];
        part.sum.force += sum.force;
        part.sum.moment += sum.momentA;
        part.power += sum.power;
        if constexpr (periodic) sums.keep(r, sum);
      };
      const auto ofFirst = [&](std::uint32_t r, const PairForce& sum) {
        const auto [a, b] = contacts.pairs[r].bodies();
        bodies.force[a] += sum.force;
        bodies.moment[a] += sum.momentA;
        ofBlock += sum.power;
        if (periodic || b >= end) sums.keep(r, sum);
        if (b < end) {
          bodies.force[b] -= sum.force;
          bodies.moment[b] += sum.momentB;
        }
      };
      const auto evaluateAndAdd = [&](const ContactBatch::DuePair& due, auto&& add) {
        PairForce sum;
        const bool acts = evaluateOwn(due, pool, searches, batch, sum);
        work += ThreadShares::workOf(sum.looked);
        if (acts) add(due.number, sum);
      };
      if constexpr (options.inLanes) {
        const auto addAll = [&](auto&& add) {
          for (const ContactBatch::DuePair& due : batch.next()) {
            const PairForce& sum = batch.sum(due);
            if (sum.looked == 0) {
              evaluateAndAdd(due, add);
            } else {
              work += ThreadShares::workOf(sum.looked);
              add(due.number, sum);
            }
          }
        };
        contacts.forDrivenPairs(low, top, [&](std::uint32_t r) { sums.beginPart(r, contacts); });
        addAll(withDriven);
        addAll(ofFirst);
        // Each pair of a first body has been looked at.
        work += ThreadShares::workOf(0) * (contacts.firstStart[top] - contacts.firstStart[low]);
      } else {
        contacts.forDrivenPairs(low, top, [&](std::uint32_t r) {
          sums.beginPart(r, contacts);
          evaluateAndAdd({r}, withDriven);
        });
        for (std::uint32_t r = contacts.firstStart[top]; r-- > contacts.firstStart[low];) {
          coming.fetch();
          if (constexpr std::uint32_t ahead = 6; r >= contacts.firstStart[begin] + ahead) {
            const BodyId b = contacts.pairs[r - ahead].b;
            if (many || b >= end) prefetch(&poses[b], sizeof(BodyPose));
            if (b >= end) prefetchToWrite(&sums.onSecond[r - ahead], sizeof(ForceAndMoment));
          }
          evaluateAndAdd({r}, ofFirst);
        }
      }
      if (low == lowestLeaving) sums.left.pass(range);
      if (low % bodyBlock == 0 || low == begin) {
        sums.powers[low / bodyBlock] = ofBlock;
        sums.shares.setWork(low / bodyBlock, work);
        ofBlock = ContactPower();
        work = 0;
      }
    }
    const auto finish = [&](std::size_t first, std::size_t last) {
      if (afterwards) afterwards(first, last);
    };
    // Bodies that other threads have written to come first, while there is other work left, unless
    // they have to wait.
    const bool complete = sums.left.lowerPassed(range);
    Clock::duration waited{};
    if (!complete) {
      finish(waiting, end);
      const Clock::time_point from = now();
      sums.left.awaitLower(range);
      waited = now() - from;
    }
    sums.gather(begin, waiting, contacts, bodies);
    finish(begin, waiting);
    if (complete) finish(waiting, end);
    if (shared)
      sums.shares.setTime(range, std::chrono::duration<double>(now() - start - waited).count());
  };
  parallelFor(threads, ranges, [&](std::size_t range) { sums.left.run(range, ofRange); });
  ContactPower power;
  for (std::size_t k = 0; k < sums.parts.size(); ++k) {
    const ContactSums::Part& part = sums.parts[k];
    bodies.force[contacts.partBody[k]] += part.sum.force;
    bodies.moment[contacts.partBody[k]] += part.sum.moment;
    power += part.power;
  }
  for (std::size_t block = driven / bodyBlock; block < sums.powers.size(); ++block)
    power += sums.powers[block];
  return power;
}

/// Energy of all contacts, summed in the order of pairs.
template <ContactLaw Law>
ContactEnergy contactEnergy(const Contacts& contacts, std::span<const BodyPose> poses,
                            const PairTable<typename Law::Params>& parameters,
                            ContactWeights weights) {
  ContactEnergy energy;
  for (const NeighbourPair& pair : contacts.pairs) {
    const double weightSum = weights == ContactWeights::none
                                 ? 1.0
                                 : sumOfWeightsBefore(weights, contacts.poolOf(pair), pair);
    contacts.forEachTouching(
        pair, [&](std::uint32_t, const Candidate& c, const ContactState& state) {
          const double weight = weights == ContactWeights::overlap ? state.dn : 1.0;
          const BodyPose &i = poses[c.swapped ? pair.b : pair.a],
                         &j = poses[c.swapped ? pair.a : pair.b];
          energy.add(state,
                     springsOf<Law>(parameters[pair.parameters], c.pairing,
                                    roundingOf<true>(c.pairing, i, j, c.iSub, c.jSub)),
                     weight / weightSum);
        });
  }
  return energy;
}

}  // namespace scree::sim
