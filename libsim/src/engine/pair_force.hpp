// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over the contacts of a pair of bodies, and the growth of their memory.
#pragma once

#include "contact/kinematics.hpp"
#include "law/contact_law.hpp"
#include "model/contacts.hpp"

namespace scree::sim {

/// Twice the mean power that contacts take from the bodies over a step: forces of the step's two
/// ends times the motion between them. Of any number of contacts, or one a lane. [F L/T]
template <class Number>
struct ContactPowerOf {
  Number normal = 0.0, tangential = 0.0, rolling = 0.0;
  Number lost = 0.0;  ///< of `normal`, what no spring stores: viscosity, or loading over unloading
  /// Power of contacts that begin and end. Forces act over whole steps, so a contact that begins
  /// absorbs more than its spring stores, and one that ends releases more. Also, where one pair of
  /// sub-elements replaces another, their contacts begin and end at a finite overlap. Where the
  /// spring is not linear, also the difference of a step's mean force from the spring's.
  Number switched = 0.0;

  /// A contact that touches, with the forces of both ends of the step of length dt.
  /// @param before, share  of the stiffness of its pair at the two ends; before = 0 or a dnBefore
  /// of 0 where it did not touch
  template <class Vector, class Springs>
  SCREE_INLINE void touch(const ContactKinematicsOf<Number, Vector>& k, const Springs& springs,
                          double before, double share, const ContactForceOf<Number, Vector>& last,
                          const ContactForceOf<Number, Vector>& now, double dt) {
    // Along n by what the gap has closed: n turns while the bodies slide along each other.
    const Number zero = 0.0, twiceFn = last.fn + now.fn;
    const auto goesOn = k.dnBefore < zero;
    const auto bySlip = [&]() SCREE_INLINE_LAMBDA { return Number(k.slip.dot(k.n)); };
    const auto byGap = [&]() SCREE_INLINE_LAMBDA { return Number((k.dnBefore - k.dn) / dt); };
    const Number approach = dt > 0.0 ? either(goesOn, byGap, bySlip) : bySlip();
    normal += twiceFn * approach;
    const Number ofSprings = springs.forces(before, k.dnBefore, share, k.dn);
    lost += (twiceFn - ofSprings) * approach;
    const auto loading = [&]() SCREE_INLINE_LAMBDA {
      if constexpr (Springs::linear)
        return zero;
      else
        return ofSprings * approach -
               2.0 * (springs.energy(share, k.dn) - springs.energy(before, k.dnBefore)) / dt;
    };
    const auto beginning = [&]() SCREE_INLINE_LAMBDA {
      return springs.surplus(share, k.dn, approach, dt);
    };
    if (dt > 0.0) switched += either(goesOn, loading, beginning);
    tangential += (last.ft + now.ft).dot(k.slip);
    if (const auto rolls = zero < springs.rolling(); any(rolls))
      rolling += choose(rolls, Number((last.mom + now.mom).dot(k.spin)), zero);
  }
  /// One that goes on with another share of the stiffness of its pair: its springs then hold
  /// another energy, which no force has moved.
  template <ContactSprings Springs>
  void reshare(const ContactKinematics& k, const Springs& springs, double before, double share,
               const ContactForce& last, double dt) {
    if (!(k.dnBefore < 0.0) || !(dt > 0.0)) return;
    if constexpr (Springs::linear)  // else touch() has counted it
      switched += springs.reshared(before, k.dnBefore, share, k.dn, dt);
    const auto more = [&](double& sum, double force2, double stiffness) {
      if (!(stiffness > 0.0)) return;
      const double stored = force2 * (1.0 / share - 1.0 / before) / (stiffness * dt);
      sum += stored;  // from which what the springs hold more is taken off
      switched -= stored;
    };
    more(tangential, last.ft.squaredNorm(), springs.tangential(k.dnBefore));
    more(rolling, last.mom.squaredNorm(), springs.rolling());
  }
  /// One that has ended: its last force acts until now.
  /// @param share  of the stiffness that it had
  /// @param now    its place, by lines and planes that go on beyond their ends
  template <ContactSprings Springs>
  void part(const ContactState& state, const Springs& springs, double share, const Touch& now,
            const Vec3& slip, const Vec3& spin, double dt) {
    if (!(dt > 0.0)) return;
    const double ofSpring = springs.force(share, state.dn), approach = (state.dn - now.dn) / dt;
    normal += state.fn * approach;
    tangential += state.ft.dot(slip);
    if (springs.rolling() > 0.0) rolling += state.mom.dot(spin);
    if (now.dn < 0.0) {  // handed over to other sub-elements: its spring has not run out
      lost += (state.fn - ofSpring) * approach;
      switched -= springs.surplus(share, state.dn, -approach, dt);
    } else {  // what the force fell short of the spring's is lost, and it acts over the gap
      lost += (state.fn - ofSpring) * state.dn / dt;
      switched -= state.fn * now.dn / dt;
      if constexpr (!Springs::linear)
        switched -= springs.surplus(share, state.dn, -state.dn / dt, dt);
    }
  }

