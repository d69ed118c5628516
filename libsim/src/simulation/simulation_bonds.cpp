// SPDX-License-Identifier: GPL-3.0-or-later
// Interfaces that break: their pairs may touch from then on.
#include "../bonds/bond_system.hpp"
#include "../cell/cell_motion.hpp"
#include "../energy/energy_account.hpp"
#include "../forces/force_field.hpp"
#include "../state/contact_records.hpp"
#include "../state/world.hpp"

#include "scree/sim/simulation.hpp"

namespace scree::sim {

void Simulation::breakInterfaces() {
  place();  // the last stage of a step may have moved bodies on
  const BrokenInterfaces broken = bonds_->releaseBroken(world(), energy_->ledger);
  lists_.bonded = bonds_->pairs();
  if (compat_) {
    relistAsRockable(broken.contacts);
    return;
  }
  lists_.admit(broken.released, cell_->used(), field_->pairSetup(bodies_));
  lists_.update(bodies_, placed_, threads_, images(), field_->pairSetup(bodies_));
  for (const InteractionRecord& r : broken.contacts) loadContact(r, lists_.contacts);
}

}  // namespace scree::sim
