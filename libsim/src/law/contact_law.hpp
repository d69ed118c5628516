// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/lanes.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/model/contact_key.hpp"

#include <cmath>
#include <concepts>
#include <functional>
#include <string_view>
#include <utility>

namespace scree::sim {

/// One pair of sub-elements at one instant, or one a lane, reduced to what a law needs: no
/// particle, no world.
template <class Number, class Vector>
struct ContactKinematicsOf {
  Number dn = 0.0;                     ///< [L] signed gap, negative when the bodies overlap
  Number dnBefore = 0.0;               ///< [L] one step earlier; 0 where they did not touch then
  Vector n = zeroVector<Vector>();     ///< [-] unit normal, from j towards i
  Vector vel = zeroVector<Vector>();   ///< [L/T] of j relative to i at the contact point
  Vector slip = zeroVector<Vector>();  ///< [L/T] mean of `vel` over the step: springs grow by it
  Vector spin = zeroVector<Vector>();  ///< [1/T] of j relative to i, mean over the step
  Number damp = 0.0;                   ///< what the law made of the masses: `Law::damping`
  Number lever = 0.0;                  ///< [L] for laws with `needsLever`, see AvalancheLaw
  Number radius = 0.0;                 ///< [L] for laws with `needsRadius`: see contactRadius
};
using ContactKinematics = ContactKinematicsOf<double, Vec3>;

/// Force and moment of j on i at the contact point; also the memory a law gets back as its next
/// `last`.
template <class Number, class Vector>
struct ContactForceOf {
  Number fn = 0.0;                    ///< [F] along n
  Vector ft = zeroVector<Vector>();   ///< [F] across n
  Vector mom = zeroVector<Vector>();  ///< [F L]
};
using ContactForce = ContactForceOf<double, Vec3>;

/// Springs of a contact: the elastic part of a law, for the energy budget and nothing else.
/// `share` is the part of the stiffness of its pair that a contact has, dn its gap (negative).
template <class S>
concept ContactSprings = requires(const S& s, double share, double dn, double approach, double dt) {
  /// Whether the normal force is proportional to the overlap: the mean of the forces at the ends of
  /// a step is then exact.
  { S::linear } -> std::convertible_to<bool>;
  { s.force(share, dn) } -> std::same_as<double>;   // [F] along n, of the spring alone
  { s.energy(share, dn) } -> std::same_as<double>;  // [F L] that comes back along n
  // [F] the sum of the forces at both ends of a step.
  { s.forces(share, dn, share, dn) } -> std::same_as<double>;
  // [F L/T] force times `approach` less twice the energy over dt: of a spring that begins or ends.
  { s.surplus(share, dn, approach, dt) } -> std::same_as<double>;
  { s.tangential(dn) } -> std::same_as<double>;  // [F/L] kt: 1/2 ft²/kt is stored; 0: nothing
  { s.rolling() } -> std::same_as<double>;       // [F L] kr: 1/2 mom²/kr is stored; 0: nothing
};

/// Springs of constant stiffness, of one contact or one a lane.
template <class Number>
struct LinearSpringsOf {
  static constexpr bool linear = true;
  Number kn = 0.0;  ///< [F/L] of unloading: 1/2 kn dn² comes back
  Number kt = 0.0;  ///< [F/L]
  Number kr = 0.0;  ///< [F L]

  Number force(double share, const Number& dn) const { return -(share * kn * dn); }
  SCREE_INLINE Number forces(double before, const Number& dnBefore, double share,
                             const Number& dn) const {
    return -(kn * (before * dnBefore + share * dn));
  }
  Number energy(double share, const Number& dn) const { return 0.5 * share * kn * dn * dn; }
  SCREE_INLINE Number surplus(double share, const Number& dn, const Number& approach,
                              double dt) const {
    return -(share * kn * dn * (dn / dt + approach));
  }
  /// [F L/T] the same where the share changes in a step.
  double reshared(double before, double dnBefore, double share, double dn, double dt) const {
    return -(kn * (share - before) * dnBefore * dn / dt);
  }
  Number tangential(const Number&) const { return kt; }
  SCREE_INLINE Number rolling() const { return kr; }
};
using LinearSprings = LinearSpringsOf<double>;

/// Radius of curvature R* of a contact, 1/R* = 1/Ri + 1/Rj. A face counts as flat, a vertex or an
/// edge as a ball of the rounding radius of its body. [L]
inline double contactRadius(Pairing pairing, double radiusI, double radiusJ) {
  if (pairing == Pairing::vertexFace) return radiusI;
  return radiusI * radiusJ / (radiusI + radiusJ);
}

/// Where a law finds its parameters: values of keywords for the two groups at hand, 0 where the
/// file gives none.
class ParameterSource {
 public:
  using OfPair = std::function<double(std::string_view keyword)>;
  using OfGroup = std::function<double(std::string_view keyword, bool first)>;
  explicit ParameterSource(OfPair pair, OfGroup group = {})
      : pair_(std::move(pair)), group_(std::move(group)) {}
  /// Value of a keyword that holds for a pair of groups.
  double operator()(std::string_view keyword) const { return pair_(keyword); }
  /// Value of a keyword that holds for one group: the first or the second.
  double ofGroup(std::string_view keyword, bool first) const { return group_(keyword, first); }

