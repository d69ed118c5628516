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
                            std::uint32_t r, PairPool& pool, ContactSums::Searches& searches,
                            [[maybe_unused]] ContactBatch& batch, PairForce& sum) {
    NeighbourPair& pair = contacts.pairs[r];
    const ContactBatch::DuePair* due = nullptr;
    if constexpr (options.inLanes) {
      due = batch.take(r);
      if (!due) return false;
      if (due->count != ContactBatch::alone &&
          batch.sum(*due, poses[pair.a].pos - poses[pair.b].pos, sum))
        return true;
    }
    const double displacement = bodies.displacement[pair.a] + bodies.displacement[pair.b];
    if constexpr (!options.byList && !options.inLanes) {
      if (pair.skipUntil > displacement) return false;
      if (pair.expires <= displacement) {
        searches.renew(renewal, r);
        if (pair.skipUntil > displacement) return false;
      }
    }
    const auto beside = [&](const BodyPose& b) {
      const bool aDriven = pair.a < driven;
      const typename Law::Params& own = parameters[pair.parameters];
      if constexpr (options.inLanes) {
        if (due->count != ContactBatch::alone)
          return evaluatePair<Law, options>({pair, pool, poses[pair.a], b, aDriven, displacement,
                                             own, weights, update, batch.parts(*due)},
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
      const CellShift& n = contacts.shifts[r];
      if (!n.isZero()) return beside(imageOf(poses[pair.b], *images, n));
    }
    return beside(poses[pair.b]);
  };

  const std::size_t pairs = contacts.pairs.size();
  // Number of pairs to prefetch ahead, and number of pairs that no longer fit the cache of a core.
  constexpr std::size_t ahead = 6, tooMany = 8192;
  const bool many = pairs > tooMany;
  sums.shares.cover(driven, bodies.size(), threads);
  sums.shares.balance();
  sums.prepare(contacts, bodies);
  const std::span<const std::size_t> cuts = sums.shares.cuts();
  const std::size_t ranges = sums.shares.ranges();
  const bool shared = ranges > 1;
  const std::uint32_t drivenPairs = contacts.firstStart[driven];
  sums.left.begin(ranges);
  // A pair belongs to its first body, or to its second one where the first is driven.
  // Not inlined: code that an exception handler encloses has one register less.
  const auto ofRange = [&](std::size_t range) __attribute__((noinline)) {
    using Clock = std::chrono::steady_clock;
    const auto now = [&] { return shared ? Clock::now() : Clock::time_point(); };
    const Clock::time_point start = now();
    const auto evaluateOwn = evaluate;
    const std::size_t begin = cuts[range], end = cuts[range + 1];
    const std::size_t lowestLeaving = sums.lowestLeaving[range];
    if (lowestLeaving == end) sums.left.pass(range);
    const std::uint32_t lowerPairs = contacts.firstStart[begin];
    std::size_t waiting = begin;  // bodies from there on get nothing from lower ranges
    std::uint32_t work = 0;
    ContactPower ofBlock;
    ContactSums::Searches& searches = sums.searches[range];
    static thread_local ContactBatch batch;  // its memory stays with the core
    std::size_t evaluated = end;             // the lowest body whose pairs are, in lanes
    for (std::size_t k = end; k-- > begin;) {
      if constexpr (options.inLanes) {
        const auto renew = [&](std::uint32_t r) { searches.renew(renewal, r); };
        if (k < evaluated)
          evaluated =
              batch.evaluate({contacts, bodies, poses, parameters, update.dt}, k, begin, renew);
      }
      ForceAndMoment own;
      PairPool& pool = contacts.pools[k / bodyBlock];
      if (shared && k >= begin + 2) sums.prefetchParts(k - 2, contacts, drivenPairs);
      constexpr std::size_t bodiesAhead = (options.inLanes ? 8 : 1) * bodyBlock;  // of a batch
      if (many && k >= begin + bodiesAhead) {  // the pool is this thread's, too
        const PairPool& next = contacts.pools[(k - bodiesAhead) / bodyBlock];
        const std::uint32_t first = contacts.firstStart[k - bodiesAhead];
        if (options.inLanes)
          prefetch(&contacts.pairs[first],
                   (contacts.firstStart[k - bodiesAhead + 1] - first) * sizeof(NeighbourPair));
        prefetchShare(next.candidates, k % bodyBlock);
        prefetchShare(next.states, k % bodyBlock);
      }
      for (const std::uint32_t r : contacts.pairsAsSecond(static_cast<BodyId>(k))) {
        if (r >= drivenPairs) {
          if (r < lowerPairs && waiting == begin) waiting = k + 1;
          break;
        }
        const std::uint32_t number = contacts.partOf[r];
        ContactSums::Part& part = sums.parts[number];
        if (contacts.partOf[r + 1] != number) part = {};  // numbers fall: first
        PairForce sum;
        const bool acts = evaluateOwn(r, pool, searches, batch, sum);
        work += ThreadShares::workOf(sum.looked);
        if constexpr (periodic) sums.acts[r] = acts;
        if (!acts) continue;
        own.force -= sum.force;
        own.moment += sum.momentB;
        part.sum.force += sum.force;
        part.sum.moment += sum.momentA;
        part.power += sum.power;
        if constexpr (periodic) sums.onSecond[r] = {-sum.force, sum.momentB};
      }
      for (std::uint32_t r = contacts.firstStart[k + 1]; r-- > contacts.firstStart[k];) {
        if (r >= lowerPairs + ahead) {  // other pairs belong to other threads
          const NeighbourPair& next = contacts.pairs[r - ahead];
          if (many || next.b >= end) prefetch(&poses[next.b], sizeof(BodyPose));
          if (next.b >= end) prefetchToWrite(&sums.onSecond[r - ahead], sizeof(ForceAndMoment));
        }
        const NeighbourPair& pair = contacts.pairs[r];
        PairForce sum;
        const bool acts = evaluateOwn(r, pool, searches, batch, sum),
                   kept = periodic || pair.b >= end;
        work += ThreadShares::workOf(sum.looked);
        if (kept) sums.acts[r] = acts;
        if (!acts) continue;
        own.force += sum.force;
        own.moment += sum.momentA;
        ofBlock += sum.power;
        if (kept) sums.onSecond[r] = {-sum.force, sum.momentB};
        if (pair.b < end) {
          bodies.force[pair.b] -= sum.force;
          bodies.moment[pair.b] += sum.momentB;
        }
      }
      bodies.force[k] = own.force;
      bodies.moment[k] = own.moment;
      if (k == lowestLeaving) sums.left.pass(range);
      if (k % bodyBlock == 0 || k == begin) {
        sums.powers[k / bodyBlock] = ofBlock;
        sums.shares.setWork(k / bodyBlock, work);
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
