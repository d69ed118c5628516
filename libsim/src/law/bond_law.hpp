// SPDX-License-Identifier: GPL-3.0-or-later
// Bonds: one elastic law with viscosity, and two ways to break.
#pragma once

#include "contact/bond_geometry.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/model/bonds.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

/// One bond at one instant, or one a lane.
template <class Number, class Vector>
struct BondKinematicsOf {
  Number stretch = 0.0;  ///< [L] gap less gap at rest
  Vector n;              ///< unit normal, from j to i
  Vector nBefore;        ///< the same at the last evaluation; 0 where there was none
  Number twist = 0.0;    ///< [rad] the pair turned about n since then, on the mean of both
  Vector vel;            ///< [L/T] of j relative to i at the point
  Vector slip;           ///< [L/T] mean of `vel` over the step: what springs grow by
  Vector spin;           ///< [1/T] of j relative to i, mean over the step
  double damp = 0.0;     ///< [M/T]
};

using BondKinematics = BondKinematicsOf<double, Vec3>;
/// Force of j on i through a bond, fn n + ft + viscous, and its moment.
template <class Number, class Vector>
struct BondForceOf {
  Number fn;       ///< [F] spring and viscosity; below 0 it pulls
  Vector ft, mom;  ///< [F], [F L] elastic: memory of the next step
  Vector viscous;  ///< [F] across n, not remembered
};
using BondForce = BondForceOf<double, Vec3>;

/// Springs turn with the pair, and viscous forces stand apart from them.
struct TurningSprings {
  static constexpr bool turn = true;
};
/// Springs keep their direction, and viscous forces add to them at each step. Loads of interfaces
/// follow from sums of slips. docs/compatibility.md lists what departs from correct physics.
struct FixedSprings {
  static constexpr bool turn = false;
};

/// Springs and dashpots of a bond.
///
///     `fn  = -kn stretch + damp vel·n`.
///     `ft  = last.ft turned with the pair  + kt dt slip_t`; force across n: `ft + damp vel_t`.
///     `mom = last.mom turned with the pair + kr dt spin`.
///
/// With FixedSprings memory is not turned. Then damp vel_t is added to ft at each step, where it
/// acts as a stiffness damp/dt.
template <class Springs, class Number, class Vector>
SCREE_INLINE BondForceOf<Number, Vector> bondForce(const BondKinematicsOf<Number, Vector>& k,
                                                   const BondParameters& p, const Vector& lastFt,
                                                   const Vector& lastMom, double dt) noexcept {
  BondForceOf<Number, Vector> f;
  const Number closing = k.vel.dot(k.n), damp = k.damp;
  const Vector sliding = k.vel - closing * k.n, slip = k.slip - k.slip.dot(k.n) * k.n;
  const Number ktDt = p.kt * dt, krDt = p.kr * dt;
  f.fn = Number(-p.kn) * k.stretch + damp * closing;
  if constexpr (!Springs::turn) {
    f.ft = lastFt + ktDt * slip + Number(dt > 0.0 ? k.damp : 0.0) * sliding;
    f.mom = lastMom + krDt * k.spin;
    f.viscous = Vector(Vec3(Vec3::Zero()));
  } else {
    const auto begins = isZero(k.nBefore);
    const auto before = [&](const Vector& last) {
      return choose(begins, last, transported(last, k.nBefore, k.n, k.twist));
    };
    f.ft = before(lastFt) + ktDt * slip;
    f.mom = before(lastMom) + krDt * k.spin;
    f.viscous = damp * sliding;
  }
  return f;
}

/// [F L] stored in the springs of a bond.
template <class Number, class Vector>
SCREE_INLINE Number elasticEnergy(const BondParameters& p, const Number& stretch, const Vector& ft,
                                  const Vector& mom) {
  Number twice = p.kn * stretch * stretch;
  twice += p.kt > 0.0 ? Number(ft.squaredNorm() / p.kt) : Number(0.0);
  twice += p.kr > 0.0 ? Number(mom.squaredNorm() / p.kr) : Number(0.0);
  return 0.5 * twice;
}

/// x to the power p, for x >= 0; what x is where it is no finite number.
inline double powerOf(double x, double p) {
  if (p == 0.0) return 1.0;
  return std::isfinite(x) ? portablePow(x, p) : x;
}
inline Lane powerOf(const Lane& x, double p) {
  return eachLane<laneCount>([&](std::size_t k) { return powerOf(x[k], p); });
}

/// StickedLinks: an interface breaks as soon as the load of one of its bonds leaves
///
///     (|f_t|/ft0)^power + (|mom|/mom0)^power - fn/fn0 <= 1
///
/// f_t with its viscous part. A strength of 0 or none drops its term. With FixedSprings
/// it counts all the same: 0/0 then keeps a bond from ever breaking. Source: J.-Y. Delenne et al.,
/// Int. J. Numer. Anal. Meth. Geomech. 28, 1577-1594, 2004.
struct YieldSurface {
  static constexpr double start = -HUGE_VAL;
  template <class Springs, class Number, class Vector>
  SCREE_INLINE static Number of(const BondForceOf<Number, Vector>& f, const Number&, const Vector&,
                                const Interface& face) {
    const BondParameters& p = face.own;
    if constexpr (!Springs::turn)
      return powerOf(f.ft.norm() / p.ft0, p.power) + powerOf(f.mom.norm() / p.mom0, p.power) -
             f.fn / p.fn0 - 1.0;
    Number load = -1.0;
    if (p.ft0 > 0.0) load += powerOf(Vector(f.ft + f.viscous).norm() / p.ft0, p.power);
    if (p.mom0 > 0.0) load += powerOf(f.mom.norm() / p.mom0, p.power);
    if (p.fn0 > 0.0) load = load - f.fn / p.fn0;
    return load;
  }
  static double joined(double a, double b) { return std::max(a, b); }
  template <class>
  static bool breaks(double most, const Interface&) {
    return most > 0.0;
  }
};

/// BCM: an interface breaks once its bonds hold more energy than two new surfaces cost,
///
///     `sum over bonds of 1/2 kn max(stretch, 0)² + |ft|²/(2 kt) > 2 area Gc`,
///
/// with the stiffnesses that the forces have. No Gc or no area: it does not break. With
/// FixedSprings: by the stiffnesses of the whole interface for each bond, with the sum of slips for
/// ft/kt.
/// Source: the conf-file format (stickBCM, gcInnerBond, gcOuterBond).
struct FractureEnergy {
  static constexpr double start = 0.0;
  template <class Springs, class Number, class Vector>
  SCREE_INLINE static Number of(const BondForceOf<Number, Vector>& f, const Number& stretch,
                                const Vector& slip, const Interface& face) {
    const BondParameters& p = face.energy;
    const Number none = 0.0, opening = choose(stretch < none, none, stretch);
    Number energy = 0.5 * p.kn * opening * opening;
    if constexpr (!Springs::turn)
      energy += 0.5 * p.kt * slip.squaredNorm();
    else if (p.kt > 0.0)
      energy += 0.5 * f.ft.squaredNorm() / p.kt;
    return energy;
  }
  static double joined(double a, double b) { return a + b; }
  template <class Springs>
  static bool breaks(double energy, const Interface& face) {
    return face.area >= 0.0 && (!Springs::turn || face.energy.gc > 0.0) &&
           energy > 2.0 * face.area * face.energy.gc;
  }
};

}  // namespace scree::sim