  ContactPowerOf& operator+=(const ContactPowerOf& p) {
    normal += p.normal;
    tangential += p.tangential;
    rolling += p.rolling;
    lost += p.lost;
    switched += p.switched;
    return *this;
  }
};

using ContactPower = ContactPowerOf<double>;

/// Energy that touching contacts hold. [F L]
struct ContactEnergy {
  double normal = 0.0, tangential = 0.0, rolling = 0.0;

  /// Adds the energy of the normal spring, 1/2 ft²/kt and 1/2 mom²/kr. @param share  of the
  /// stiffness of its pair
  template <ContactSprings Springs>
  void add(const ContactState& state, const Springs& springs, double share) {
    normal += springs.energy(share, state.dn);
    if (const double kt = springs.tangential(state.dn); kt > 0.0)
      tangential += 0.5 * state.ft.squaredNorm() / (share * kt);
    if (const double kr = springs.rolling(); kr > 0.0)
      rolling += 0.5 * state.mom.squaredNorm() / (share * kr);
  }
  ContactEnergy& operator+=(const ContactEnergy& e) {
    normal += e.normal;
    tangential += e.tangential;
    rolling += e.rolling;
    return *this;
  }
};

/// Sums over the contacts of a pair: the force on a (its opposite acts on b) and both moments.
struct PairForce {
  // Written and read in pairs of numbers, which have to be the same pairs. A load of two that were
  // stored apart waits until they have left the core. Hence the power first.
  ContactPower power;
  std::uint32_t looked = 0;  ///< candidates that were due
  Vec3 force = Vec3::Zero(), momentA = Vec3::Zero(), momentB = Vec3::Zero();

  /// Adds what a contact does to a: a force at `armB` from the centre of b, and a moment.
  void add(const Vec3& onA, const Vec3& momentOnA, const Vec3& armB) {
    force += onA;
    momentB -= armB.cross(onA) + momentOnA;
  }
  /// The moment on a, once all is added. @param branch  [L] centre of a minus centre of b
  void finish(const Vec3& branch) { momentA = -momentB - branch.cross(force); }
};

/// How the contacts of one pair of bodies share its stiffness (`ContactPartnership`).
enum class ContactWeights : std::uint8_t {
  none,    ///< each has all of it
  number,  ///< equal parts
  overlap  ///< in proportion to the overlap
};

/// Mean velocity and spin of a body over the motion that its contacts remember.
struct MeanMotion {
  Vec3 vel = Vec3::Zero(), spin = Vec3::Zero();
};

/// By what the memory of contacts (tangential springs, rolling, loading paths) grows.
struct HistoryUpdate {
  double dt = 0.0;  ///< [T] 0: not at all
  /// Mean motion of each body over dt. Null: the velocities that contacts see are the mean ones, as
  /// those of the half step of velocity Verlet are.
  const MeanMotion* mean = nullptr;
  /// False for a stage within a step. Its forces follow from the memory at the start of the step
  /// and the motion since, and nothing is kept. Needs `mean`.
  bool keep = true;
  bool counted = true;  ///< whether the energy budget includes what is kept
};

/// Distance of the contact point from the axis about which a body turns, or from its centre.
/// @tparam noneAtRest  NaN for a body that does not turn, so that nothing bounds its rolling
/// (Q11)
template <bool noneAtRest = false>
double leverOf(const Vec3& arm, const Vec3& spin) {
  const double spin2 = spin.squaredNorm();
  if (spin2 == 0.0) return noneAtRest ? std::nan("") : arm.norm();
  return (arm - (arm.dot(spin) / spin2) * spin).norm();
}

/// As touches(), by the bound of the run: where contacts live by list, long edges at a sine below
/// 1e-6 may touch. Forces and records of such contacts need the same answer as the step that made
/// them.
inline bool touchesInRun(bool byList, const Candidate& c, const BodyPose& i, const BodyPose& j,
                         const Vec3& branch, Touch& touch, double& rest) {
  return byList ? touches<true>(c, i, j, branch, touch, rest)
                : touches<false>(c, i, j, branch, touch, rest);
}

}  // namespace scree::sim
