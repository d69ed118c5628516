// SPDX-License-Identifier: GPL-3.0-or-later
// One body in one step of Euler, Beeman and RungeKutta4: pure functions of its state.
//
// A rigid body moves by its angular momentum, which rests in space without moment. So a free top
// keeps it to rounding whatever the scheme. A driven body has components that follow forces,
// components that follow imposed velocities and components that stay: see DegreesOfFreedom.
#pragma once

#include "engine/rigid_motion.hpp"

#include "scree/sim/model/conf_records.hpp"

namespace scree::sim {

/// Components of a body that move, and those that follow forces; 1 or 0 for each global axis.
struct DegreesOfFreedom {
  Vec3 moves = Vec3::Ones(), pushed = Vec3::Ones();
  Vec3 turns = Vec3::Ones(), twisted = Vec3::Ones();
  bool rigid = true;  ///< turns by Euler's equations; otherwise about global axes, each by itself

  static DegreesOfFreedom none() {
    return {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), false};
  }
};

/// Angular momentum of a body, global.
inline Vec3 angularMomentum(const Quat& q, const Vec3& spin, const Vec3& inertia) {
  return rotated(q, inertia.cwiseProduct(turnedBack(q, spin)));
}
inline Vec3 spinOfMomentum(const Quat& q, const Vec3& momentum, const Vec3& inertia) {
  return rotated(q, turnedBack(q, momentum).cwiseQuotient(inertia));
}
/// A body at the start of a step, as the schemes see it. Components that do not move stand still;
/// components that follow no force do not accelerate. For a body that is not `rigid`, `momentum` is
/// its spin and `moment` its angular acceleration.
struct MotionStart {
  DegreesOfFreedom degreesOfFreedom;
  Vec3 inertia;
  Vec3 pos, vel, acc;
  Quat q;
  Vec3 spin, spinAcc;
  Vec3 momentum, moment;

  MotionStart() = default;
  MotionStart(const RigidState& s, const Vec3& bodyInertia, const DegreesOfFreedom& f)
      : degreesOfFreedom(f),
        inertia(bodyInertia),
        pos(s.pos),
        vel(f.moves.cwiseProduct(s.vel)),
        acc(f.pushed.cwiseProduct(s.acc)),
        q(s.q),
        spin(f.turns.cwiseProduct(s.spin)),
        spinAcc(f.twisted.cwiseProduct(s.spinAcc)),
        momentum(f.rigid ? angularMomentum(q, spin, inertia) : spin),
        moment(f.rigid ? momentBehind(q, spin, spinAcc, inertia) : spinAcc) {}

  /// Takes over what follows forces: velocity and spin, for the orientation that `s` has now.
  void setVelocities(RigidState& s, const Vec3& newVel, const Vec3& newMomentum) const {
    s.vel += degreesOfFreedom.pushed.cwiseProduct(newVel - s.vel);
    if (degreesOfFreedom.rigid)
      s.spin = spinOfMomentum(s.q, newMomentum, inertia);
    else
      s.spin += degreesOfFreedom.twisted.cwiseProduct(newMomentum - s.spin);
  }
};

/// The rotation vector that takes `before` to `now`; relative error below 1e-8 for turns of up to
/// half a radian.
inline Vec3 turnBetween(const Quat& before, const Quat& now) {
  Quat turn = now * before.conjugate();
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  // 2 asin(s)/s by its series, s = sine of half the angle.
  const double s2 = turn.vec().squaredNorm();
  const double factor =
      1.0 +
      s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (15.0 / 336.0 +
                                                 s2 * (105.0 / 3456.0 + s2 * (945.0 / 42240.0)))));
  return 2.0 * factor * turn.vec();
}

/// Explicit Euler: all rates are those of the start.
inline void stepEuler(const MotionStart& start, RigidState& s, double dt) {
  s.pos += dt * start.vel;
  s.q = turnedBy(s.q, start.spin, dt);
  start.setVelocities(s, start.vel + dt * start.acc, start.momentum + dt * start.moment);
}

