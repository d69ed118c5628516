// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a run, of all its parts together.

#include "engine.hpp"

namespace scree::sim {

HeldEnergy Engine::heldEnergy() const {
  HeldEnergy held;
  held.contacts = field_.energy(world(), lists_.contacts);
  held.bonds = bonds_.bonds().energies.elastic;
  held.cell = cell_.energy();
  held.hysteresis = field_.kernel().law().hysteresis;
  return held;
}

EnergyBudget Engine::energyBudget() const {
  return energy_.budget(world(), cell_.flow(), heldEnergy());
}

void Engine::startEnergy(bool complete) {
  if (complete) {
    // A file holds the forces of its contacts, not their sums.
    field_.restore(world(), drives_, bonds_, lists_.contacts, bodies_);
  }
  energy_.keepDrivenForces(bodies_, drives_.drives().controls);
  if (complete && conf_.energy)
    energy_.ledger = *conf_.energy;
  else
    energy_.start(world(), cell_.flow(), heldEnergy());
}

}  // namespace scree::sim
