// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/neighbour_list.hpp"
#include "engine/bond_system.hpp"
#include "engine/boundaries.hpp"
#include "engine/cell_motion.hpp"
#include "engine/drive_system.hpp"
#include "engine/energy_account.hpp"
#include "engine/restraint.hpp"

#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"

#include <optional>
#include <vector>

namespace scree::sim {

/// All that a step changes. A value: a copy is a checkpoint, from which a run goes on to the bit.
///
/// Bodies, contacts, bonds, walls and earlier motion are in the order of the run, `order`.
struct State {
  RunState clock;                          ///< t = t0 + step dt
  std::optional<SummedClock> summedClock;  ///< where the time is a sum of steps
  int iconf = 0;                           ///< number of the conf-file that was written last
  Parameters parameters;                   ///< as courses in time have them now
  Restraint restraint;                     ///< the same of what holds accelerations back

  BodyOrder order;
  Bodies bodies;
  std::vector<EarlierMotion> earlier;  ///< motion one step back, for Beeman; empty: not known
  NeighbourList lists;                 ///< with the history of all contacts
  /// Contacts of the file, until forces are evaluated: till then their velocities hold.
  std::vector<InteractionRecord> ofFile;
  BoundaryContacts walls;  ///< with the history of contacts with round walls
  BondSystem bonds;
  CellMotion cell;
  DriveSystem drives;  ///< with the values that its controls have now
  EnergyAccount energy;
};

}  // namespace scree::sim
