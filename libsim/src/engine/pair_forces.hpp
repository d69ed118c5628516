// SPDX-License-Identifier: GPL-3.0-or-later
// From the candidates of one pair of bodies to their forces: geometry and law.
#pragma once

#include "contact/bond_geometry.hpp"
#include "contact/listed_reach.hpp"
#include "detect/many_contact_pair.hpp"
#include "engine/contact_batch.hpp"
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
SCREE_INLINE auto springsOf(const typename Law::Params& parameters,
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
  // Almost parallel lines without ends may be nearest far away, so edges keep theirs.
  const Touch now = bondGeometry(c.pairing, i, j, branch, c.iSub, c.jSub, true);
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
  const ContactPart* parts = nullptr;   ///< with `inLanes`, of each candidate that is due
  const ContactState* begun = nullptr;  ///< parallel: memory of contacts that begin
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
  bool inLanes = false;   ///< most contacts have been evaluated already, see ContactBatch
};

/// The contacts of one pair of bodies at one evaluation.
///
/// Shares of the stiffness of the pair, and springs and motions that all contacts have in common,
/// are found once. Then each candidate that is due has its turn: see run().
template <ContactLaw Law, PairOptions options>
class PairEvaluation {
 public:
  PairEvaluation(const PairCall<Law>& call, PairForce& sum)
      : pair_(call.pair),
        pool_(call.pool),
        a_(call.a),
        b_(call.b),
        aDriven_(call.aDriven),
        displacement_(call.displacement),
        parameters_(call.parameters),
        weights_(call.weights),
        update_(call.update),
        part_(call.parts),
        begun_(call.begun),
        sum_(sum),
        candidates_(pool_.candidates.data() + pair_.first, pair_.count),
        branch_(a_.pos - b_.pos),
        springsOfPair_(springsOf<Law>(parameters_, Pairing(), {a_.radius, b_.radius})),
        seen_(a_, b_, branch_, 1.0) {
    if constexpr (options.weighted) {
      weightSum_ = sumOfWeights<options.byList, options.ownRadii>(weights_, candidates_, a_, b_,
                                                                  displacement_);
      weightSumBefore_ = sumOfWeightsBefore(weights_, pool_, pair_);
    }
    if constexpr (options.byMean)
      mean_ = RelativeMotion(update_.mean[pair_.a], update_.mean[pair_.b], branch_, 1.0);
  }