 private:
  OfPair pair_;
  OfGroup group_;
};

/// A contact law is a type with the name conf-files use, a parameter set and pure functions. All
/// that the rest of the program knows of a law stands here; nothing else assumes a linear spring.
template <class L>
concept ContactLaw = requires(const ContactKinematics& k, const typename L::Params& p,
                              const ContactForce& last, double value,
                              const ParameterSource& source) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::help } -> std::convertible_to<std::string_view>;
  { L::needsLever } -> std::convertible_to<bool>;    // wants ContactKinematics::lever
  { L::needsRadius } -> std::convertible_to<bool>;   // wants ContactKinematics::radius, above 0
  { L::hysteresis } -> std::convertible_to<bool>;    // loses energy along n without viscosity
  { L::elasticBound } -> std::convertible_to<bool>;  // mu bounds friction by the spring part of fn
  { L::inRockable } -> std::convertible_to<bool>;    // Rockable has it, too
  { L::parameters(source) } -> std::same_as<typename L::Params>;
  // The keyword without which bodies pass through each other, where it is missing; else "".
  { L::missing(p) } -> std::convertible_to<std::string_view>;
  // Stiffnesses of a contact that carries the share `weight` of its pair of bodies.
  { p.weighted(value) } -> std::same_as<typename L::Params>;
  // The constant of a pair of bodies that meet with the effective mass `value`. It is made once and
  // kept with the pair; force() gets it as k.damp, times √share.
  { L::damping(p, value) } -> std::same_as<double>;
  // [M/T] viscosity for files: by that constant, the overlap dn and the radius.
  { L::viscosity(p, value, value, value) } -> std::same_as<double>;
  { L::force(k, p, last, value) } -> std::same_as<ContactForce>;
  // The springs of a contact of this radius, with the whole stiffness of its pair.
  { L::springs(p, value) } -> ContactSprings;
  // [T] half a period of the stiffest contact of this effective mass and radius; infinite: none.
  { L::contactTime(p, value, value) } -> std::same_as<double>;
};

/// `w` cut back to length `most` where it is longer.
inline Vec3 clamped(const Vec3& w, double most) {
  const double length2 = w.squaredNorm();
  if (length2 > 0.0 && length2 >= most * most) return w * (most / std::sqrt(length2));
  return w;
}

template <std::size_t n>
SCREE_INLINE Lane3Of<n> clamped(const Lane3Of<n>& w, const LaneOf<n>& most) {
  const LaneOf<n> length2 = w.squaredNorm();
  return choose((0.0 < length2) & (most * most <= length2), most / squareRoot(length2) * w, w);
}

/// Tangential spring: the last force plus stiffness times the slip of one step.
template <class Number, class Vector>
SCREE_INLINE Vector tangentialTrial(const ContactKinematicsOf<Number, Vector>& k, const Number& kt,
                                    const Vector& last, double dt) {
  const Vector slip = k.slip - k.slip.dot(k.n) * k.n;
  return last + Number(kt * dt) * slip;
}

/// Normal viscosity for the restitution √en2: 2 α √(kn m), α = -ln e / √(ln²e + π²). A head-on
/// collision of effective mass `mass` then keeps the share `en2` of its energy. This share is the
/// square of the restitution coefficient e. A value `en2` <= 0 gives critical damping, `en2` >= 1
/// none. [M/T]
double normalViscosity(double kn, double en2, double mass);

/// Half a period of a linear spring, π √(mass/kn); infinite without stiffness. [T]
double linearContactTime(double kn, double mass);

}  // namespace scree::sim
