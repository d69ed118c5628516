// SPDX-License-Identifier: GPL-3.0-or-later
#include "kinds.hpp"

namespace scree::tools {

const std::vector<KindEntry>& allKinds() {
  static const std::vector<KindEntry> all = [] {
    std::vector<KindEntry> list = runKinds();
    for (auto* entry :
         {bodiesKind,  contactsKind, energyKind,  balanceKind, coordinationKind, overlapsKind,
          slidingKind, stressKind,   fabricKind,  macroKind,   porosityKind,     profileKind,
          grKind,      forcesKind,   wallsKind,   chainsKind,  fragmentsKind,    sieveKind,
          damageKind,  runoutKind,   impactsKind, reachKind})
      list.push_back(entry());
    list.push_back({"diff",
                    "what two conf-files, or those of two runs, differ in, largest first",
                    {{"tolerance", "T", "relative difference that counts as none (0)"},
                     {"first", "", "the first step that differs, found by running again"}},
                    nullptr});
    return list;
  }();
  return all;
}

}  // namespace scree::tools
