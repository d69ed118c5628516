// SPDX-License-Identifier: GPL-3.0-or-later
// The forces of a pair of two balls. Their contact point lies on the line of their centres, so
// there is one candidate. Two vector products, of slip and moment, replace the four of other pairs.
#pragma once

#include "engine/pair_forces.hpp"

namespace scree::sim {

/// Arms of a contact of two balls, along the line of centres.
struct BallArms {
  double a, b;  ///< [L] from the contact point to the centre of each
  /// @param dn  [L] gap
  BallArms(const BodyPose& first, const BodyPose& second, double dn)
      : a(first.radius + 0.5 * dn), b(second.radius + 0.5 * dn) {}
};

/// Adds the force `f` that the second ball exerts on the first, along and across n.
inline void sumOfBalls(const ContactForce& f, const Vec3& n, const BallArms& arms, PairForce& sum) {
  const Vec3 turning = f.ft.cross(n);
  sum.force = f.fn * n + f.ft;
  sum.momentA = arms.a * turning + f.mom;
  sum.momentB = arms.b * turning - f.mom;
}

/// Whether a pair is one of two balls, and is evaluated here.
inline bool isOfBalls(const NeighbourPair& pair, const BodyPose& a, const BodyPose& b) {
  return pair.count == 1 && a.shape->ball && b.shape->ball;
}

/// Two balls that are apart: the end of their contact, if there was one. @returns as evaluateBalls
template <ContactLaw Law, bool byMean>
[[gnu::noinline]] bool ballsApart(NeighbourPair& pair, PairPool& pool, Candidate& candidate,
                                  const BodyPose& a, const BodyPose& b, double dn,
                                  double displacement, const typename Law::Params& parameters,
                                  const HistoryUpdate& update, PairForce& sum) {
  const bool ends = candidate.touching();
  if (ends) {
    if (byMean && !update.keep) return true;  // due until the step's end, which decides
    const Vec3 branch = a.pos - b.pos;
    RelativeMotion motion(a, b, branch, 1.0);
    if constexpr (byMean) motion = {update.mean[pair.a], update.mean[pair.b], branch, 1.0};
    countEnd(sum.power, candidate, pool.states[candidate.stateAt()], a, b, branch, motion,
             springsOf<Law>(parameters, Pairing::vertexVertex, {a.radius, b.radius}), 1.0,
             update.dt);
    pool.end(candidate);
  }
  candidate.skipUntil = displacement + std::max(dn - pair.slack, 0.0);
  pair.skipUntil = std::min(candidate.skipUntil, pair.expires);
  return ends;
}

/// evaluatePair for two balls. Their one contact has the whole stiffness of the pair, whatever
/// weights there are.
template <ContactLaw Law, bool byMean>
[[gnu::flatten]] bool evaluateBalls(NeighbourPair& pair, PairPool& pool, const BodyPose& a,
                                    const BodyPose& b, bool aDriven, double displacement,
                                    const typename Law::Params& parameters,
                                    const HistoryUpdate& update, PairForce& sum) {
  Candidate& candidate = pool.candidates[pair.first];
  if (candidate.skipUntil > displacement) {
    pair.skipUntil = std::min(candidate.skipUntil, pair.expires);
    return false;
  }
  ++sum.looked;
  const Vec3 branch = a.pos - b.pos;
  const double distance = branch.norm();
  const double dn = distance - (a.radius + b.radius);
  if (dn >= 0.0)
    return ballsApart<Law, byMean>(pair, pool, candidate, a, b, dn, displacement, parameters,
                                   update, sum);

  ContactState before;
  if (candidate.touching()) before = pool.states[candidate.stateAt()];
  const BallArms arms(a, b, dn);
  ContactKinematics kinematics;
  kinematics.dn = dn;
  kinematics.dnBefore = before.dn;
  kinematics.n = (distance > 0.0 ? 1.0 / distance : 0.0) * branch;
  // How b moves relative to a where they touch.
  const auto slipOf = [&](const auto& ofA, const auto& ofB) -> Vec3 {
    return (ofB.vel - ofA.vel) + (arms.b * ofB.spin + arms.a * ofA.spin).cross(kinematics.n);
  };
  kinematics.vel = slipOf(a, b);
  if constexpr (byMean) {
    const MeanMotion &ofA = update.mean[pair.a], &ofB = update.mean[pair.b];
    kinematics.slip = slipOf(ofA, ofB);
    kinematics.spin = ofB.spin - ofA.spin;
  } else {
    kinematics.slip = kinematics.vel;
    kinematics.spin = b.spin - a.spin;
  }
  kinematics.damp = pair.damp;
  if constexpr (Law::needsLever)
    kinematics.lever =
        aDriven ? leverOf(arms.b * kinematics.n, b.spin) : leverOf(-arms.a * kinematics.n, a.spin);
  if constexpr (Law::needsRadius)
    kinematics.radius = contactRadius(Pairing::vertexVertex, a.radius, b.radius);
  const ContactForce last{before.fn, before.ft, before.mom};
  const ContactForce f = Law::force(kinematics, parameters, last, update.dt);
  sumOfBalls(f, kinematics.n, arms, sum);
  if (byMean && !update.keep) return true;
  ContactPower power;
  power.touch(kinematics, springsOf<Law>(parameters, Pairing::vertexVertex, {a.radius, b.radius}),
              1.0, 1.0, last, f, update.dt);
  sum.power = power;
  ContactState& state =
      candidate.touching() ? pool.states[candidate.stateAt()] : pool.begin(candidate);
  state = {dn, f.fn, f.ft, f.mom};
  return true;
}

}  // namespace scree::sim
