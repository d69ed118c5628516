// SPDX-License-Identifier: GPL-3.0-or-later
// The integrators in the manner of Rockable, for `--compat rockable` alone. Each evaluation of
// forces lets the memory of contacts grow by a whole step, so tangential springs are twice (Beeman)
// and four times (RungeKutta4) too stiff (Q6). docs/compatibility.md says what departs from right
// physics here.
#include "scree/base/parallel.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/step/drives_as_rockable.hpp"

namespace scree::sim {

template <class Move>
void Simulation::moveFreeAsRockable(Move&& move) {
  const std::size_t driven = bodies_.driven;
  parallelFor(
      threads_, bodies_.size() - driven,
      [&](std::size_t m) {
        const std::size_t k = driven + m;
        RigidState s = stateOf(bodies_, k);
        move(s);
        setMotion(bodies_, k, s);
      },
      bodyGrain);
}

template <class Move>
void Simulation::moveStagesAsRockable(Move&& move) {
  const std::size_t driven = bodies_.driven;
  parallelFor(
      threads_, bodies_.size(),
      [&](std::size_t k) {
        RigidState s = stateOf(bodies_, k);
        asRockable::Moved moved;
        if (k < driven) moved = {freedoms_[k].pushed, false};
        move(k, s, moved);
        setMotion(bodies_, k, s);
      },
      bodyGrain);
}

void Simulation::beginMotionAsRockable() {
  startPos_ = bodies_.pos;
  startQ_ = bodies_.q;
  asRockable::moveImposed(drives_, bodies_, conf_.dt);
}

void Simulation::accountMotionAsRockable() {
  parallelFor(
      threads_, bodies_.size(), [&](std::size_t k) { accountMotion(k, startPos_[k], startQ_[k]); },
      bodyGrain);
  checkFinite();
}

void Simulation::stepVelocityVerletAsRockable() {
  if (images()) {
    stepVelocityVerletInCellAsRockable();
    return;
  }
  const double dt = conf_.dt;
  beginMotionAsRockable();
  asRockable::driftDriven(drives_, bodies_, dt);
  moveFreeAsRockable([dt](RigidState& s) { asRockable::drift(s, dt); });
  accountMotionAsRockable();
  evaluateAsRockable(dt);
  asRockable::kickDriven(drives_, bodies_, dt);
  moveFreeAsRockable([dt](RigidState& s) { asRockable::kick(s, dt); });
}

void Simulation::stepEulerAsRockable() {
  const double dt = conf_.dt;
  beginMotionAsRockable();
  asRockable::stepEulerDriven(drives_, bodies_, dt);
  moveFreeAsRockable([dt](RigidState& s) { asRockable::stepEuler(s, dt); });
  accountMotionAsRockable();
  evaluateAsRockable(dt);
}

void Simulation::stepBeemanAsRockable() {
  const double dt = conf_.dt;
  beginMotionAsRockable();
  earlier_.resize(bodies_.size());  // as if at rest before the first step
  stageStart_.resize(bodies_.size());
  evaluateAsRockable(dt, false);
  moveStagesAsRockable([&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
    stageStart_[k] = s;
    asRockable::predictBeeman(s, earlier_[k], moved, dt);
  });
  accountMotionAsRockable();
  evaluateAsRockable(dt);
  moveStagesAsRockable([&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
    asRockable::correctBeeman(stageStart_[k], earlier_[k], s, moved, dt);
    earlier_[k] = {stageStart_[k].acc, stageStart_[k].spinAcc, Vec3::Zero()};
  });
}

void Simulation::stepRungeKutta4AsRockable() {
  beginMotionAsRockable();
  rungeKuttaAsRockable_.resize(bodies_.size());
  for (int stage = 1; stage <= 4; ++stage) {
    evaluateAsRockable(conf_.dt, stage == 4);
    moveStagesAsRockable([&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
      rungeKuttaAsRockable_[k].next(stage, s, moved, conf_.dt);
    });
  }
  accountMotionAsRockable();
  place();  // forces stay those of the fourth stage; a file tells normals and points of the end
}

void Simulation::evaluateAsRockable(double dt, bool counted) {
  place();
  if (images()) findImagesAsRockable();
  times_.end(StageTimes::move);
  Growth growth{dt, nullptr, true};
  growth.counted = counted;
  evaluateForces(growth);
  times_.end(StageTimes::contacts);
  const std::uint32_t driven = bodies_.driven;
  for (std::size_t k = 0; k < driven; ++k) {
    bodies_.acc[k].setZero();
    bodies_.spinAcc[k].setZero();
  }
  asRockable::accelerateDriven(drives_, restraint_, bodies_);
  parallelFor(
      threads_, bodies_.size() - driven,
      [&](std::size_t m) {
        const std::size_t k = driven + m;
        const Vec3 &vel = bodies_.vel[k], &spin = bodies_.spin[k];
        Pull pull{bodies_.force[k] / bodies_.mass[k], bodies_.moment[k]};
        if (restraint_.damping > 0.0)
          pull = asRockable::damped(pull, restraint_.damping, vel, spin);
        pull.acc += conf_.gravity;  // which damping does not see (Q8)
        if (restraint_.acts())
          pull = behindBarriers(pull, restraint_, vel, bodies_.q[k], spin, bodies_.inertia[k]);
        bodies_.acc[k] = pull.acc;
        bodies_.spinAcc[k] =
            angularAcceleration(bodies_.q[k], spin, pull.moment, bodies_.inertia[k]);
      },
      bodyGrain);
  if (images()) cell_.pull = pullInCell();
  if (bonds_.breaking > 0) breakInterfaces();
}

}  // namespace scree::sim
