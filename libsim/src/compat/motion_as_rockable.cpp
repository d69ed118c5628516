// SPDX-License-Identifier: GPL-3.0-or-later
#include "compat/as_rockable.hpp"
#include "engine/cell_motion.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"

namespace scree::sim {
namespace {

/// Calls move(k, state, what of it moves) for the bodies from `first` on.
template <class Move>
void moveFrom(std::size_t first, const World& world, const DriveSystem& drives, Bodies& bodies,
              Move&& move) {
  parallelFor(
      world.model.threads, bodies.size() - first,
      [&](std::size_t m) {
        const std::size_t k = first + m;
        RigidState s = stateOf(bodies, k);
        asRockable::Moved moved;
        if (k < bodies.driven) moved = {drives.degreesOfFreedom(k).pushed, false};
        move(k, s, moved);
        setMotion(bodies, k, s);
      },
      bodyGrain);
}
template <class Move>
void moveFree(const World& world, const DriveSystem& drives, Bodies& bodies, Move&& move) {
  moveFrom(bodies.driven, world, drives, bodies,
           [&](std::size_t, RigidState& s, auto&) { move(s); });
}

}  // namespace

void MotionAsRockable::begin(const World& world, DriveSystem& drives, Bodies& bodies) {
  startPos_ = bodies.pos;
  startQ_ = bodies.q;
  drives.remember(bodies);
  asRockable::moveImposed(drives.drives(), bodies, world.model.dt);
}

void MotionAsRockable::account(const World& world, Bodies& bodies, const Calls& calls) const {
  parallelFor(
      world.model.threads, bodies.size(),
      [&](std::size_t k) {
        accountMotion(bodies, k, startPos_[k], startQ_[k], nullptr, world.bodies.radius[k]);
      },
      bodyGrain);
  calls.moved();
}

void MotionAsRockable::step(Integrator integrator, const World& world, DriveSystem& drives,
                            Bodies& bodies, std::vector<EarlierMotion>& earlier,
                            const Calls& calls) {
  begin(world, drives, bodies);
  switch (integrator) {
    case Integrator::velocityVerlet:
      velocityVerlet(world, drives, bodies, calls);
      break;
    case Integrator::Euler:
      euler(world, drives, bodies, calls);
      break;
    case Integrator::Beeman:
      beeman(world, drives, bodies, earlier, calls);
      break;
    case Integrator::RungeKutta4:
      rungeKutta4(world, drives, bodies, calls);
      break;
  }
}

void MotionAsRockable::velocityVerlet(const World& world, DriveSystem& drives, Bodies& bodies,
                                      const Calls& calls) {
  const double dt = world.model.dt;
  asRockable::advanceDriven(drives.drives(), bodies, dt, 0.5 * dt * dt, 0.5 * dt);
  moveFree(world, drives, bodies, [dt](RigidState& s) { asRockable::drift(s, dt); });
  account(world, bodies, calls);
  calls.evaluate(true);
  asRockable::advanceDriven(drives.drives(), bodies, 0.0, 0.0, 0.5 * dt);
  moveFree(world, drives, bodies, [dt](RigidState& s) { asRockable::kick(s, dt); });
}

void MotionAsRockable::euler(const World& world, DriveSystem& drives, Bodies& bodies,
                             const Calls& calls) {
  const double dt = world.model.dt;
  asRockable::advanceDriven(drives.drives(), bodies, dt, 0.0, dt);
  moveFree(world, drives, bodies, [dt](RigidState& s) { asRockable::stepEuler(s, dt); });
  account(world, bodies, calls);
  calls.evaluate(true);
}

void MotionAsRockable::beeman(const World& world, DriveSystem& drives, Bodies& bodies,
                              std::vector<EarlierMotion>& earlier, const Calls& calls) {
  const double dt = world.model.dt;
  earlier.resize(bodies.size());  // as if at rest before the first step
  stageStart_.resize(bodies.size());
  calls.evaluate(false);
  moveFrom(0, world, drives, bodies,
           [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
             stageStart_[k] = s;
             asRockable::predictBeeman(s, earlier[k], moved, dt);
           });
  account(world, bodies, calls);
  calls.evaluate(true);
  moveFrom(0, world, drives, bodies,
           [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
             asRockable::correctBeeman(stageStart_[k], earlier[k], s, moved, dt);
             earlier[k] = {stageStart_[k].acc, stageStart_[k].spinAcc, Vec3::Zero()};
           });
}

void MotionAsRockable::rungeKutta4(const World& world, DriveSystem& drives, Bodies& bodies,
                                   const Calls& calls) {
  rungeKutta_.resize(bodies.size());
  for (int stage = 1; stage <= 4; ++stage) {
    calls.evaluate(stage == 4);
    moveFrom(0, world, drives, bodies,
             [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
               rungeKutta_[k].next(stage, s, moved, world.model.dt);
             });
  }
  account(world, bodies, calls);
}

}  // namespace scree::sim
