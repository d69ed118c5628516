// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <optional>

namespace scree::sim {

/// Kinetic energy of a rigid body. [F L]
struct KineticEnergy {
  double translation = 0.0, rotation = 0.0;
  double sum() const { return translation + rotation; }
};

/// @param inertia  [M L²] principal moments
/// @param q        turns the frame of the principal axes into the global one
/// @param vel      [L/T] of the centre; in a periodic cell, relative to the flow of the cell
/// @param spin     [1/T] global frame
KineticEnergy kineticEnergy(double mass, const Vec3& inertia, const Quat& q, const Vec3& vel,
                            const Vec3& spin);

/// Flows of energy since a run began: sums over its steps. [F L]
struct EnergyLedger {
  double start = 0.0;                                ///< kinetic, potential and elastic energy then
  double startPotential = 0.0;                       ///< of which the potential
  double startTangential = 0.0, startRolling = 0.0;  ///< and that of tangential and rolling springs

  double normalLoss = 0.0;  ///< contact viscosity, or loading over unloading
  double switched = 0.0;    ///< lost where contacts begin, end, share again, see ContactPower
  double tangential = 0.0;  ///< absorbed by tangential forces of contacts
  double rolling = 0.0;     ///< absorbed by rolling moments
  double damping = 0.0, barriers = 0.0, breakage = 0.0;  ///< lost
  double bodyForces = 0.0, drives = 0.0;                 ///< put in
  double exchanged = 0.0;  ///< what contacts, drives and body forces have moved, in and out

  double cell = 0.0;               ///< put in by what moves a periodic cell
  Mat3 cellVirial = Mat3::Zero();  ///< [F] of bodies on the cell at the end of the last step

  /// Second half of the last step's damping, barriers and body forces, which the next step adds.
  double nextDamping = 0.0, nextBarriers = 0.0, nextBodyForces = 0.0;

  /// Energy of a file: EnergyBudget::heldInFile() when it was written, and the potential of that. A
  /// file that was edited holds another energy.
  struct Saved {
    double held = 0.0, potential = 0.0;
  };
  std::optional<Saved> saved;
};

/// The energy of a run at one time; `residual` is what does not close. [F L]
struct EnergyBudget {
  /// Kinetic, of bodies that are not driven; in a periodic cell against its flow.
  double translation = 0.0, rotation = 0.0;
  double potential = 0.0;                                ///< -m g·x of the same, about the origin
  double normal = 0.0, tangential = 0.0, rolling = 0.0;  ///< held by contacts
  double bonds = 0.0, joints = 0.0;                      ///< held by bonds and spring joints
  double cell = 0.0;                                     ///< kinetic, of a periodic cell

  // Lost since the start.
  double friction = 0.0, viscosity = 0.0, hysteresis = 0.0, rollingLoss = 0.0;
  double switching = 0.0;  ///< where contacts begin, end, share again; may be a gain
  double damping = 0.0, barriers = 0.0, breakage = 0.0;
  // Put in since the start.
  double bodyForces = 0.0, drives = 0.0;
  double cellWork = 0.0;  ///< by what moves a periodic cell

  double residual = 0.0;   ///< held now + lost - put in - held at the start
  double exchanged = 0.0;  ///< the measure of the residual: see EnergyLedger, plus |Δ potential|

  double held() const {
    return translation + rotation + potential + normal + tangential + rolling + bonds + joints +
           cell;
  }
  double lost() const {
    return friction + viscosity + hysteresis + rollingLoss + switching + damping + barriers +
           breakage;
  }
  /// Energy that a file shows at once: bonds follow with the first forces, and changes of
  /// tangential and rolling springs count as friction.
  double heldInFile() const { return translation + rotation + potential + normal + joints + cell; }
  double putIn() const { return bodyForces + drives + cellWork; }
  /// Fills in what was lost and put in since the start, and the residual, once all that is held now
  /// is there. @param ofHysteresis  what normal forces lose is hysteresis, not viscosity
  void add(const EnergyLedger& ledger, bool ofHysteresis);
};

}  // namespace scree::sim
