// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a run, of all its parts together.
#include "../bonds/bond_system.hpp"
#include "../cell/cell_motion.hpp"
#include "../drives/drive_system.hpp"
#include "../energy/energy_account.hpp"
#include "../state/world.hpp"

#include "scree/sim/simulation.hpp"

namespace scree::sim {

HeldEnergy Simulation::heldEnergy() const {
  HeldEnergy held;
  held.contacts = kernel_->energy(lists_.contacts, placed_, weights_);
  held.contacts += kernel_->energy(boundaries_, placed_, weights_);
  held.bonds = bonds_->bonds().energies.elastic;
  held.cell = cell_->energy();
  held.hysteresis = kernel_->law().hysteresis;
  return held;
}

EnergyBudget Simulation::energyBudget() const {
  return energy_->budget(world(), cell_->flow(), heldEnergy());
}

void Simulation::startEnergy(bool complete) {
  if (complete) {
    // A file holds the forces of its contacts, not their sums.
    drives_->addForces(bodies_);
    addRememberedForces(lists_.contacts, placed_, images(), compat_, bodies_);
    addBodyForces();
    bonds_->addRememberedForces(world(), bodies_);
    addJointForces(conf_.joints, bodies_);
  }
  energy_->keepDrivenForces(bodies_, drives_->drives().controls);
  if (complete && conf_.energy)
    energy_->ledger = *conf_.energy;
  else
    energy_->start(world(), cell_->flow(), heldEnergy());
}

}  // namespace scree::sim
