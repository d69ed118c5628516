// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/bodies.hpp"

#include "scree/sim/model/energy.hpp"

#include <cmath>
#include <type_traits>

namespace scree::sim {

void Bodies::resize(std::size_t n) {
  forEachArray([n]<class T>(std::vector<T>& of) {
    if constexpr (std::is_same_v<T, Vec3>)
      of.assign(n, Vec3::Zero());
    else if constexpr (std::is_same_v<T, Quat>)
      of.assign(n, Quat::Identity());
    else
      of.assign(n, T{});
  });
  homothety.assign(n, 1.0);
}

bool Bodies::movedFurther(std::span<const double> most, std::size_t begin, std::size_t end) const {
  std::size_t further = 0;  // counted, so that the comparisons stand side by side
  for (std::size_t k = begin; k < end; ++k) further += lastMove[k] > most[k] ? 1 : 0;
  return further > 0;
}

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
