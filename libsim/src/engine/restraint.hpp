// SPDX-License-Identifier: GPL-3.0-or-later
// Damping in proportion to force, and velocity barriers: what holds accelerations back.
#pragma once

#include "engine/rigid_motion.hpp"

#include "scree/base/math.hpp"

namespace scree::sim {

struct Restraint {
  double damping = 0.0;                                ///< numericalDampingCoeff, [-]
  double barrier = 0.0, exponent = 1.0;                ///< VelocityBarrier [L/T], 0: none
  double angularBarrier = 0.0, angularExponent = 1.0;  ///< [1/T], 0: none

  bool acts() const { return damping > 0.0 || barrier > 0.0 || angularBarrier > 0.0; }
};

/// What drives a free body: all that acts on it, weight included.
struct BodyLoad {
  Vec3 acc = Vec3::Zero();     ///< [L/T²]
  Vec3 moment = Vec3::Zero();  ///< [F L]
};

/// 1 - c where force and motion agree (`power` > 0), 1 + c where they oppose each other. 1 without
/// power: what is at rest stays as it is.
inline double dampingFactor(double c, double power) {
  return power > 0.0 ? 1.0 - c : (power < 0.0 ? 1.0 + c : 1.0);
}

/// Local damping of the whole unbalanced force and moment, weight included, so that it vanishes at
/// rest. It goes by the sign of force times velocity as vectors, as in the format's public program.
/// Source: P. A. Cundall, in Numerical Methods in Geomechanics (Innsbruck), 1988.
inline BodyLoad damped(const BodyLoad& p, double c, const Vec3& vel, const Vec3& spin) {
  return {dampingFactor(c, p.acc.dot(vel)) * p.acc,
          dampingFactor(c, p.moment.dot(spin)) * p.moment};
}

/// (1 - r)/(1 + r) with r = |v/B|^e, for each global component: an acceleration fades as the
/// component nears the barrier, and turns back beyond it.
inline double barrierFactor(double v, double barrier, double exponent) {
  const double r = portablePow(std::abs(v) / barrier, exponent);
  return r == HUGE_VAL ? -1.0 : (1.0 - r) / (1.0 + r);
}
inline Vec3 barrierFactors(const Vec3& v, double barrier, double exponent) {
  return {barrierFactor(v[0], barrier, exponent), barrierFactor(v[1], barrier, exponent),
          barrierFactor(v[2], barrier, exponent)};
}

/// `p` behind the barriers, for a body of this velocity, orientation and spin.
inline BodyLoad behindBarriers(const BodyLoad& p, const Restraint& r, const Vec3& vel,
                               const Quat& q, const Vec3& spin, const Vec3& inertia) {
  BodyLoad held = p;
  if (r.barrier > 0.0) held.acc = barrierFactors(vel, r.barrier, r.exponent).cwiseProduct(p.acc);
  if (r.angularBarrier > 0.0) {
    const Vec3 acc = barrierFactors(spin, r.angularBarrier, r.angularExponent)
                         .cwiseProduct(angularAcceleration(q, spin, p.moment, inertia));
    held.moment = momentBehind(q, spin, acc, inertia);
  }
  return held;
}

}  // namespace scree::sim
