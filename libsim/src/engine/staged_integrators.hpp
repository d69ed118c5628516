// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of Euler, Beeman and RungeKutta4. Contacts remember once a step: by the mean motion between
// its two ends. Stages in between see the forces that the memory of the start would have grown to.
#pragma once

#include "engine/cell_motion.hpp"
#include "engine/contact_sums.hpp"
#include "engine/drive_system.hpp"
#include "engine/staged_motion.hpp"
#include "engine/world.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <vector>

namespace scree::sim {

/// Base of the three: where bodies stood when the step began, and their mean motion.
///
/// `forces(update)` brings lists, forces and accelerations up to date for where bodies stand.
class StagedIntegrator {
 protected:
  /// Imposed velocities of the step, and where all bodies stand.
  void begin(DriveSystem& drives, Bodies& bodies) {
    drives.setVelocities(true, bodies);
    drives.remember(bodies);
    startPos_ = bodies.pos;
    startQ_ = bodies.q;
    startDisplacement_ = bodies.displacement;
    mean_.resize(bodies.size());
  }
  /// Calls move(k, k as the schemes see it, state of k) for all bodies.
  template <class Move>
  static void moveBodies(const World& world, const DriveSystem& drives, Bodies& bodies,
                         Move&& move) {
    parallelFor(
        world.model.threads, bodies.size(),
        [&](std::size_t k) {
          RigidState s = stateOf(bodies, k);
          const DegreesOfFreedom all;
          const auto& free = k < bodies.driven ? drives.degreesOfFreedom(k) : all;
          move(k, MotionStart(s, bodies.inertia[k], free), s);
          const Vec3 pos = bodies.pos[k];
          const Quat q = bodies.q[k];
          setMotion(bodies, k, s);
          bodies.spinAcc[k] = s.spinAcc;
          const double lastMove = bodies.lastMove[k];
          accountMotion(bodies, k, pos, q, nullptr, world.bodies.radius[k]);  // these have no cell
          // Stages may stand still; lists are laid out for the motion of whole steps.
          bodies.lastMove[k] = std::max(bodies.lastMove[k], 0.5 * lastMove);
        },
        bodyGrain);
  }
  /// Forces and accelerations where the bodies stand, `dt` [T] after the start of the step.
  template <class Forces>
  void evaluate(const World& world, const DriveSystem& drives, double dt, bool keep,
                Forces&& forces) {
    const Bodies& bodies = world.bodies;
    parallelFor(
        world.model.threads, bodies.size(),
        [&](std::size_t k) {
          MeanMotion& mean = mean_[k];
          mean.vel = (bodies.pos[k] - startPos_[k]) / dt;
          mean.spin = turnBetween(startQ_[k], bodies.q[k]) / dt;
          if (k >= bodies.driven) return;
          // A component that does not move shows contacts the velocity of its file, like a belt.
          const DegreesOfFreedom& f = drives.degreesOfFreedom(k);
          mean.vel = bodies.vel[k] + f.moves.cwiseProduct(mean.vel - bodies.vel[k]);
          mean.spin = bodies.spin[k] + f.turns.cwiseProduct(mean.spin - bodies.spin[k]);
        },
        bodyGrain);
    forces(HistoryUpdate{dt, mean_.data(), keep});
  }

  /// Accounts the motion of the whole step, all of its stages together.
  void end(Bodies& bodies) const {
    for (std::size_t k = 0; k < bodies.size(); ++k)
      bodies.lastMove[k] = bodies.displacement[k] - startDisplacement_[k];
  }

 private:
  std::vector<double> startDisplacement_;  ///< [L] Bodies::displacement
  std::vector<Vec3> startPos_;
  std::vector<Quat> startQ_;
  std::vector<MeanMotion> mean_;
};

/// Order 1, one evaluation of forces a step.
class EulerIntegrator : StagedIntegrator {
 public:
  template <class Forces>
  void step(const World& world, DriveSystem& drives, Bodies& bodies, Forces&& forces) {
    const double dt = world.model.dt;
    begin(drives, bodies);
    moveBodies(world, drives, bodies, [&](std::size_t, const MotionStart& start, RigidState& s) {
      stepEuler(start, s, dt);
    });
    drives.setVelocities(false, bodies);
    evaluate(world, drives, dt, true, forces);
    end(bodies);
  }
};

/// Order 3, one evaluation of forces a step.
class BeemanIntegrator : StagedIntegrator {
 public:
  /// @param earlier  motion one step before, part of the state; empty in the first step of a run
  template <class Forces>
  void step(const World& world, DriveSystem& drives, Bodies& bodies,
            std::vector<EarlierMotion>& earlier, Forces&& forces) {
    const double dt = world.model.dt;
    const bool first = earlier.empty();
    begin(drives, bodies);
    start_.resize(bodies.size());
    moveBodies(world, drives, bodies, [&](std::size_t k, const MotionStart& start, RigidState& s) {
      start_[k] = start;
      predictBeeman(start, first ? nullptr : &earlier[k], s, dt);
    });
    drives.setVelocities(false, bodies);
    evaluate(world, drives, dt, true, forces);
    earlier.resize(bodies.size());
    moveBodies(world, drives, bodies, [&](std::size_t k, const MotionStart& now, RigidState& s) {
      const MotionStart& start = start_[k];
      correctBeeman(start, first ? nullptr : &earlier[k], now.acc, now.moment, s, dt);
      if (now.degreesOfFreedom.rigid)  // the same moment at the corrected spin
        s.spinAcc = angularAcceleration(s.q, s.spin, now.moment, now.inertia);
      earlier[k] = {start.acc, start.spinAcc, start.moment};
    });
    end(bodies);
  }

 private:
  std::vector<MotionStart> start_;
};

/// Order 4, four evaluations of forces a step.
class RungeKutta4Integrator : StagedIntegrator {
 public:
  template <class Forces>
  void step(const World& world, DriveSystem& drives, Bodies& bodies, Forces&& forces) {
    const double dt = world.model.dt;
    begin(drives, bodies);
    bodies_.resize(bodies.size());
    moveBodies(world, drives, bodies, [&](std::size_t k, const MotionStart& start, RigidState& s) {
      bodies_[k] = RungeKuttaBody(start);
      bodies_[k].toNextStage(1, start.acc, start.moment, s, dt);
    });
    drives.setVelocities(false, bodies);
    for (int stage = 2; stage <= 4; ++stage) {
      evaluate(world, drives, stage < 4 ? 0.5 * dt : dt, false, forces);
      moveBodies(world, drives, bodies, [&](std::size_t k, const MotionStart& now, RigidState& s) {
        if (stage < 4)
          bodies_[k].toNextStage(stage, now.acc, now.moment, s, dt);
        else
          bodies_[k].finish(now.acc, now.moment, s, dt);
      });
    }
    evaluate(world, drives, dt, true, forces);
    end(bodies);
  }

 private:
  std::vector<RungeKuttaBody> bodies_;
};

}  // namespace scree::sim
