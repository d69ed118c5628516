// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of bodies in a periodic cell, and of the cell.
//
// Velocities against the flow of the cell, w = v - L x with L = h' h⁻¹, do not change where a body
// leaves through one side and comes in through the other, so theirs is the kinetic energy that
// counts. From x'' = F/m + g + h'' h⁻¹ x follows w' = F/m + g - L w, and for forces f that image b
// does to a over the branch r from a to b
//
//     d/dt Σ ½ m w² = -(power that contacts take up) + Σ m g·w + V σ : L,
//     V σ = Σ f rᵀ - Σ m w wᵀ,      compression negative.
//
// So bodies pull the cell by P = V σ h⁻ᵀ and the cell puts P : h' into them: what it is that moves
// components with an imposed velocity puts in that, and what moves components that follow a stress
// -p V h⁻ᵀ : h', of which the cell keeps ½ M h'² and loses d h'². Without useKineticStress the cell
// does not feel fluctuations, though it moves them: what they do then comes out of nowhere, that is
// out of what moves the cell. A body that the cell carries up, by its flow or from one side to the
// other, gets potential energy from it. (A round boundary does not flow: in a cell that does, its
// forces are not in σ, and the budget does not close.)
//
// Each work is that of the forces of both ends of a step over the motion between them: order 2.
#include "scree/base/parallel.hpp"
#include "scree/sim/simulation.hpp"

#include <cmath>

namespace scree::sim {

Mat3 Simulation::cellFlow() const {
  return images() ? Mat3(cell_.images.velocity * cell_.images.inverse) : Mat3(Mat3::Zero());
}

double Simulation::fluctuationEnergy() const {
  const Mat3 flow = cellFlow();
  return orderedSum(threads_, bodies_.size() - bodies_.driven, 0.0, [&](std::size_t m) {
    const std::size_t k = bodies_.driven + m;
    return 0.5 * bodies_.mass[k] * (bodies_.vel[k] - flow * bodies_.pos[k]).squaredNorm();
  });
}

double Simulation::cellEnergy() const {
  if (!images() || !drives_.cell) return 0.0;
  double sum = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (drives_.cell->byStress(r, c)) sum += conf_.cell.vh(r, c) * conf_.cell.vh(r, c);
  return 0.5 * cell_.mass * sum;
}

/// Half of what the flow of a step puts into the potential, at one of its ends.
void Simulation::liftByCell(const Mat3& strain) {
  if (conf_.gravity.isZero(0.0) || strain.isZero(0.0)) return;
  const Vec3 moment =
      orderedSum(threads_, bodies_.size() - bodies_.driven, Vec3(Vec3::Zero()), [&](std::size_t m) {
        const std::size_t k = bodies_.driven + m;
        return Vec3(bodies_.mass[k] * bodies_.pos[k]);
      });
  ledger_.cell -= 0.5 * conf_.gravity.dot(strain * moment);
}

/// @param accBefore  of the cell over the first half of the step
/// @param virial     V σ now, fluctuations counted
void Simulation::addCellToLedger(double dt, const Mat3& accBefore, const Mat3& virial,
                                 const Mat3& press) {
  const PeriodicCell& cell = conf_.cell;
  const Mat3 inverse = cell_.images.inverse.transpose();
  const Mat3 pull = virial * inverse, twicePull = ledger_.cellPull + pull;
  ledger_.cellPull = pull;
  if (!(dt > 0.0)) return;
  // The mean over the step, from the velocity at its end.
  const Mat3 velocity = cell.vh - (0.5 * dt) * cell.ah;
  const Mat3 hBefore = cell.h - dt * velocity;
  Mat3 wanted = Mat3::Zero(), unfelt = Mat3::Zero();
  if (drives_.cell)
    wanted = -drives_.cell->pressure *
             (std::abs(cell.h.determinant()) * inverse +
              std::abs(hBefore.determinant()) * Mat3(hBefore.inverse().transpose()));
  if (!cell.kineticStress) unfelt = -2.0 * press * inverse;
  double work = 0.0, lost = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const double v = velocity(r, c);
      if (!drives_.cell || !drives_.cell->byStress(r, c)) {
        work += 0.5 * dt * twicePull(r, c) * v;
        continue;
      }
      work += 0.5 * dt * (wanted(r, c) + unfelt(r, c)) * v;
      // As bodies feel damping: that of the velocity of the half step before.
      lost += 0.5 * dt * cell.dh * (v + v - dt * accBefore(r, c)) * v;
    }
  ledger_.cell += work;
  ledger_.damping += lost;
  ledger_.exchanged += std::abs(work);
}

}  // namespace scree::sim
