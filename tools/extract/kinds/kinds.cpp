// SPDX-License-Identifier: GPL-3.0-or-later
#include "kinds.hpp"

namespace scree::tools {

const std::vector<KindEntry>& allKinds() {
  static const std::vector<KindEntry> all = [] {
    std::vector<KindEntry> list = runKinds();
    for (auto* entry : {bodiesKind, contactsKind, energyKind, balanceKind, coordinationKind,
                        overlapsKind, slidingKind, stressKind, fabricKind, macroKind})
      list.push_back(entry());
    return list;
  }();
  return all;
}

}  // namespace scree::tools
