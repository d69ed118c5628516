// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/contact_law.hpp"

namespace scree::sim {

/// Base of laws with a spring of constant stiffness `kn` and the nominal restitution √`en2`.
struct LinearLaw {
  static constexpr bool needsLever = false, needsRadius = false, hysteresis = false,
                        elasticBound = false, inRockable = true;

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
