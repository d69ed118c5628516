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
  template <class Number>
  struct ParamsOf {
    Number kn = 0.0;   ///< [F/L] normal stiffness
    Number kt = 0.0;   ///< [F/L] tangential stiffness
    Number mu = 0.0;   ///< [-]   friction coefficient
    Number kr = 0.0;   ///< [F L] rolling stiffness, per radian; 0: no rolling moment
    Number mur = 0.0;  ///< [L]   rolling arm
    double en2 = 0.0;  ///< [-] square of the nominal restitution coefficient

    ParamsOf weighted(double w) const { return {w * kn, w * kt, mu, w * kr, mur, en2}; }
  };
  using Params = ParamsOf<double>;
  static Params parameters(const ParameterSource& value) {
    return {value("knContact"), value("ktContact"),  value("muContact"),
            value("krContact"), value("murContact"), value("en2Contact")};
  }
  template <class Number>
  static LinearSpringsOf<Number> springs(const ParamsOf<Number>& p, double) noexcept {
    return {p.kn, p.kt, p.kr};
  }
  template <class Number, class Vector>
  static ContactForceOf<Number, Vector> force(const ContactKinematicsOf<Number, Vector>& k,
                                              const ParamsOf<Number>& p,
                                              const ContactForceOf<Number, Vector>& last,
                                              double dt) noexcept {
    ContactForceOf<Number, Vector> f;
    const Number zero = 0.0, elastic = -p.kn * k.dn + k.damp * k.vel.dot(k.n);
    f.fn = choose(zero < elastic, elastic, zero);
    f.ft = clamped(tangentialTrial(k, p.kt, last.ft, dt), p.mu * p.kn * magnitude(k.dn));
    if (const auto rolls = zero < p.kr; any(rolls)) {
      const Vector trial = last.mom + Number(p.kr * dt) * k.spin;
      f.mom = choose(rolls, clamped(trial, magnitude(p.mur * f.fn)), f.mom);
    }
    return f;
  }
};

}  // namespace scree::sim
