// SPDX-License-Identifier: GPL-3.0-or-later
#include "kinds.hpp"

namespace scree::tools {

const std::vector<KindEntry>& allKinds() {
  static const std::vector<KindEntry> all = [] {
    std::vector<KindEntry> list = runKinds();
    for (auto* entry :
         {bodiesKind,    contactsKind, energyKind, balanceKind, coordinationKind, overlapsKind,
          slidingKind,   stressKind,   fabricKind, macroKind,   porosityKind,     profileKind,
          grKind,        surfaceKind,  fieldKind,  forcesKind,  wallsKind,        chainsKind,
          fragmentsKind, sieveKind,    damageKind, runoutKind,  impactsKind,      reachKind})
      list.push_back(entry());
    list.push_back({"diff",
                    "differences between two conf-files, or those of two runs, largest first",
                    {{"tolerance", "T", "relative difference that is ignored (0)"},
                     {"first", "", "the first step that differs, found by running again"}},
                    nullptr,
                    {.x = "body", .y = {"difference"}, .points = true}});
    list.push_back({"exceedance",
                    "share of the rows of tables in which a quantity exceeds a level, with its "
                    "standard error",
                    {{"of", "COLUMN", "the quantity", true},
                     {"by", "COLUMN", "a curve for each of its values"},
                     {"together", "COLUMN", "rows of one value are one draw (each row is one)"},
                     {"levels", "A,B,...", "the levels (all values that occur)"},
                     {"bins", "N", "equal steps from the smallest to the largest value"}},
                    nullptr,
                    {.x = "level", .y = {"p"}, .error = "error"}});
    list.push_back({"join",
                    "one table from those of an ensemble, with the columns of its runs.csv",
                    {{"runs", "FILE", "the table of runs (runs.csv beside the tables or above)"}},
                    nullptr});
    return list;
  }();
  return all;
}

}  // namespace scree::tools
