// SPDX-License-Identifier: GPL-3.0-or-later
// Interfaces that break: their pairs may touch from then on.
#include "engine.hpp"
#include "state/contact_records.hpp"

namespace scree::sim {

void Engine::breakInterfaces() {
  place();  // the last stage of a step may have moved bodies on
  const BrokenInterfaces broken = bonds_.releaseBroken(world(), energy_.ledger);
  lists_.bonded = bonds_.pairs();
  if (compat_) {
    relistAsRockable(broken.contacts);
    return;
  }
  lists_.admit(broken.released, cell_.used(), field_.pairSetup(bodies_));
  lists_.update(bodies_, placed_, threads_, images(), field_.pairSetup(bodies_));
  for (const InteractionRecord& r : broken.contacts) loadContact(r, lists_.contacts);
}

}  // namespace scree::sim
