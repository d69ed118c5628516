// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of Euler, Beeman and RungeKutta4. Contacts remember once a step: by the mean motion between
// its two ends. Stages in between see the forces that the memory of the start would have grown to.
#include "scree/base/parallel.hpp"
#include "scree/sim/simulation.hpp"

#include <algorithm>

namespace scree::sim {

template <class Move>
void Simulation::moveBodies(Move&& move) {
  const std::uint32_t driven = bodies_.driven;
  parallelFor(
      threads_, bodies_.size(),
      [&](std::size_t k) {
        RigidState s = stateOf(bodies_, k);
        move(k, k < driven ? freedoms_[k] : Freedom(), s);
        const Vec3 pos = bodies_.pos[k];
        const Quat q = bodies_.q[k];
        setMotion(bodies_, k, s);
        bodies_.spinAcc[k] = s.spinAcc;
        const double lastMove = bodies_.lastMove[k];
        accountMotion(k, pos, q);
        // Stages may stand still; lists are laid out for the motion of whole steps.
        bodies_.lastMove[k] = std::max(bodies_.lastMove[k], 0.5 * lastMove);
      },
      bodyGrain);
}

void Simulation::beginStages() {
  setImposedVelocities(drives_, freedoms_, true, bodies_);
  startPos_ = bodies_.pos;
  startQ_ = bodies_.q;
  meanMotion_.resize(bodies_.size());
}

void Simulation::evaluateStage(double dt, bool keep) {
  parallelFor(
      threads_, bodies_.size(),
      [&](std::size_t k) {
        MeanMotion& mean = meanMotion_[k];
        mean.vel = (bodies_.pos[k] - startPos_[k]) / dt;
        mean.spin = turnBetween(startQ_[k], bodies_.q[k]) / dt;
        if (k >= bodies_.driven) return;
        // What does not move shows contacts the velocity that its file gives it, like a belt.
        const Freedom& f = freedoms_[k];
        mean.vel = bodies_.vel[k] + f.moves.cwiseProduct(mean.vel - bodies_.vel[k]);
        mean.spin = bodies_.spin[k] + f.turns.cwiseProduct(mean.spin - bodies_.spin[k]);
      },
      bodyGrain);
  updateContacts();
  evaluateForces(Growth{dt, meanMotion_.data(), keep});
  times_.end(StageTimes::contacts);
  setAccelerations();
}

void Simulation::stepEuler() {
  beginStages();
  moveBodies([&](std::size_t k, const Freedom& freedom, RigidState& s) {
    sim::stepEuler(MotionStart(s, bodies_.inertia[k], freedom), s, conf_.dt);
  });
  setImposedVelocities(drives_, freedoms_, false, bodies_);
  evaluateStage(conf_.dt, true);
}

void Simulation::stepBeeman() {
  const double dt = conf_.dt;
  const bool first = earlier_.empty();
  beginStages();
  motionStart_.resize(bodies_.size());
  moveBodies([&](std::size_t k, const Freedom& freedom, RigidState& s) {
    motionStart_[k] = MotionStart(s, bodies_.inertia[k], freedom);
    predictBeeman(motionStart_[k], first ? nullptr : &earlier_[k], s, dt);
  });
  setImposedVelocities(drives_, freedoms_, false, bodies_);
  evaluateStage(dt, true);
  earlier_.resize(bodies_.size());
  moveBodies([&](std::size_t k, const Freedom& freedom, RigidState& s) {
    const MotionStart now(s, bodies_.inertia[k], freedom), &start = motionStart_[k];
    correctBeeman(start, first ? nullptr : &earlier_[k], now.acc, now.moment, s, dt);
    if (freedom.rigid)  // the same moment at the corrected spin
      s.spinAcc = angularAcceleration(s.q, s.spin, now.moment, bodies_.inertia[k]);
    earlier_[k] = {start.acc, start.spinAcc, start.moment};
  });
}

void Simulation::stepRungeKutta4() {
  const double dt = conf_.dt;
  beginStages();
  rungeKutta_.resize(bodies_.size());
  moveBodies([&](std::size_t k, const Freedom& freedom, RigidState& s) {
    const MotionStart start(s, bodies_.inertia[k], freedom);
    rungeKutta_[k] = RungeKuttaBody(start);
    rungeKutta_[k].toNextStage(1, start.acc, start.moment, s, dt);
  });
  setImposedVelocities(drives_, freedoms_, false, bodies_);
  for (int stage = 2; stage <= 4; ++stage) {
    evaluateStage(stage < 4 ? 0.5 * dt : dt, false);
    moveBodies([&](std::size_t k, const Freedom& freedom, RigidState& s) {
      const MotionStart now(s, bodies_.inertia[k], freedom);
      if (stage < 4)
        rungeKutta_[k].toNextStage(stage, now.acc, now.moment, s, dt);
      else
        rungeKutta_[k].finish(now.acc, now.moment, s, dt);
    });
  }
  evaluateStage(dt, true);
}

}  // namespace scree::sim