  /// @returns whether the sum has got anything
  bool run([[maybe_unused]] ManyContactPair* selection) {
    // Not a member: what has an address keeps all else of its object out of registers.
    ContactState fresh;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if constexpr (options.selects) {
        k = selection->next(k);
        if (k >= candidates_.size()) break;
      }
      Candidate& candidate = candidates_[k];
      if (!options.byList && candidate.skipUntil > displacement_) {
        skipUntil_ = std::min(skipUntil_, candidate.skipUntil);
        continue;
      }
      ++sum_.looked;
      if constexpr (options.inLanes) {
        const ContactPart& part = *part_++;
        const ContactState& begun = *begun_++;
        if (part.before != ContactPart::apart) {
          any_ = true;
          if (!candidate.touching()) pool_.begin(candidate) = begun;
          part.addTo(sum_, power_);
          continue;
        }
      }
      ContactState& state = stateOf(candidate, k, fresh);

      const bool swapped = candidate.swapped;
      const BodyPose &i = swapped ? b_ : a_, &j = swapped ? a_ : b_;
      const Vec3 d = swapped ? Vec3(-branch_) : branch_;  // centre of i minus that of j
      Touch touch;
      double rest = 0.0;
      if (!touches<options.byList, options.ownRadii>(candidate, i, j, d, touch, rest)) {
        separate(candidate, state, d, rest);
        continue;
      }
      any_ = true;
      const Vec3 armB = swapped ? touch.arm : Vec3(touch.arm + branch_);
      ContactKinematics kinematics = kinematicsAt(candidate, touch, armB, state.dn);
      if constexpr (options.byList) kinematics.damp = pool_.listed[pair_.first + k].damp;
      const ContactForce last{state.fn, state.ft, state.mom};
      double share = 1.0;
      ContactForce f;
      if constexpr (options.weighted) {
        share = weightOf(touch.dn) / weightSum_;
        kinematics.damp *= std::sqrt(share);
        f = Law::force(kinematics, parameters_.weighted(share), last, update_.dt);
      } else {
        f = Law::force(kinematics, parameters_, last, update_.dt);
      }
      if (!options.byMean || update_.keep) {
        countWork(candidate, kinematics, shareBefore(state), share, last, f);
        if constexpr (options.selects) {
          if (!candidate.touching()) selection->begin(k);
        }
        state = {touch.dn, f.fn, f.ft, f.mom};
        if constexpr (options.byList) {
          pool_.listed[pair_.first + k].vel = kinematics.vel;
        } else if (&state == &fresh) {
          pool_.begin(candidate) = fresh;
          fresh = ContactState();
        }
      }
      // The law sees the contact from j: what it says of i holds for a, or with the other sign.
      const double sign = swapped ? -1.0 : 1.0;
      sum_.add(sign * (f.fn * touch.n + f.ft), sign * f.mom, armB);
    }
    sum_.finish(branch_);
    sum_.power += power_;
    if constexpr (options.selects) {
      if (!any_) skipUntil_ = selection->leastSkipUntil(candidates_);
    }
    // A pair that acts is due and stays so: its line of memory is not written to.
    if (!any_) pair_.skipUntil = std::min(skipUntil_, pair_.expires);
    return any_ || ended_;
  }

 private:
  /// Memory of a contact; that of one that begins is `fresh`, and goes to the pool once it is
  /// known.
  ContactState& stateOf(const Candidate& c, [[maybe_unused]] std::size_t k,
                        [[maybe_unused]] ContactState& fresh) {
    if constexpr (options.byList)
      return pool_.listed[pair_.first + k].state;
    else
      return c.touching() ? pool_.states[c.stateAt()] : fresh;
  }

  double weightOf(double dn) const { return weights_ == ContactWeights::number ? 1.0 : dn; }
  double shareBefore(const ContactState& state) const {
    if constexpr (!options.weighted && !options.byList) return 1.0;
    if (!(state.dn < 0.0)) return 0.0;  // it did not touch
    if constexpr (!options.weighted) return 1.0;
    return weightOf(state.dn) / weightSumBefore_;
  }

  /// [L] of the two sub-elements.
  Rounding rounding(const Candidate& c) const {
    return roundingOf<options.ownRadii>(c.pairing, c.swapped ? b_ : a_, c.swapped ? a_ : b_, c.iSub,
                                        c.jSub);
  }
  auto springs([[maybe_unused]] const Candidate& c) const {
    if constexpr (Law::needsRadius)
      return springsOf<Law>(parameters_, c.pairing, rounding(c));
    else
      return springsOfPair_;
  }
  const RelativeMotion& slipping() const {
    if constexpr (options.byMean)
      return mean_;
    else
      return seen_;
  }

  ContactKinematics kinematicsAt(const Candidate& c, const Touch& touch, const Vec3& armB,
                                 double dnBefore) const {
    const double sign = c.swapped ? -1.0 : 1.0;
    ContactKinematics k;
    k.dn = touch.dn;
    k.dnBefore = dnBefore;
    k.n = touch.n;
    k.vel = sign * seen_.at(armB);
    k.slip = options.byMean ? Vec3(sign * mean_.at(armB)) : k.vel;
    k.spin = sign * slipping().spin;
    k.damp = pair_.damp;
    if constexpr (Law::needsLever)
      k.lever = aDriven_ && !c.swapped
                    ? leverOf<options.byList>(armB, b_.spin)
                    : leverOf<options.byList>(touch.arm, c.swapped ? b_.spin : a_.spin);
    if constexpr (Law::needsRadius) {
      const Rounding r = rounding(c);
      k.radius = contactRadius(c.pairing, r.i, r.j);
    }
    return k;
  }

  void countWork(const Candidate& c, const ContactKinematics& k, double before, double share,
                 const ContactForce& last, const ContactForce& now) {
    const auto elastic = springs(c);
    power_.touch(k, elastic, before, share, last, now, update_.dt);
    if constexpr (options.weighted) power_.reshare(k, elastic, before, share, last, update_.dt);
  }
  void countEndOf(const Candidate& c, const ContactState& state, const Vec3& d) {
    RelativeMotion motion = slipping();
    motion.sign = c.swapped ? -1.0 : 1.0;
    countEnd(sum_.power, c, state, c.swapped ? b_ : a_, c.swapped ? a_ : b_, d, motion, springs(c),
             shareBefore(state), update_.dt);
    ended_ = true;
  }
  /// A candidate that does not touch: the end of its contact, and until when it is skipped.
  /// @param rest  [L] by how much the displacements may grow before it can touch
  void separate(Candidate& c, ContactState& state, const Vec3& d, [[maybe_unused]] double rest) {
    if constexpr (options.byList) {
      if (state.dn < 0.0) countEndOf(c, state, d);
      const ListedReach reach = listedReach(c, c.swapped ? b_ : a_, c.swapped ? a_ : b_, d, 0.0);
      if (reach.over) {
        state.dn = std::max(reach.gap, 0.0);
      } else {
        state = ContactState();
        pool_.listed[pair_.first + static_cast<std::size_t>(&c - candidates_.data())].vel.setZero();
      }
    } else {
      if (c.touching()) {
        if (options.byMean && !update_.keep) {
          any_ = true;  // due until the step's end, which decides
          return;
        }
        countEndOf(c, state, d);
        pool_.end(c);  // history ends where touch ends
      }
      c.skipUntil = displacement_ + std::max(rest - pair_.slack, 0.0);
      skipUntil_ = std::min(skipUntil_, c.skipUntil);
    }
  }

  NeighbourPair& pair_;
  PairPool& pool_;
  const BodyPose &a_, &b_;
  const bool aDriven_;
  const double displacement_;
  const typename Law::Params& parameters_;
  const ContactWeights weights_;
  const HistoryUpdate& update_;
  const ContactPart* part_;  ///< of the next candidate that is due
  const ContactState* begun_;
  PairForce& sum_;
  const std::span<Candidate> candidates_;
  const Vec3 branch_;  ///< [L] centre of a minus that of b
  const decltype(springsOf<Law>(parameters_, Pairing(), Rounding())) springsOfPair_;
  const RelativeMotion seen_;                             ///< by the velocities of the bodies
  RelativeMotion mean_{Vec3::Zero(), Vec3::Zero(), 1.0};  ///< by their mean ones
  double weightSum_ = 0.0, weightSumBefore_ = 0.0;        ///< see sumOfWeights
  ContactPower power_;
  bool any_ = false, ended_ = false;
  double skipUntil_ = HUGE_VAL;
};

/// Forces of the contacts of one pair: for each candidate that is due its geometry, the motion of
/// the bodies there, the law, what the contact remembers, and the sum on both bodies.
/// @returns whether `sum` has got anything
///
/// `flatten`: everything in it is inlined. Calls that pass vectors through memory cost a tenth of a
/// step. Values that are not passed on by address stay in registers.
template <ContactLaw Law, PairOptions options>
[[gnu::flatten]] bool evaluatePair(const PairCall<Law>& call, PairForce& sum,
                                   ManyContactPair* selection = nullptr) {
  return PairEvaluation<Law, options>(call, sum).run(selection);
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
