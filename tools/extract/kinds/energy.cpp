// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `energy`: where the energy is, and, by the sums of the line `#scree energy`, where it went.
#include "kinds.hpp"

#include "scree/sim/measure/law_values.hpp"

namespace scree::tools {
namespace {

class EnergyKind : public Kind {
 public:
  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns{{"t", "s"}};
    for (const char* name :
         {"kinetic",        "translation",        "rotation",        "potential",
          "elastic.normal", "elastic.tangential", "elastic.rolling", "elastic.bonds",
          "elastic.joints", "lost.friction",      "lost.viscosity",  "lost.hysteresis",
          "lost.rolling",   "lost.switching",     "lost.damping",    "lost.barriers",
          "lost.breakage",  "work.bodyForces",    "work.drives",     "work.cell",
          "residual"})
      columns.push_back({name, "J"});
    return columns;
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const sim::Conf& conf = instant.conf();
    // What the cell itself holds depends on its loading, which conf-files do not tell.
    const sim::EnergyBudget e = sim::energyBudget(instant, conf.cell.used ? notKnown : 0.0);
    return {{conf.t,        e.translation + e.rotation,
             e.translation, e.rotation,
             e.potential,   e.normal,
             e.tangential,  e.rolling,
             e.bonds,       e.joints,
             e.friction,    e.viscosity,
             e.hysteresis,  e.rollingLoss,
             e.switching,   e.damping,
             e.barriers,    e.breakage,
             e.bodyForces,  e.drives,
             e.cellWork,    e.residual}};
  }
};

}  // namespace

KindEntry energyKind() {
  return {
      "energy",
      "kinetic, potential and elastic energy; what was lost and put in since the start",
      {},
      [](const KindOptions&) -> std::unique_ptr<Kind> { return std::make_unique<EnergyKind>(); },
      {.x = "t",
       .y = {"kinetic", "potential", "elastic.normal", "lost.friction", "lost.viscosity"}}};
}

}  // namespace scree::tools
