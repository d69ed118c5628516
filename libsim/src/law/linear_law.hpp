// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/contact_law.hpp"

namespace scree::sim {

/// Base of laws with a spring of constant stiffness `kn` and the nominal restitution √`en2`. A law
/// with other parameters hides those here.
struct LinearLaw {
  static constexpr bool needsLever = false, needsRadius = false, hysteresis = false,
                        elasticBound = false, inRockable = true;
  /// Parameters of a law with three springs, of one contact or one a lane.
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
  SCREE_INLINE static LinearSpringsOf<Number> springs(const ParamsOf<Number>& p, double) noexcept {
    return {p.kn, p.kt, p.kr};
  }
  template <class P>
  static std::string_view missing(const P& p) {
    return p.kn > 0.0 ? std::string_view() : std::string_view("knContact");
  }
  /// [M/T] of the dashpot along n.
  template <class P>
  static double damping(const P& p, double mass) {
    return normalViscosity(p.kn, p.en2, mass);
  }
  template <class P>
  static double viscosity(const P&, double damping, double, double) {
    return damping;
  }
  template <class P>
  static double contactTime(const P& p, double mass, double) {
    return linearContactTime(p.kn, mass);
  }
};

}  // namespace scree::sim
