// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of a file.
#include "engine.hpp"
#include "state/contact_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace scree::sim {

void Engine::loadContacts(Diagnostics& diagnostics) {
  if (!compat_) {
    const std::vector<InteractionRecord> records = checkedInteractions(world());
    std::size_t again = 0, first = 0;
    for (std::size_t m = 0; m < records.size(); ++m)
      if (!loadContact(records[m], lists_.contacts) && again++ == 0) first = m;
    if (again > 0)
      diagnostics.warn(conf_.errorAtInteraction(
          first,
          fmt::format("Interactions: contact given twice; {} such line{}, the last one counts",
                      again, again > 1 ? "s" : "")));
    return;
  }
  referenceList_.emplace(model_.shapes, model_.geometries);
  std::vector<InteractionRecord> listed = checkedInteractions(world());
  // Bonds stand among the interactions of a file; what else is listed of their bodies acts.
  std::vector<ContactKey> glued;
  for (const Interface& face : bonds_.bonds().interfaces)
    for (std::uint32_t k = face.first; k < face.first + face.count; ++k) {
      const Bond& b = bonds_.bonds().bonds[k];
      glued.push_back({face.i, face.j, b.pairing, b.iSub, b.jSub});
    }
  std::sort(glued.begin(), glued.end());
  std::erase_if(listed, [&](const InteractionRecord& r) {
    return std::binary_search(glued.begin(), glued.end(), r.key);
  });
  for (const InteractionRecord& r : conf_.idle)
    listed.push_back(checkedContact(world(), r, [&](const std::string& message) {
      return conf_.errorAt("", "#scree idle: " + message);
    }));
  ReferenceList::adopt(std::move(listed), bodies_, field_.pairSetup(bodies_), lists_.contacts);
}

}  // namespace scree::sim
