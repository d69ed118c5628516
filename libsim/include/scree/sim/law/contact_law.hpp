// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cmath>
#include <concepts>
#include <string_view>

namespace scree::sim {

/// One pair of sub-elements at one instant, reduced to what a law needs: no particle, no world.
struct ContactKinematics {
  double dn = 0.0;           ///< [L] signed gap, negative when the bodies overlap
  double dnBefore = 0.0;     ///< [L] the same one step earlier; 0 where they did not touch then
  Vec3 n = Vec3::Zero();     ///< [-] unit normal, from j towards i
  Vec3 vel = Vec3::Zero();   ///< [L/T] velocity of j relative to i at the contact point
  Vec3 slip = Vec3::Zero();  ///< [L/T] mean of `vel` over the step: what springs grow by
  Vec3 spin = Vec3::Zero();  ///< [1/T] angular velocity of j relative to i, mean over the step
  double damp = 0.0;         ///< [M/T] normal viscosity of this pair
  double lever = 0.0;        ///< [L] for laws with `needsLever`, see AvalancheLaw
};

/// What j does to i at the contact point; also the memory a law gets back as its next `last`.
struct ContactForce {
  double fn = 0.0;          ///< [F] along n
  Vec3 ft = Vec3::Zero();   ///< [F] across n
  Vec3 mom = Vec3::Zero();  ///< [F L]
};

/// Stiffnesses by which a contact gives back energy, for the energy budget.
struct ElasticStiffness {
  double normal = 0.0;      ///< [F/L] of unloading: 1/2 normal dn² comes back
  double tangential = 0.0;  ///< [F/L] 1/2 ft²/tangential is stored; 0: nothing
  double rolling = 0.0;     ///< [F L] 1/2 mom²/rolling is stored; 0: nothing
};

/// Where a law finds its parameters: the value of a keyword for the pair of groups at hand.
template <class F>
concept ParameterSource = requires(F f, std::string_view name) {
  { f(name) } -> std::convertible_to<double>;
};

/// A contact law is a type with the name conf-files use, a parameter set and one pure function.
template <class L>
concept ContactLaw = requires(const ContactKinematics& k, const typename L::Params& p,
                              const ContactForce& last, double dt, double weight,
                              double (*source)(std::string_view)) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::needsLever } -> std::convertible_to<bool>;
  { L::parameters(source) } -> std::same_as<typename L::Params>;
  // Stiffnesses of a contact that carries the share `weight` of its pair of bodies.
  { p.weighted(weight) } -> std::same_as<typename L::Params>;
  { L::force(k, p, last, dt) } -> std::same_as<ContactForce>;
  { L::elastic(p) } -> std::same_as<ElasticStiffness>;
};

/// `w` cut back to length `most` where it is longer.
inline Vec3 clamped(const Vec3& w, double most) {
  const double length2 = w.squaredNorm();
  if (length2 > 0.0 && length2 >= most * most) return w * (most / std::sqrt(length2));
  return w;
}

/// Tangential spring: the last force plus stiffness times the slip of one step.
inline Vec3 tangentialTrial(const ContactKinematics& k, double kt, const Vec3& last, double dt) {
  const Vec3 slip = k.slip - k.slip.dot(k.n) * k.n;
  return last + (kt * dt) * slip;
}

/// Viscosity that makes a head-on collision of effective mass `mass` lose energy to the share `en2`
/// (the square of the restitution coefficient): 2 α √(kn m), α = -ln e / √(ln²e + π²).
/// en2 <= 0 asks for critical damping, en2 >= 1 for none. [M/T]
double normalViscosity(double kn, double en2, double mass);

}  // namespace scree::sim
