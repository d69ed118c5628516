// SPDX-License-Identifier: GPL-3.0-or-later
// What the contacts of a pair of bodies add up to, and by what their memory grows.
#pragma once

#include "contact/kinematics.hpp"
#include "engine/contact_power.hpp"
#include "model/contacts.hpp"

#include <span>

namespace scree::sim {

/// What the contacts of a pair sum up to: the force on a (its opposite acts on b) and both moments.
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

}  // namespace scree::sim
