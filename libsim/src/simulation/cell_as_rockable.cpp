// SPDX-License-Identifier: GPL-3.0-or-later
// The periodic cell in the manner of Rockable, for `--compat rockable` alone.
//
// There, a body has the reduced coordinates s = h⁻¹ x with s' = h⁻¹ (v - h' s), and
//
//     s'' = h⁻¹ (F/m + g - 2 h' s' - h'' s),
//
// which is x'' = F/m + g: bodies fly straight on while the cell accelerates, so that results depend
// on where it begins. Components of the cell that follow a stress have
//
//     M h'' = V h⁻¹ (σ wanted - σ) - d h',     σ V = Σ f rᵀ + Σ m w wᵀ,   w = h s',
//
// with the sign of tension for fluctuations (Q14). Contacts across a side have arms that are off
// (Q12, RowAsRockable), and those of two edges are not there (Q13, ReferenceList). Driven bodies
// keep their s', that of their file, but do not move by it: they stay where they are in the cell.
//
// Here, the state between two steps is that of the files of that program: x, v, and s'' in place of
// an acceleration. So a file holds it to the bit. What it does not tell of that program is done as
// physics has it: images of bodies move with the cell, and velocities at a contact have right arms.
#include "scree/base/parallel.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::sim {

void Simulation::refuseInCellAsRockable() const {
  if (conf_.addOrRemoveInteractions == "OBBtree")
    throw conf_.errorAt(
        "AddOrRemoveInteractions",
        "AddOrRemoveInteractions OBBtree: that search knows no images there, so nothing would "
        "touch across the sides of the periodic cell with --compat rockable; take bruteForce, or "
        "run without --compat");
}

void Simulation::findImagesAsRockable() {
  Contacts& contacts = lists_.contacts;
  contacts.shifts.resize(contacts.rows.size());
  parallelFor(
      threads_, contacts.rows.size(),
      [&](std::size_t r) {
        const PairRow& row = contacts.rows[r];
        contacts.shifts[r] = cell_.images.nearest(bodies_.pos[row.a] - bodies_.pos[row.b]);
      },
      8 * bodyGrain);
}

void Simulation::stepVelocityVerletInCellAsRockable() {
  const double dt = conf_.dt, energyBefore = cellEnergy();
  beginMotionAsRockable();
  driftInCellAsRockable();
  evaluateAsRockable(dt);
  const Mat3 velocity = conf_.cell.vh;  // the mean over the step
  finishCellAsRockable(dt);
  addCellToLedgerAsRockable(velocity, cellEnergy() - energyBefore);
}

void Simulation::driftInCellAsRockable() {
  PeriodicCell& cell = conf_.cell;
  const double dt = conf_.dt;
  const Mat3 velocity = cell.vh, inverse = cell_.images.inverse;
  Mat3 change;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      if (drives_.cell && drives_.cell->byStress(r, c)) {
        change(r, c) = dt * cell.vh(r, c) + (0.5 * dt * dt) * cell.ah(r, c);
        cell.vh(r, c) += (0.5 * dt) * cell.ah(r, c);
      } else {
        cell.vh(r, c) = drives_.cell ? drives_.cell->velocity(r, c, cell.h) : 0.0;
        cell.ah(r, c) = 0.0;
        change(r, c) = dt * cell.vh(r, c);
      }
    }
  cell_.change = change;
  cell_.strain = change * inverse;
  cell_.strainNorm = cell_.strain.norm();
  liftByCell(cell_.strain);
  cell.h += change;
  cell_.images.set(cell.h);
  cell_.images.velocity = cell.vh;
  checkCell();

  // x = h s and v = h' s + h s', by what changes: so a body at rest does not drift by rounding.
  const Mat3 speedUp = cell.vh - velocity;
  parallelFor(
      threads_, bodies_.size(),
      [&](std::size_t k) {
        RigidState body = stateOf(bodies_, k);
        const Vec3 s = inverse * body.pos, rate = inverse * (body.vel - velocity * s);
        Vec3 way = Vec3::Zero(), kick = Vec3::Zero();
        if (k >= bodies_.driven) {
          way = dt * rate + (0.5 * dt * dt) * body.acc;
          kick = (0.5 * dt) * body.acc;
          asRockable::driftTurn(body, dt);
          bodies_.q[k] = body.q;
          bodies_.spin[k] = body.spin;
        }
        bodies_.pos[k] += change * s + cell.h * way;
        bodies_.vel[k] += speedUp * s + cell.vh * way + change * rate + cell.h * kick;
        accountMotion(k, startPos_[k], startQ_[k]);
      },
      bodyGrain);
  checkFinite();
  wrapBodies();
}

