// SPDX-License-Identifier: GPL-3.0-or-later
// The periodic cell as Rockable moves it, for `--compat rockable` alone.
//
// There, a body has the reduced coordinates s = h⁻¹ x with s' = h⁻¹ (v - h' s). They follow
//
//     `s'' = h⁻¹ (F/m + g - 2 h' s' - h'' s)`,
//
// which is x'' = F/m + g. Bodies fly straight on while the cell accelerates, so that results depend
// on the place of the cell's origin. Components of the cell that follow a stress have
//
//     `M h'' = V h⁻¹ (σ wanted - σ) - d h'`, `σ V = Σ f rᵀ + Σ m w wᵀ`, `w = h s'`,
//
// with the sign of tension for fluctuations (Q14). Contacts across a side have arms that are off
// (Q12, PairByList), and those of two edges are missing (Q13, ReferenceList). Driven bodies keep
// their s', that of their file, but do not move by it: they stay at their places in the cell.
//
// Here, the state between two steps is that of the files of that program: x, v, and s'' in place of
// an acceleration. So a file holds it to the bit. Two details that files of that program do not fix
// follow physics. Images of bodies move with the cell, and velocities at a contact have correct
// arms.
#include "compat/as_rockable.hpp"
#include "compat/rigid_motion_as_rockable.hpp"
#include "engine/cell_motion.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"

namespace scree::sim {

void CellAsRockable::findImages(const World& world, Contacts& contacts) {
  contacts.shifts.resize(contacts.pairs.size());
  parallelFor(
      world.model.threads, contacts.pairs.size(),
      [&](std::size_t r) {
        const NeighbourPair& pair = contacts.pairs[r];
        contacts.shifts[r] =
            world.images->nearest(world.bodies.pos[pair.a] - world.bodies.pos[pair.b]);
      },
      8 * bodyGrain);
}

void CellAsRockable::drift(const World& world, CellMotion& motion, Bodies& bodies,
                           EnergyLedger& ledger) {
  PeriodicCell& cell = motion.cell;
  energyBefore_ = motion.energy();
  const double dt = world.model.dt;
  const Mat3 velocity = cell.vh, inverse = motion.images.inverse;
  Mat3 change;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      if (motion.byStress(r, c)) {
        change(r, c) = dt * cell.vh(r, c) + (0.5 * dt * dt) * cell.ah(r, c);
        cell.vh(r, c) += (0.5 * dt) * cell.ah(r, c);
      } else {
        cell.vh(r, c) = motion.loading ? motion.loading->velocity(r, c, cell.h) : 0.0;
        cell.ah(r, c) = 0.0;
        change(r, c) = dt * cell.vh(r, c);
      }
    }
  motion.change = change;
  motion.strain = change * inverse;
  motion.strainNorm = motion.strain.norm();
  motion.lift(world, motion.strain, ledger);
  cell.h += change;
  motion.images.set(cell.h);
  motion.images.velocity = cell.vh;
  motion.requireRoom(world);
  velocity_ = cell.vh;  // the mean over the step

  // x = h s and v = h' s + h s', by what changes: so a body at rest does not drift by rounding.
  const Mat3 speedUp = cell.vh - velocity;
  parallelFor(
      world.model.threads, bodies.size(),
      [&](std::size_t k) {
        RigidState body = stateOf(bodies, k);
        const Quat q = body.q;
        const Vec3 s = inverse * body.pos, rate = inverse * (body.vel - velocity * s);
        Vec3 way = Vec3::Zero(), kick = Vec3::Zero();
        if (k >= bodies.driven) {
          way = dt * rate + (0.5 * dt * dt) * body.acc;
          kick = (0.5 * dt) * body.acc;
          asRockable::driftTurn(body, dt);
          bodies.q[k] = body.q;
          bodies.spin[k] = body.spin;
        }
        const Vec3 pos = bodies.pos[k];
        bodies.pos[k] += change * s + cell.h * way;
        bodies.vel[k] += speedUp * s + cell.vh * way + change * rate + cell.h * kick;
        accountMotion(bodies, k, pos, q, &motion, world.bodies.radius[k]);
      },
      bodyGrain);
}

