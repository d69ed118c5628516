// SPDX-License-Identifier: GPL-3.0-or-later
// The forces of a row of two balls. What they touch with lies on the line of their centres, so
// there is one candidate, and two vector products, of slip and moment, do for the four of others.
#pragma once

#include "step/row_forces.hpp"

namespace scree::sim {

/// Arms of a contact of two balls, along the line of centres.
struct BallArms {
  double a, b;  ///< [L] from the contact point to the centre of each
  /// @param dn  [L] gap
  BallArms(const Placed& first, const Placed& second, double dn)
      : a(first.radius + 0.5 * dn), b(second.radius + 0.5 * dn) {}
};

/// What two balls get from the force `f` that the second exerts on the first, along and across n.
inline void sumOfBalls(const ContactForce& f, const Vec3& n, const BallArms& arms, RowForce& sum) {
  const Vec3 turning = f.ft.cross(n);
  sum.force = f.fn * n + f.ft;
  sum.momentA = arms.a * turning + f.mom;
  sum.momentB = arms.b * turning - f.mom;
}

/// Whether a row is one of two balls, and is evaluated here.
inline bool isOfBalls(const PairRow& row, const Placed& a, const Placed& b) {
  return row.count == 1 && a.shape->ball && b.shape->ball;
}

/// Two balls that are apart: the end of their contact, if there was one. @returns as evaluateBalls
template <ContactLaw Law, bool byMean>
[[gnu::noinline]] bool ballsApart(PairRow& row, RowPool& pool, Candidate& candidate,
                                  const Placed& a, const Placed& b, double dn, double path,
                                  const typename Law::Params& parameters, const Growth& growth,
                                  RowForce& sum) {
  const bool ends = candidate.touching();
  if (ends) {
    if (byMean && !growth.keep) return true;  // awake until the step's end, which decides
    const Vec3 between = a.pos - b.pos;
    RelativeMotion motion(a, b, between, 1.0);
    if constexpr (byMean) motion = {growth.mean[row.a], growth.mean[row.b], between, 1.0};
    countEnd(sum.power, candidate, pool.states[candidate.stateAt()], a, b, between, motion,
             springsOf<Law>(parameters, Pairing::vertexVertex, {a.radius, b.radius}), 1.0,
             growth.dt);
    pool.end(candidate);
  }
  candidate.wake = path + std::max(dn - row.slack, 0.0);
  row.wakes = std::min(candidate.wake, row.expires);
  return ends;
}

/// evaluateRow for two balls. Their one contact has the whole stiffness of the pair, whatever
/// weights there are.
template <ContactLaw Law, bool byMean>
[[gnu::flatten]] bool evaluateBalls(PairRow& row, RowPool& pool, const Placed& a, const Placed& b,
                                    bool aDriven, double path,
                                    const typename Law::Params& parameters, const Growth& growth,
                                    RowForce& sum) {
  Candidate& candidate = pool.candidates[row.first];
  if (candidate.wake > path) {
    row.wakes = std::min(candidate.wake, row.expires);
    return false;
  }
  ++sum.looked;
  const Vec3 between = a.pos - b.pos;
  const double distance = between.norm();
  const double dn = distance - (a.radius + b.radius);
  if (dn >= 0.0)
    return ballsApart<Law, byMean>(row, pool, candidate, a, b, dn, path, parameters, growth, sum);

  ContactState before;
  if (candidate.touching()) before = pool.states[candidate.stateAt()];
  const BallArms arms(a, b, dn);
  ContactKinematics kinematics;
  kinematics.dn = dn;
  kinematics.dnBefore = before.dn;
  kinematics.n = (distance > 0.0 ? 1.0 / distance : 0.0) * between;
  // How b moves relative to a where they touch.
  const auto slipOf = [&](const auto& ofA, const auto& ofB) -> Vec3 {
    return (ofB.vel - ofA.vel) + (arms.b * ofB.spin + arms.a * ofA.spin).cross(kinematics.n);
  };
  kinematics.vel = slipOf(a, b);
  if constexpr (byMean) {
    const MeanMotion &ofA = growth.mean[row.a], &ofB = growth.mean[row.b];
    kinematics.slip = slipOf(ofA, ofB);
    kinematics.spin = ofB.spin - ofA.spin;
  } else {
    kinematics.slip = kinematics.vel;
    kinematics.spin = b.spin - a.spin;
  }
  kinematics.damp = row.damp;
  if constexpr (Law::needsLever)
    kinematics.lever =
        aDriven ? leverOf(arms.b * kinematics.n, b.spin) : leverOf(-arms.a * kinematics.n, a.spin);
  if constexpr (Law::needsRadius)
    kinematics.radius = contactRadius(Pairing::vertexVertex, a.radius, b.radius);
  const ContactForce last{before.fn, before.ft, before.mom};
  const ContactForce f = Law::force(kinematics, parameters, last, growth.dt);
  sumOfBalls(f, kinematics.n, arms, sum);
  if (byMean && !growth.keep) return true;
  ContactPower power;
  power.touch(kinematics, springsOf<Law>(parameters, Pairing::vertexVertex, {a.radius, b.radius}),
              1.0, 1.0, last, f, growth.dt);
  sum.power = power;
  ContactState& state =
      candidate.touching() ? pool.states[candidate.stateAt()] : pool.begin(candidate);
  state = {dn, f.fn, f.ft, f.mom};
  return true;
}

}  // namespace scree::sim
