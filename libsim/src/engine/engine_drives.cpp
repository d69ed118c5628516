// SPDX-License-Identifier: GPL-3.0-or-later
// Other drives for a simulation that runs.

#include "engine.hpp"

namespace scree::sim {

void Engine::setDrives(Drives drives) {
  DriveSystem::check(world(), conf_.shapeNames, drives);
  const double before = cell_.energy();  // of the components that follow a stress
  cell_.loading = drives.cell;
  drives_.replace(world(), std::move(drives), bodies_);
  energy_.ledger.cell += cell_.energy() - before;
}

void Engine::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  drives_.takeOffImposed(compat_, force, moment);
}

bool Engine::hasBelts() const { return drives_.hasBelts(bodies_); }

}  // namespace scree::sim