void CellAsRockable::finish(const World& world, double dt, CellMotion& motion, Bodies& bodies,
                            EnergyLedger& ledger) {
  PeriodicCell& cell = motion.cell;
  const Mat3 &load = virial_, press = motion.fluctuationPressure(world);
  motion.stress = (cell.kineticStress ? Mat3(load + press) : load) / motion.images.volume();
  const Mat3 hold = (load - press) * motion.images.inverse.transpose();
  twiceVirial_ = ledger.cellVirial + hold;
  ledger.cellVirial = hold;
  if (motion.loading) {
    const Mat3 wanted = -motion.loading->pressure * Mat3::Identity();
    const Mat3 push = motion.images.volume() * motion.images.inverse * (wanted - motion.stress) -
                      cell.dh * cell.vh;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        if (motion.byStress(r, c)) cell.ah(r, c) = push(r, c) / motion.mass;
  }
  const Mat3 &inverse = motion.images.inverse, velocity = cell.vh;
  parallelFor(
      world.model.threads, bodies.size() - bodies.driven,
      [&](std::size_t m) {
        const std::size_t k = bodies.driven + m;
        const Vec3 s = inverse * bodies.pos[k], rate = inverse * (bodies.vel[k] - velocity * s);
        bodies.acc[k] = inverse * (bodies.acc[k] - 2.0 * velocity * rate - cell.ah * s);
        bodies.vel[k] += cell.h * ((0.5 * dt) * bodies.acc[k]);
        bodies.spin[k] += (0.5 * dt) * bodies.spinAcc[k];
      },
      bodyGrain);
  if (dt > 0.0) {
    if (CellMotion::isDue(world, cell.momentumCorrection))
      motion.removeMeanMotion(world, true, bodies, ledger);
    if (CellMotion::isDue(world, cell.velocityCorrection))
      motion.removeMeanMotion(world, false, bodies, ledger);
    cell.vh += (0.5 * dt) * cell.ah;
    motion.images.velocity = cell.vh;
    const Mat3 kick = (0.5 * dt) * (cell.ah * inverse);
    parallelFor(
        world.model.threads, bodies.size(),
        [&](std::size_t k) { bodies.vel[k] += kick * bodies.pos[k]; }, bodyGrain);
  }
}

/// The drive of the cell puts in the work against the virial of the bodies
/// (engine/cell_energy.cpp). It also puts in what the cell gains and what it loses to its damping.
/// Bodies do not follow the acceleration of the cell. For this the drive takes out -Σ m w·(h'' h⁻¹
/// x), to the first order of the step.
void CellAsRockable::account(const World& world, const CellMotion& motion,
                             EnergyLedger& ledger) const {
  const Mat3& velocity = velocity_;
  const double gained = motion.energy() - energyBefore_;
  const Bodies& bodies = world.bodies;
  const PeriodicCell& cell = motion.cell;
  const double dt = world.model.dt;
  double lost = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (motion.byStress(r, c)) lost += dt * cell.dh * velocity(r, c) * velocity(r, c);
  double work = 0.5 * dt * twiceVirial_.cwiseProduct(velocity).sum() + gained + lost;
  if (!cell.ah.isZero(0.0)) {
    const Mat3 flow = motion.flow(), affine = cell.ah * motion.images.inverse;
    work -= dt *
            orderedSum(world.model.threads, bodies.size() - bodies.driven, 0.0, [&](std::size_t m) {
              const std::size_t k = bodies.driven + m;
              const Vec3& x = bodies.pos[k];
              return bodies.mass[k] * (bodies.vel[k] - flow * x).dot(affine * x);
            });
  }
  ledger.cell += work;
  ledger.damping += lost;
  ledger.exchanged += std::abs(work);
}

}  // namespace scree::sim
