// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/linear_law.hpp"

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
  template <class Number, class Vector>
  SCREE_INLINE static ContactForceOf<Number, Vector> force(
      const ContactKinematicsOf<Number, Vector>& k, const ParamsOf<Number>& p,
      const ContactForceOf<Number, Vector>& last, double dt) noexcept {
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
