// SPDX-License-Identifier: GPL-3.0-or-later
// From the candidates of one pair of bodies to their forces: geometry and law.
#pragma once

#include "contact/bond_geometry.hpp"
#include "contact/listed_reach.hpp"
#include "detect/many_contact_pair.hpp"
#include "engine/pair_force.hpp"
#include "law/contact_law.hpp"

namespace scree::sim {

/// Sum over the touching contacts of a pair that makes their weights add up to 1: of 1 each, or of
/// the gaps (negative).
template <bool byList, bool ownRadii>
double sumOfWeights(ContactWeights weights, std::span<const Candidate> candidates,
                    const BodyPose& a, const BodyPose& b, double displacement) {
  const Vec3 branch = a.pos - b.pos;
  double sum = 0.0;
  for (const Candidate& c : candidates) {
    if (!byList && c.skipUntil > displacement) continue;
    Touch touch;
    double rest = 0.0;
    if (c.swapped ? touches<byList, ownRadii>(c, b, a, -branch, touch, rest)
                  : touches<byList, ownRadii>(c, a, b, branch, touch, rest))
      sum += weights == ContactWeights::number ? 1.0 : touch.dn;
  }
  return sum;
}

/// Sum of weights at the last evaluation, from the memory of contacts.
inline double sumOfWeightsBefore(ContactWeights weights, const PairPool& pool,
                                 const NeighbourPair& pair) {
  double sum = 0.0;
  pool.forEachTouching(pair, [&](std::uint32_t, const Candidate&, const ContactState& s) {
    sum += weights == ContactWeights::number ? 1.0 : s.dn;
  });
  return sum;
}

/// How body j of a contact moves relative to i: at the point `arm` from the centre of j, and its
/// turning. `sign` = -1 where the velocities are those of i relative to j.
struct RelativeMotion {
  Vec3 vel, spin;
  double sign;
  /// Motion as bodies a and b are placed with, or their mean motion.
  /// @param branch  [L] centre of a minus that of b
  template <class Moving>
  RelativeMotion(const Moving& a, const Moving& b, const Vec3& branch, double s)
      : vel(b.vel - a.vel + a.spin.cross(branch)), spin(b.spin - a.spin), sign(s) {}
  RelativeMotion(const Vec3& v, const Vec3& turning, double s) : vel(v), spin(turning), sign(s) {}
  Vec3 at(const Vec3& arm) const { return sign * (vel + spin.cross(arm)); }
};

/// The springs of a contact, with the whole stiffness of its pair.
template <ContactLaw Law>
[[gnu::always_inline]] inline auto springsOf(const typename Law::Params& parameters,
                                             [[maybe_unused]] Pairing pairing,
                                             [[maybe_unused]] const Rounding& rounding) {
  if constexpr (Law::needsRadius)
    return Law::springs(parameters, contactRadius(pairing, rounding.i, rounding.j));
  else
    return Law::springs(parameters, 0.0);
}

/// Counts the end of a contact of i and j; rare, so it stands outside of the loop over contacts.
template <ContactSprings Springs>
[[gnu::noinline, gnu::cold]] void countEnd(ContactPower& power, const Candidate& c,
                                           const ContactState& state, const BodyPose& i,
                                           const BodyPose& j, const Vec3& branch,
                                           const RelativeMotion& motion, const Springs& elastic,
                                           double share, double dt) {
  const Touch now = geometryBeyondEnds(c.pairing, i, j, branch, c.iSub, c.jSub);
  const Vec3 armB = c.swapped ? now.arm : Vec3(now.arm + branch);
  power.part(state, elastic, share, now, motion.at(armB), motion.sign * motion.spin, dt);
}

/// One pair of bodies at one evaluation.
template <ContactLaw Law>
struct PairCall {
  NeighbourPair& pair;
  PairPool& pool;
  const BodyPose &a, &b;
  bool aDriven;
  double displacement;  ///< [L] sum of the accumulated displacements of both
  const typename Law::Params& parameters;
  ContactWeights weights;
  const HistoryUpdate& update;
};

/// Kinds of pairs, each with a loop of its own.
struct PairOptions {
  /// Contacts live by list: every candidate is due. One that is apart keeps its memory while it is
  /// listed, and viscosity is what it was then. Edges are parallel by an absolute bound, and a body
  /// at rest has no lever. Else they live by their gap: one begins and ends as bodies touch and
  /// part, and its memory with it.
  bool byList = false;
  bool weighted = false;  ///< contacts share the stiffness of their pair: geometry is taken twice
  bool byMean = false;    ///< `update.mean` is given
  bool selects = false;   ///< there are very many candidates; `selection` knows which to look at
  bool ownRadii = false;  ///< either body is a clump of balls of different radii
};

/// Forces of the contacts of one pair: for each candidate that is due its geometry, the motion of
/// the bodies there, the law, what the contact remembers, and the sum on both bodies.
/// @returns whether `sum` has got anything
///
/// `flatten`: everything in it is inlined. Calls that pass vectors through memory cost a tenth of a
/// step. Values that are not passed on by address stay in registers.
template <ContactLaw Law, PairOptions options>
[[gnu::flatten]] bool evaluatePair(const PairCall<Law>& call, PairForce& sum,
                                   [[maybe_unused]] ManyContactPair* selection = nullptr) {
  constexpr bool byList = options.byList, weighted = options.weighted, byMean = options.byMean,
                 ownRadii = options.ownRadii;
  NeighbourPair& pair = call.pair;
  PairPool& pool = call.pool;
  const BodyPose &a = call.a, &b = call.b;
  const HistoryUpdate& update = call.update;
  const typename Law::Params& parameters = call.parameters;
  const ContactWeights weights = call.weights;
  const double displacement = call.displacement;
  const bool aDriven = call.aDriven;
  const std::span<Candidate> candidates(pool.candidates.data() + pair.first, pair.count);
  const Vec3 branch = a.pos - b.pos;

  // Shares of the stiffness of the pair, now and at the last evaluation.
  [[maybe_unused]] double weightSum = 0.0, weightSumBefore = 0.0;
  if constexpr (weighted) {
    weightSum = sumOfWeights<byList, ownRadii>(weights, candidates, a, b, displacement);
    weightSumBefore = sumOfWeightsBefore(weights, pool, pair);
  }
  const auto shareBefore = [&](const ContactState& state) {
    if constexpr (!weighted && !byList) return 1.0;
    if (!(state.dn < 0.0)) return 0.0;  // it did not touch
    if constexpr (!weighted) return 1.0;
    return (weights == ContactWeights::number ? 1.0 : state.dn) / weightSumBefore;
  };
  // Springs of a law without radii are the same for all contacts, and are made once.
  [[maybe_unused]] const auto elasticOfPair =
      springsOf<Law>(parameters, Pairing(), {a.radius, b.radius});
  const auto elasticOf = [&](const Candidate& c) {
    if constexpr (Law::needsRadius)
      return springsOf<Law>(
          parameters, c.pairing,
          roundingOf<ownRadii>(c.pairing, c.swapped ? b : a, c.swapped ? a : b, c.iSub, c.jSub));
    else
      return elasticOfPair;
  };

  // Motion of b relative to a: at the centre of b, and its turning.
  const Vec3 atB = b.vel - a.vel + a.spin.cross(branch), turning = b.spin - a.spin;
  [[maybe_unused]] Vec3 meanAtB, meanTurning;
  if constexpr (byMean) {
    const MeanMotion &ma = update.mean[pair.a], &mb = update.mean[pair.b];
    meanAtB = mb.vel - ma.vel + ma.spin.cross(branch);
    meanTurning = mb.spin - ma.spin;
  }
  const auto kinematicsAt = [&](const Candidate& c, const Touch& touch, const Vec3& armB,
                                double dnBefore, double damp) {
    const double sign = c.swapped ? -1.0 : 1.0;
    ContactKinematics k;
    k.dn = touch.dn;
    k.dnBefore = dnBefore;
    k.n = touch.n;
    k.vel = sign * (atB + turning.cross(armB));
    if constexpr (byMean) {
      k.slip = sign * (meanAtB + meanTurning.cross(armB));
      k.spin = sign * meanTurning;
    } else {
      k.slip = k.vel;
      k.spin = sign * turning;
    }
    k.damp = damp;
    [[maybe_unused]] const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
    if constexpr (Law::needsLever)
      k.lever = aDriven && !c.swapped ? leverOf<byList>(armB, j.spin)
                                      : leverOf<byList>(touch.arm, i.spin);
    if constexpr (Law::needsRadius) {
      const Rounding rounding = roundingOf<ownRadii>(c.pairing, i, j, c.iSub, c.jSub);
      k.radius = contactRadius(c.pairing, rounding.i, rounding.j);
    }
    return k;
  };

  ContactPower power;
  bool any = false, ended = false;
  double skipUntil = HUGE_VAL;
  ContactState fresh;  // of a contact that begins

  const auto countEndOf = [&](const Candidate& c, const ContactState& state, const Vec3& d) {
    const double sign = c.swapped ? -1.0 : 1.0, share = shareBefore(state);
    const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
    if constexpr (byMean)
      countEnd(sum.power, c, state, i, j, d, {meanAtB, meanTurning, sign}, elasticOf(c), share,
               update.dt);
    else
      countEnd(sum.power, c, state, i, j, d, {atB, turning, sign}, elasticOf(c), share, update.dt);
    ended = true;
  };
  // A candidate that does not touch: the end of its contact, and until when it is skipped.
  const auto apartByList = [&](const Candidate& c, ListedContact& listed, const Vec3& d) {
    if (listed.state.dn < 0.0) countEndOf(c, listed.state, d);
    const ListedReach reach = listedReach(c, c.swapped ? b : a, c.swapped ? a : b, d, 0.0);
    if (reach.over) {
      listed.state.dn = std::max(reach.gap, 0.0);
    } else {
      listed.state = ContactState();
      listed.vel = Vec3::Zero();
    }
  };
  const auto apartByGap = [&](Candidate& c, const ContactState& state, const Vec3& d, double rest) {
    if (c.touching()) {
      if (byMean && !update.keep) {
        any = true;  // due until the step's end, which decides
        return;
      }
      countEndOf(c, state, d);
      pool.end(c);  // history ends where touch ends
    }
    c.skipUntil = displacement + std::max(rest - pair.slack, 0.0);
    skipUntil = std::min(skipUntil, c.skipUntil);
  };

  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if constexpr (options.selects) {
      k = selection->next(k);
      if (k >= candidates.size()) break;
    }
    Candidate& candidate = candidates[k];
    if (!byList && candidate.skipUntil > displacement) {
      skipUntil = std::min(skipUntil, candidate.skipUntil);
      continue;
    }
    ++sum.looked;
    [[maybe_unused]] ListedContact* listed = nullptr;
    ContactState* state = &fresh;
    if constexpr (byList) {
      listed = &pool.listed[pair.first + k];
      state = &listed->state;
    } else if (candidate.touching()) {
      state = pool.states.data() + candidate.stateAt();
    }

    // Geometry
    const bool swapped = candidate.swapped;
    const Vec3 d = swapped ? Vec3(-branch) : branch;
    Touch touch;
    double rest = 0.0;
    if (!touches<byList, ownRadii>(candidate, swapped ? b : a, swapped ? a : b, d, touch, rest)) {
      if constexpr (byList)
        apartByList(candidate, *listed, d);
      else
        apartByGap(candidate, *state, d, rest);
      continue;
    }
    any = true;

    // Law. It sees the contact from j: what it says of i holds for a, or with the other sign.
    const Vec3 armB = swapped ? touch.arm : Vec3(touch.arm + branch);
    double damp = pair.damp;
    if constexpr (byList) damp = listed->damp;
    ContactKinematics kinematics = kinematicsAt(candidate, touch, armB, state->dn, damp);
    const ContactForce last{state->fn, state->ft, state->mom};
    ContactForce f;
    double share = 1.0;
    if constexpr (weighted) {
      share = (weights == ContactWeights::number ? 1.0 : touch.dn) / weightSum;
      kinematics.damp *= std::sqrt(share);
      f = Law::force(kinematics, parameters.weighted(share), last, update.dt);
    } else {
      f = Law::force(kinematics, parameters, last, update.dt);
    }

    // Energy and memory
    if (!byMean || update.keep) {
      const double before = shareBefore(*state);
      const auto elastic = elasticOf(candidate);
      power.touch(kinematics, elastic, before, share, last, f, update.dt);
      if constexpr (weighted) power.reshare(kinematics, elastic, before, share, last, update.dt);
      if constexpr (options.selects) {
        if (!candidate.touching()) selection->begin(k);
      }
      *state = {touch.dn, f.fn, f.ft, f.mom};
      if constexpr (byList)
        listed->vel = kinematics.vel;
      else if (state == &fresh) {
        pool.begin(candidate) = fresh;
        fresh = ContactState();
      }
    }

    // Sums
    const double sign = swapped ? -1.0 : 1.0;
    const Vec3 force = sign * (f.fn * touch.n + f.ft);
    sum.add(force, sign * f.mom, armB);
  }
  sum.finish(branch);
  sum.power += power;
  if constexpr (options.selects) {
    if (!any) skipUntil = selection->leastSkipUntil(candidates);
  }
  // A pair that acts is due and stays so: its line of memory is not written to.
  if (!any) pair.skipUntil = std::min(skipUntil, pair.expires);
  return any || ended;
}

/// Evaluates a pair of a clump, or one that has planes. Rare and large on the stack, so it is kept
/// apart from all others.
template <ContactLaw Law, PairOptions options>
[[gnu::noinline]] bool evaluateRarePair(const PairCall<Law>& call, PairForce& sum) {
  constexpr PairOptions clump{
      .weighted = options.weighted, .byMean = options.byMean, .ownRadii = true},
      many{.weighted = options.weighted, .byMean = options.byMean, .selects = true};
  NeighbourPair& pair = call.pair;
  if (!pair.hasPlanes()) return evaluatePair<Law, clump>(call, sum);
  PairPool& pool = call.pool;
  ManyContactPair selection(pool.planes[pair.planes], pair,
                            {pool.candidates.data() + pair.first, pair.count}, call.a, call.b,
                            call.displacement);
  return evaluatePair<Law, many>(call, sum, &selection);
}

}  // namespace scree::sim
