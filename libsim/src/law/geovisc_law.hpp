// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/linear_law.hpp"

#include <cmath>

namespace scree::sim {

/// Friction by viscosity, without memory: a contact creeps under any tangential force.
///
///     `fn  = max(0, -kn dn + damp vel·n)`.
///     `ft  = viscT vel_t`, cut back to `|ft|  <= mu kn |dn|`.
///     `mom = last.mom + kr dt spin`, cut back to `|mom| <= mur fn`; only where kr > 0.
///
/// Under `ContactPartnership` viscT is not shared out between the contacts of a pair, as the
/// format's reference defines it.
/// Source: the conf-file format (viscTContact, March 2025).
struct GeoViscLaw : LinearLaw {
  static constexpr std::string_view name = "GeoVisc";
  static constexpr std::string_view help =
      "linear spring and dashpot, tangential viscosity bounded by Coulomb friction";
  static constexpr bool elasticBound = true;
  struct Params {
    double kn = 0.0;     ///< [F/L]   normal stiffness
    double viscT = 0.0;  ///< [F T/L] tangential viscosity
    double mu = 0.0;     ///< [-]     friction coefficient
    double kr = 0.0;     ///< [F L]   rolling stiffness, per radian; 0: no rolling moment
    double mur = 0.0;    ///< [L]     rolling arm
    double en2 = 0.0;    ///< [-] square of the nominal restitution coefficient

    Params weighted(double w) const { return {w * kn, viscT, mu, w * kr, mur, en2}; }
  };
  static Params parameters(const ParameterSource& value) {
    return {value("knContact"), value("viscTContact"), value("muContact"),
            value("krContact"), value("murContact"),   value("en2Contact")};
  }
  static LinearSprings springs(const Params& p, double) noexcept { return {p.kn, 0.0, p.kr}; }
  static ContactForce force(const ContactKinematics& k, const Params& p, const ContactForce& last,
                            double dt) noexcept {
    ContactForce f;
    f.fn = std::max(0.0, -p.kn * k.dn + k.damp * k.vel.dot(k.n));
    const Vec3 slip = k.vel - k.vel.dot(k.n) * k.n;
    f.ft = clamped(p.viscT * slip, p.mu * p.kn * std::abs(k.dn));
    if (p.kr > 0.0) f.mom = clamped(last.mom + (p.kr * dt) * k.spin, std::abs(p.mur * f.fn));
    return f;
  }
};

}  // namespace scree::sim
