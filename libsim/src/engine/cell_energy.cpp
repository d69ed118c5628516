// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of bodies in a periodic cell, and of the cell.
//
// The fluctuation w = v - L x of a body, with L = h' h⁻¹, is its velocity against the flow of the
// cell. It does not change where a body leaves through one side and enters through the other. So
// the kinetic energy of fluctuations is the one that counts. From x'' = F/m + g + h'' h⁻¹ x follows
// w' = F/m + g - L w. Let f be the force of image b on a, and r the branch vector from a to b.
// Then:
//
//     `d/dt Σ ½ m w² = -(power absorbed by contacts) + Σ m g·w + V σ : L`,
//     `V σ = Σ f rᵀ - Σ m w wᵀ`, compression negative.
//
// So bodies load the cell by P = V σ h⁻ᵀ, and the cell puts P : h' into them. The drive of
// components with an imposed velocity puts in that work. The drive of components that follow a
// stress puts in -p V h⁻ᵀ : h'. Of this the cell keeps ½ M h'² and loses d h'².
//
// Without useKineticStress the cell does not feel fluctuations, though it moves them. Their work
// then counts as work of the drive. A body that the cell carries up, by its flow or from one side
// to the other, gets potential energy from it. (A round boundary does not flow: in a cell that
// does, its forces are not in σ, and the budget does not close.)
//
// Each work is that of the forces of both ends of a step over the motion between them: order 2.
#include "cell_motion.hpp"

#include "scree/base/parallel.hpp"

#include <cmath>

namespace scree::sim {

double CellMotion::fluctuationEnergy(const World& world) const {
  const Bodies& bodies = world.bodies;
  const Mat3 gradient = flow();
  return orderedSum(world.model.threads, world.freeBodies(), 0.0, [&](std::size_t m) {
    const std::size_t k = bodies.driven + m;
    return 0.5 * bodies.mass[k] * (bodies.vel[k] - gradient * bodies.pos[k]).squaredNorm();
  });
}

double CellMotion::energy() const {
  if (!used() || !loading) return 0.0;
  double sum = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (byStress(r, c)) sum += cell.vh(r, c) * cell.vh(r, c);
  return 0.5 * mass * sum;
}

void CellMotion::lift(const World& world, const Mat3& strainOfStep, EnergyLedger& ledger) const {
  const Bodies& bodies = world.bodies;
  const Vec3& gravity = world.model.gravity;
  if (gravity.isZero(0.0) || strainOfStep.isZero(0.0)) return;
  const Vec3 moment =
      orderedSum(world.model.threads, world.freeBodies(), Vec3(Vec3::Zero()), [&](std::size_t m) {
        const std::size_t k = bodies.driven + m;
        return Vec3(bodies.mass[k] * bodies.pos[k]);
      });
  ledger.cell -= 0.5 * gravity.dot(strainOfStep * moment);
}

/// @param accBefore  of the cell over the first half of the step
/// @param virialNow  V σ, fluctuations counted
void CellMotion::account(double dt, const Mat3& accBefore, const Mat3& virialNow,
                         const Mat3& pressure, EnergyLedger& ledger) const {
  const Mat3 inverse = images.inverse.transpose();
  const Mat3 virial = virialNow * inverse, twiceVirial = ledger.cellVirial + virial;
  ledger.cellVirial = virial;
  if (!(dt > 0.0)) return;
  // The mean over the step, from the velocity at its end.
  const Mat3 velocity = cell.vh - (0.5 * dt) * cell.ah;
  const Mat3 hBefore = cell.h - dt * velocity;
  Mat3 wanted = Mat3::Zero(), unfelt = Mat3::Zero();
  if (loading)
    wanted = -loading->pressure *
             (std::abs(cell.h.determinant()) * inverse +
              std::abs(hBefore.determinant()) * Mat3(hBefore.inverse().transpose()));
  if (!cell.kineticStress) unfelt = -2.0 * pressure * inverse;
  double work = 0.0, lost = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const double v = velocity(r, c);
      if (!byStress(r, c)) {
        work += 0.5 * dt * twiceVirial(r, c) * v;
        continue;
      }
      work += 0.5 * dt * (wanted(r, c) + unfelt(r, c)) * v;
      // As bodies feel damping: that of the velocity of the half step before.
      lost += 0.5 * dt * cell.dh * (v + v - dt * accBefore(r, c)) * v;
    }
  ledger.cell += work;
  ledger.damping += lost;
  ledger.exchanged += std::abs(work);
}

}  // namespace scree::sim
