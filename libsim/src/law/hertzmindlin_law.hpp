// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/contact_law.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

/// Springs of two elastic bodies with a contact of radius of curvature R*. For an overlap δ
///
///     F = 4/3 E* √R* δ^(3/2),   U = 2/5 F δ,   kn = dF/dδ = 2 E* √(R* δ),   kt = 8 G* √(R* δ)
struct HertzSprings {
  static constexpr bool linear = false;
  double kn1 = 0.0;  ///< [F/L^(3/2)] kn/√δ
  double kt1 = 0.0;  ///< [F/L^(3/2)] kt/√δ

  /// [F/L] of the whole stiffness of the pair. Below: `dn` <= 0, as for all springs.
  double normal(double dn) const { return kn1 * std::sqrt(-dn); }
  double tangential(double dn) const { return kt1 * std::sqrt(-dn); }
  double rolling() const { return 0.0; }
  double force(double share, double dn) const { return -share * (2.0 / 3.0) * normal(dn) * dn; }
  double forces(double before, double dnBefore, double share, double dn) const {
    return force(share, dn) + (dnBefore < 0.0 ? force(before, dnBefore) : 0.0);
  }
  double energy(double share, double dn) const { return -0.4 * force(share, dn) * dn; }
  double surplus(double share, double dn, double approach, double dt) const {
    return force(share, dn) * approach - 2.0 * energy(share, dn) / dt;
  }
};

/// The share ζ of critical damping at which two elastic bodies part with the restitution
/// coefficient e. For a viscosity ζ √(10/3) √(m* kn(δ)) and a force that is never attractive.
///
/// Set y = δ^(5/4) and dτ = δ^(1/4) dt. The motion m* δ'' + c(δ) δ' + F(δ) = 0 is then that of a
/// linear spring with a dashpot of share ζ. The force vanishes where that of the linear pair does.
/// So e does not depend on the speed, and is the same function of ζ as there.
///
///     `e = exp(-ζ τ)`, `τ = 2 acos(ζ)/√(1-ζ²)`; beyond ζ = 1: `τ = 2 acosh(ζ)/√(ζ²-1)`.
///
/// @param en2  e², in (0, 1]; at 0 or less 1: critical damping, e = exp(-2); at 1 or more 0
/// Relative error 1e-12. Source of the map: E. Antypov & J. A. Elliott, EPL 94, 50004, 2011; of e:
/// T. Schwager & T. Pöschel, Granular Matter 9, 465-469, 2007.
double hertzDampingShare(double en2);
/// e of that.
double hertzRestitution(double dampingShare);

/// Elastic bodies: Hertz along n, Mindlin without slip across it, Coulomb friction. A viscosity
/// gives the restitution √en2 at any speed.
///
///     `fn = max(0, 4/3 E* √R* δ^(3/2) + ζ √(10/3) √(m* kn) vel·n)`.
///     `ft = last.ft s + kt dt vel_t`, cut back to `|ft| <= mu fn`.
///     `δ = -dn`, `kn = 2 E* √(R* δ)`, `kt = 8 G* √(R* δ)`.
///
/// Here s = min(1, kt/kt(before)): a spring that becomes softer gives up force. So no energy comes
/// out of a cycle of loading and unloading. There is no rolling moment.
///
///     `1/E* = Σ (1-ν²)/E`, `1/G* = Σ (2-ν)/G`, `G = E/(2(1+ν))`, `1/R* = 1/Ri + 1/Rj`, see
///     contactRadius.
///
/// Sources: K. L. Johnson, Contact Mechanics, 1985, chapters 4 and 7; C. Thornton, S. J. Cummins &
/// P. W. Cleary, Powder Technology 210, 189-197, 2011, for s.
struct HertzMindlinLaw {
  static constexpr std::string_view name = "HertzMindlin";
  static constexpr std::string_view help =
      "elastic bodies (Hertz, Mindlin), damping by restitution, Coulomb friction";
  static constexpr bool needsLever = false, needsRadius = true, hysteresis = false,
                        elasticBound = false, inRockable = false;
  struct Params {
    double E = 0.0;       ///< [F/L²] E*
    double G = 0.0;       ///< [F/L²] G*
    double mu = 0.0;      ///< [-]    friction coefficient
    double en2 = 0.0;     ///< [-]    square of the restitution coefficient
    double zeta = 0.0;    ///< [-]    share of critical damping that gives it
    double weight = 1.0;  ///< [-]    share of the stiffness of the pair

    Params weighted(double w) const { return {E, G, mu, en2, zeta, w}; }
  };
  static Params parameters(const ParameterSource& value) {
    double compliance = 0.0, shearCompliance = 0.0;
    for (const bool first : {true, false}) {
      const double young = value.ofGroup("youngModulus", first),
                   poisson = value.ofGroup("poissonRatio", first);
      compliance += (1.0 - poisson * poisson) / young;
      shearCompliance += (2.0 - poisson) * 2.0 * (1.0 + poisson) / young;
    }
    const double en2 = value("en2Contact");
    return {1.0 / compliance,       1.0 / shearCompliance,
            value("muContact"),     en2,
            hertzDampingShare(en2), 1.0};
  }
  /// A group without modulus makes 1/E* infinite.
  static std::string_view missing(const Params& p) {
    return p.E > 0.0 ? std::string_view() : std::string_view("youngModulus");
  }
  /// [√M] viscosity over √kn.
  static double damping(const Params& p, double mass) {
    return p.zeta * std::sqrt(10.0 / 3.0) * std::sqrt(mass);
  }
  static double viscosity(const Params& p, double damping, double dn, double radius) {
    return damping * std::sqrt(springs(p, radius).normal(std::min(dn, 0.0)));
  }
  static HertzSprings springs(const Params& p, double radius) noexcept {
    const double root = std::sqrt(radius);
    return {2.0 * p.E * root, 8.0 * p.G * root};
  }
  static ContactForce force(const ContactKinematics& k, const Params& p, const ContactForce& last,
                            double dt) noexcept {
    const HertzSprings spring = springs(p, k.radius);
    ContactForce f;
    f.fn = std::max(0.0, spring.force(p.weight, k.dn) +
                             k.damp * std::sqrt(spring.normal(k.dn)) * k.vel.dot(k.n));
    const bool softer = dt > 0.0 && k.dnBefore < k.dn;
    const Vec3 before = softer ? Vec3(std::sqrt(k.dn / k.dnBefore) * last.ft) : last.ft;
    f.ft = clamped(tangentialTrial(k, p.weight * spring.tangential(k.dn), before, dt), p.mu * f.fn);
    return f;
  }
  /// At an overlap of R*/100, deeper than Hertz holds for; shorter where damping rules.
  static double contactTime(const Params& p, double mass, double radius) {
    if (!(p.E > 0.0)) return HUGE_VAL;
    const double kn = springs(p, radius).normal(-0.01 * radius);
    return linearContactTime(kn, mass) / std::max(1.0, p.zeta);
  }
};

}  // namespace scree::sim
