// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/linear_law.hpp"

#include <cmath>

namespace scree::sim {

/// Loading along stiffness kn, unloading along en2 kn. So energy is lost in the normal direction
/// without viscosity, to the share en2, whatever the speed. Coulomb friction; rolling resistance as
/// a share of the lever.
///
///     `fn  = last.fn + kn (dnBefore - dn)` in loading (dn falls),
///     `fn  = -en2 kn dn` in unloading (dn rises).
///     `ft  = last.ft  + kt dt vel_t`, cut back to `|ft|  <= mu fn`.
///     `mom = last.mom + kr dt spin`, cut back to `|mom| <= mur lever fn`.
///
/// `lever` is the distance of the contact point from the axis about which the moving body turns
/// (through its centre of mass). While it does not turn, `lever` is the distance from the centre
/// itself.
/// Source: V. Richefeu et al., rock avalanche model of the conf-file format (seed: forceLaw
/// Avalanches); O. R. Walton & R. L. Braun, J. Rheology 30, 949-980, 1986, for the loading path.
struct AvalancheLaw : LinearLaw {
  static constexpr std::string_view name = "Avalanche";
  static constexpr std::string_view help =
      "stiffer in loading than in unloading, Coulomb friction, rolling by lever";
  static constexpr bool needsLever = true, hysteresis = true;
  struct Params {
    double kn = 0.0;   ///< [F/L] stiffness in loading
    double en2 = 0.0;  ///< [-]   stiffness in unloading over that in loading
    double kt = 0.0;   ///< [F/L] tangential stiffness
    double mu = 0.0;   ///< [-]   friction coefficient
    double kr = 0.0;   ///< [F L] rolling stiffness, per radian
    double mur = 0.0;  ///< [-]   rolling coefficient

    Params weighted(double w) const { return {w * kn, en2, w * kt, mu, w * kr, mur}; }
  };
  static Params parameters(const ParameterSource& value) {
    return {value("knContact"), value("en2Contact"), value("ktContact"),
            value("muContact"), value("krContact"),  value("murContact")};
  }
  static LinearSprings springs(const Params& p, double) noexcept {
    return {p.en2 * p.kn, p.kt, p.kr};
  }
  static ContactForce force(const ContactKinematics& k, const Params& p, const ContactForce& last,
                            double dt) noexcept {
    ContactForce f;
    const double rise = k.dn - std::min(k.dnBefore, 0.0);
    if (rise > 0.0)
      f.fn = -p.kn * p.en2 * k.dn;
    else
      f.fn = last.fn - p.kn * rise;
    f.fn = std::max(0.0, f.fn);
    f.ft = clamped(tangentialTrial(k, p.kt, last.ft, dt), std::abs(p.mu * f.fn));
    f.mom = clamped(last.mom + (p.kr * dt) * k.spin, std::abs(p.mur * k.lever * f.fn));
    return f;
  }
};

}  // namespace scree::sim
