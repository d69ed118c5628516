// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of an instant, from what a conf-file holds. A run writes energy.txt by the same sums.
#include "model/ledger_sums.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <cmath>

namespace scree::sim {
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

/// Of free bodies; in a periodic cell, translation is relative to the flow of the cell.
Motion motionOf(const Instant& instant) {
  const std::size_t driven = instant.conf().nDriven;
  return orderedSum(1, instant.bodyCount() - driven, Motion(), [&](std::size_t m) {
    const std::size_t k = driven + m;
    const KineticEnergy kinetic = instant.kineticEnergy(k);
    return Motion{kinetic.translation, kinetic.rotation,
                  -instant.masses()[k] * instant.conf().gravity.dot(instant.body(k).pos)};
  });
}

}  // namespace

EnergyBudget energyBudget(const Instant& instant, double cell) {
  EnergyBudget e;
  const Motion motion = motionOf(instant);
  e.translation = motion.translation;
  e.rotation = motion.rotation;
  e.potential = motion.potential;
  const ElasticEnergies elastic = elasticEnergies(instant);
  e.normal = elastic.normal;
  e.tangential = elastic.tangential;
  e.rolling = elastic.rolling;
  e.bonds = elastic.bonds;
  e.joints = elastic.joints;
  e.cell = cell;
  if (!instant.conf().energy) {
    for (double* loss : {&e.friction, &e.viscosity, &e.hysteresis, &e.rollingLoss, &e.switching,
                         &e.damping, &e.barriers, &e.breakage, &e.bodyForces, &e.drives,
                         &e.cellWork, &e.residual, &e.exchanged})
      *loss = std::nan("");
    return e;
  }
  addLedger(e, *instant.conf().energy, LawValues(instant).hasHysteresis());
  return e;
}

}  // namespace scree::sim