/// @param dt  0: at the start, when the cell has no loading yet and nothing moves on
void Simulation::finishCellAsRockable(double dt) {
  PeriodicCell& cell = conf_.cell;
  const Mat3 &pull = cell_.pull, press = pressOfFlow();
  cell_.stress = (cell.kineticStress ? Mat3(pull + press) : pull) / cell_.images.volume();
  const Mat3 hold = (pull - press) * cell_.images.inverse.transpose();
  cell_.twicePull = ledger_.cellPull + hold;
  ledger_.cellPull = hold;
  if (drives_.cell) {
    const Mat3 wanted = -drives_.cell->pressure * Mat3::Identity();
    const Mat3 push =
        cell_.images.volume() * cell_.images.inverse * (wanted - cell_.stress) - cell.dh * cell.vh;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        if (drives_.cell->byStress(r, c)) cell.ah(r, c) = push(r, c) / cell_.mass;
  }
  const Mat3 &inverse = cell_.images.inverse, velocity = cell.vh;
  parallelFor(
      threads_, bodies_.size() - bodies_.driven,
      [&](std::size_t m) {
        const std::size_t k = bodies_.driven + m;
        const Vec3 s = inverse * bodies_.pos[k], rate = inverse * (bodies_.vel[k] - velocity * s);
        bodies_.acc[k] = inverse * (bodies_.acc[k] - 2.0 * velocity * rate - cell.ah * s);
        bodies_.vel[k] += cell.h * ((0.5 * dt) * bodies_.acc[k]);
        bodies_.spin[k] += (0.5 * dt) * bodies_.spinAcc[k];
      },
      bodyGrain);
  if (dt > 0.0) {
    const auto due = [&](double period) {
      return period > 0.0 && nextOutputStep(step_ - 1, period, conf_.dt) == step_;
    };
    if (due(cell.momentumCorrection)) removeMeanMotion(true);
    if (due(cell.velocityCorrection)) removeMeanMotion(false);
    cell.vh += (0.5 * dt) * cell.ah;
    cell_.images.velocity = cell.vh;
    const Mat3 kick = (0.5 * dt) * (cell.ah * inverse);
    parallelFor(
        threads_, bodies_.size(), [&](std::size_t k) { bodies_.vel[k] += kick * bodies_.pos[k]; },
        bodyGrain);
  }
}

/// What moves the cell puts in the work against the pull of the bodies
/// (simulation_cell_energy.cpp), what the cell gains and what it loses to its damping; and takes
/// out what bodies do not follow its acceleration by, -Σ m w·(h" h⁻¹ x), to the first order of the
/// step.
void Simulation::addCellToLedgerAsRockable(const Mat3& velocity, double gained) {
  const PeriodicCell& cell = conf_.cell;
  const double dt = conf_.dt;
  double lost = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (drives_.cell && drives_.cell->byStress(r, c))
        lost += dt * cell.dh * velocity(r, c) * velocity(r, c);
  double work = 0.5 * dt * cell_.twicePull.cwiseProduct(velocity).sum() + gained + lost;
  if (!cell.ah.isZero(0.0)) {
    const Mat3 flow = cellFlow(), affine = cell.ah * cell_.images.inverse;
    work -= dt * orderedSum(threads_, bodies_.size() - bodies_.driven, 0.0, [&](std::size_t m) {
              const std::size_t k = bodies_.driven + m;
              const Vec3& x = bodies_.pos[k];
              return bodies_.mass[k] * (bodies_.vel[k] - flow * x).dot(affine * x);
            });
  }
  ledger_.cell += work;
  ledger_.damping += lost;
  ledger_.exchanged += std::abs(work);
}

}  // namespace scree::sim