/// First half of Beeman's step: position, orientation, and predicted velocities that forces see.
/// The orientation turns by Beeman's formula for the rotation vector with the first commutator of
/// its Magnus series, which keeps the order at three.
/// @param before  one step back; null at the start of a run, which begins with an order less for
/// one step
inline void predictBeeman(const MotionStart& start, const EarlierMotion* before, RigidState& s,
                          double dt) {
  const Vec3 accBefore = before ? before->acc : start.acc;
  const Vec3 spinAccBefore = before ? before->spinAcc : start.spinAcc;
  const Vec3 momentBefore = before ? before->moment : start.moment;
  s.pos += dt * start.vel + dt * dt * ((2.0 / 3.0) * start.acc - (1.0 / 6.0) * accBefore);
  Vec3 turn =
      dt * start.spin + dt * dt * ((2.0 / 3.0) * start.spinAcc - (1.0 / 6.0) * spinAccBefore);
  if (start.degreesOfFreedom.rigid) turn += (dt * dt * dt / 12.0) * start.spinAcc.cross(start.spin);
  s.q = turnedBy(s.q, turn, 1.0);
  start.setVelocities(s, start.vel + dt * (1.5 * start.acc - 0.5 * accBefore),
                      start.momentum + dt * (1.5 * start.moment - 0.5 * momentBefore));
}

/// Second half: velocities from the accelerations of now, of the start and of one step back.
/// @param acc, moment  [L/T²], [F L] under the forces of the new place, masked as MotionStart's
inline void correctBeeman(const MotionStart& start, const EarlierMotion* before, const Vec3& acc,
                          const Vec3& moment, RigidState& s, double dt) {
  Vec3 kick = 0.5 * (acc + start.acc), twist = 0.5 * (moment + start.moment);
  if (before) {
    kick = (5.0 / 12.0) * acc + (2.0 / 3.0) * start.acc - (1.0 / 12.0) * before->acc;
    twist = (5.0 / 12.0) * moment + (2.0 / 3.0) * start.moment - (1.0 / 12.0) * before->moment;
  }
  start.setVelocities(s, start.vel + dt * kick, start.momentum + dt * twist);
}

/// Runge-Kutta-Nyström of order four: x'' = f(x, v) in Nyström's form, orientation and angular
/// momentum in the classical one. The orientations of the stages are not of length 1; they are
/// normalised where forces are evaluated. That of the end is normalised for good. Both keep the
/// order.
class RungeKuttaBody {
 public:
  RungeKuttaBody() = default;
  explicit RungeKuttaBody(const MotionStart& start) : start_(start), raw_(start.q) {}

  /// Goes from stage `stage` (1, 2, 3), where this holds, to the next one.
  /// @param acc, moment  [L/T²], [F L] at the stage, masked as MotionStart's
  void toNextStage(int stage, const Vec3& acc, const Vec3& moment, RigidState& s, double dt) {
    addStage(stage == 1 ? 1.0 : 2.0, acc, moment, s);
    sumPos_ += acc;
    sumTurn_ += moment;
    const double h = stage < 3 ? 0.5 * dt : dt;
    if (stage != 2)  // stages 2 and 3 share their position
      s.pos = start_.pos + h * start_.vel + (0.5 * h * h) * acc;
    if (start_.degreesOfFreedom.rigid) {
      raw_.coeffs() = start_.q.coeffs() + h * rate_;
      s.q = raw_.normalized();
    } else if (stage != 2) {
      s.q = turnedBy(start_.q, h * start_.momentum + (0.5 * h * h) * moment, 1.0);
    }
    start_.setVelocities(s, start_.vel + h * acc, start_.momentum + h * moment);
  }

  /// From stage 4 to the end of the step.
  void finish(const Vec3& acc, const Vec3& moment, RigidState& s, double dt) {
    addStage(1.0, acc, moment, s);
    const double sixth = dt / 6.0;
    s.pos = start_.pos + dt * start_.vel + (dt * sixth) * sumPos_;
    if (start_.degreesOfFreedom.rigid) {
      raw_.coeffs() = start_.q.coeffs() + sixth * sumRate_;
      s.q = raw_.normalized();
    } else {
      s.q = turnedBy(start_.q, dt * start_.momentum + (dt * sixth) * sumTurn_, 1.0);
    }
    start_.setVelocities(s, start_.vel + sixth * sumVel_, start_.momentum + sixth * sumMomentum_);
  }

 private:
  using Rate = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;

  void addStage(double weight, const Vec3& acc, const Vec3& moment, const RigidState& s) {
    sumVel_ += weight * acc;
    sumMomentum_ += weight * moment;
    if (!start_.degreesOfFreedom.rigid) return;
    const Quat spin(0.0, s.spin.x(), s.spin.y(), s.spin.z());
    rate_ = 0.5 * (spin * raw_).coeffs();
    sumRate_ += weight * rate_;
  }

  MotionStart start_;
  Quat raw_;
  Rate rate_ = Rate::Zero(), sumRate_ = Rate::Zero();
  Vec3 sumPos_ = Vec3::Zero(), sumTurn_ = Vec3::Zero();
  Vec3 sumVel_ = Vec3::Zero(), sumMomentum_ = Vec3::Zero();
};

}  // namespace scree::sim
