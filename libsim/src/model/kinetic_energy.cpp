// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/energy.hpp"

#include <cmath>

namespace scree::sim {

KineticEnergy kineticEnergy(double mass, const Vec3& inertia, const Quat& q, const Vec3& vel,
                            const Vec3& spin) {
  const Vec3 own = turnedBack(q, spin);
  return {0.5 * mass * vel.squaredNorm(), 0.5 * own.dot(inertia.cwiseProduct(own))};
}

void EnergyBudget::add(const EnergyLedger& ledger, bool ofHysteresis) {
  friction = ledger.tangential - (tangential - ledger.startTangential);
  rollingLoss = ledger.rolling - (rolling - ledger.startRolling);
  (ofHysteresis ? hysteresis : viscosity) = ledger.normalLoss;
  switching = ledger.switched;
  damping = ledger.damping;
  barriers = ledger.barriers;
  breakage = ledger.breakage;
  bodyForces = ledger.bodyForces;
  drives = ledger.drives;
  cellWork = ledger.cell;
  residual = held() + lost() - putIn() - ledger.start;
  exchanged = ledger.exchanged + std::abs(potential - ledger.startPotential);
}

}  // namespace scree::sim
