// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/energy.hpp"

#include <cmath>

namespace scree::sim {

/// Fills in what was lost and put in since the start, and the residual. `e` has what is held now.
/// @param hysteresis  what normal forces lose is hysteresis of the law, not viscosity
inline void addLedger(EnergyBudget& e, const EnergyLedger& ledger, bool hysteresis) {
  e.friction = ledger.tangential - (e.tangential - ledger.startTangential);
  e.rollingLoss = ledger.rolling - (e.rolling - ledger.startRolling);
  (hysteresis ? e.hysteresis : e.viscosity) = ledger.normalLoss;
  e.switching = ledger.switched;
  e.damping = ledger.damping;
  e.barriers = ledger.barriers;
  e.breakage = ledger.breakage;
  e.bodyForces = ledger.bodyForces;
  e.drives = ledger.drives;
  e.cellWork = ledger.cell;
  e.residual = e.held() + e.lost() - e.putIn() - ledger.start;
  e.exchanged = ledger.exchanged + std::abs(e.potential - ledger.startPotential);
}

}  // namespace scree::sim
