// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/body_forces.hpp"
#include "engine/drive_system.hpp"
#include "engine/pair_force.hpp"
#include "engine/world.hpp"

#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/energy.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace scree::sim {

/// Energy that is held now by what an account does not see itself. [F L]
struct HeldEnergy {
  ContactEnergy contacts;
  double bonds = 0.0, cell = 0.0;
  bool hysteresis = false;  ///< what normal forces lose is hysteresis, not viscosity
};

/// Kinetic and potential energy of the bodies that are not driven. [F L]
/// @param flow  [1/T] as EnergyAccount::budget() has it
double energyOfBodies(const World& world, const Mat3& flow);

/// Where the energy of a run is and where it has gone. Owns the ledger, and the forces on driven
/// bodies at the end of the last step. Changes nothing of the state.
///
/// Sums over bodies run in the order of bodies, in blocks of fixed length; those over driven bodies
/// in their order.
class EnergyAccount {
 public:
  EnergyLedger ledger;

  /// @param flow  [1/T] gradient of the velocity of the periodic cell, else 0. O(bodies)
  EnergyBudget budget(const World& world, const Mat3& flow, const HeldEnergy& held) const;
  /// The ledger of a run that begins; what the cell has noted stays.
  void start(const World& world, const Mat3& flow, const HeldEnergy& held);
  /// Goes on with the ledger of a file. Where that holds another energy than when it was saved,
  /// someone has changed gravity, masses, stiffnesses or bodies: this counts as work.
  /// @returns that work [F L]; 0 where it is no more than what rounding of the file explains
  double takeUp(const World& world, const Mat3& flow, const HeldEnergy& held);
  /// Forces on driven bodies as they stand in the sums, without those that are imposed.
  void keepDrivenForces(const Bodies& bodies, std::span<const Control> controls);
  /// Adds the work of one step of length `dt` [T], once its forces are summed up.
  /// @param power  that contacts absorb
  /// @param kicks  velocity Verlet: forces act on to the velocity of the next half step
  void add(const World& world, const Mat3& flow, const ContactPower& power,
           const BondEnergies& bonds, double dt, const DriveSystem& drives, bool kicks);
  /// Adds `work` [F L] of drives, of boundaries that move, or of masses that follow a course in
  /// time.
  void addWork(double work) {
    ledger.drives += work;
    ledger.exchanged += std::abs(work);
  }

 private:
  void addDrives(const World& world, const Mat3& flow, double dt, const DriveSystem& drives);
  void addHeldBack(const World& world, double dt, bool kicks);

  std::vector<ForceAndMoment> drivenForce_;  ///< of contacts and joints on driven bodies
  std::vector<ForceAndMoment> before_;       ///< scratch: the same one step back
};

}  // namespace scree::sim
