// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `energy`: where the energy is, and, by the sums of the line `#scree energy`, where it went.
#include "kinds.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <cmath>

namespace scree::tools {
namespace {

struct Motion {
  double translation = 0.0, rotation = 0.0, potential = 0.0;
  Motion& operator+=(const Motion& m) {
    translation += m.translation;
    rotation += m.rotation;
    potential += m.potential;
    return *this;
  }
};

/// Of free bodies; in a periodic cell, translation is that against the flow of the cell.
Motion motionOf(const sim::Instant& instant) {
  const sim::Conf& conf = instant.conf();
  const std::size_t driven = conf.nDriven, n = instant.bodyCount();
  return orderedSum(1, n - driven, Motion(), [&](std::size_t m) {
    const std::size_t k = driven + m;
    const sim::KineticEnergy kinetic = instant.kineticEnergy(k);
    return Motion{kinetic.translation, kinetic.rotation,
                  -instant.masses()[k] * conf.gravity.dot(instant.body(k).pos)};
  });
}

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
    const Motion m = motionOf(instant);
    const sim::ElasticEnergies held = sim::elasticEnergies(instant);
    sim::Row row{conf.t,          m.translation + m.rotation,
                 m.translation,   m.rotation,
                 m.potential,     held.normal,
                 held.tangential, held.rolling,
                 held.bonds,      held.joints};
    if (!conf.energy) {
      row.resize(columns().size(), notKnown);
      return {row};
    }
    const sim::EnergyLedger& l = *conf.energy;
    const bool hysteresis = sim::LawValues(instant).hasHysteresis();
    const double friction = l.tangential - (held.tangential - l.startTangential),
                 rolling = l.rolling - (held.rolling - l.startRolling);
    for (const double value :
         {friction, hysteresis ? 0.0 : l.normalLoss, hysteresis ? l.normalLoss : 0.0, rolling,
          l.switched, l.damping, l.barriers, l.breakage, l.bodyForces, l.drives, l.cell})
      row.emplace_back(value);
    // What the cell itself holds depends on its loading, which conf-files do not tell.
    const double all = m.translation + m.rotation + m.potential + held.normal + held.tangential +
                       held.rolling + held.bonds + held.joints;
    const double lost = friction + l.normalLoss + rolling + l.switched + l.damping + l.barriers +
                        l.breakage,
                 work = l.bodyForces + l.drives + l.cell;
    row.emplace_back(conf.cell.used ? notKnown : all + lost - work - l.start);
    return {row};
  }
};

}  // namespace

KindEntry energyKind() {
  return {
      "energy",
      "kinetic, potential and elastic energy; what was lost and put in since the start",
      {},
      [](const KindOptions&) -> std::unique_ptr<Kind> { return std::make_unique<EnergyKind>(); }};
}

}  // namespace scree::tools
