// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cell_motion.hpp"
#include "engine/world.hpp"
#include "model/contacts.hpp"

namespace scree::sim {

/// The periodic cell as in Rockable, for `--compat rockable` alone: moves a CellMotion, and bodies
/// with it. Owns what that needs from one half of a step to the other. Sums as in CellMotion.
class CellAsRockable {
 public:
  /// For all pairs of bodies the image of the second one beside the first.
  static void findImages(const World& world, Contacts& contacts);
  /// First half of a step: moves the cell and all bodies.
  void drift(const World& world, CellMotion& motion, Bodies& bodies, EnergyLedger& ledger);
  /// V σ [F L] of contacts and bonds, once forces are summed up.
  void setVirial(const Mat3& virial) { virial_ = virial; }
  /// Second half. @param dt  0: at the start, when the cell has no loading and nothing moves on
  void finish(const World& world, double dt, CellMotion& motion, Bodies& bodies,
              EnergyLedger& ledger);
  /// Adds the work of the step to the ledger.
  void account(const World& world, const CellMotion& motion, EnergyLedger& ledger) const;

 private:
  Mat3 virial_ = Mat3::Zero();       ///< [F L] of the last evaluation
  Mat3 twiceVirial_ = Mat3::Zero();  ///< [F] on the cell, of both ends of the step
  Mat3 velocity_ = Mat3::Zero();     ///< [L/T] of h, mean over the step
  double energyBefore_ = 0.0;        ///< [F L] of the cell
};

}  // namespace scree::sim
