// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/linear_law.hpp"

#include <cmath>

namespace scree::sim {

/// Linear spring and dashpot along n, Coulomb friction across it, bounded rolling resistance.
///
///     `fn  = max(0, -kn dn + damp vel·n)`.
///     `ft  = last.ft  + kt dt vel_t`, cut back to `|ft|  <= mu kn |dn|`.
///     `mom = last.mom + kr dt spin`, cut back to `|mom| <= mur fn`.
///
/// The friction bound uses the elastic part of fn alone: damping does not raise it.
/// Source: P. A. Cundall & O. D. L. Strack, Géotechnique 29(1), 47-65, 1979.
struct DefaultLaw : LinearLaw {
  static constexpr std::string_view name = "Default";
  static constexpr std::string_view help =
      "linear spring and dashpot, Coulomb friction, rolling resistance";
  static constexpr bool elasticBound = true;
  struct Params {
    double kn = 0.0;   ///< [F/L] normal stiffness
    double kt = 0.0;   ///< [F/L] tangential stiffness
    double mu = 0.0;   ///< [-]   friction coefficient
    double kr = 0.0;   ///< [F L] rolling stiffness, per radian; 0: no rolling moment
    double mur = 0.0;  ///< [L]   rolling arm
    double en2 = 0.0;  ///< [-] square of the nominal restitution coefficient

    Params weighted(double w) const { return {w * kn, w * kt, mu, w * kr, mur, en2}; }
  };
  static Params parameters(const ParameterSource& value) {
    return {value("knContact"), value("ktContact"),  value("muContact"),
            value("krContact"), value("murContact"), value("en2Contact")};
  }
  static LinearSprings springs(const Params& p, double) noexcept { return {p.kn, p.kt, p.kr}; }
  static ContactForce force(const ContactKinematics& k, const Params& p, const ContactForce& last,
                            double dt) noexcept {
    ContactForce f;
    f.fn = std::max(0.0, -p.kn * k.dn + k.damp * k.vel.dot(k.n));
    f.ft = clamped(tangentialTrial(k, p.kt, last.ft, dt), p.mu * p.kn * std::abs(k.dn));
    if (p.kr > 0.0) f.mom = clamped(last.mom + (p.kr * dt) * k.spin, std::abs(p.mur * f.fn));
    return f;
  }
};

}  // namespace scree::sim
