// SPDX-License-Identifier: GPL-3.0-or-later
// How Rockable moves one rigid body: pure functions of its state, for `--compat rockable` alone.
#pragma once

#include "engine/world.hpp"

#include "scree/sim/model/conf_records.hpp"

namespace scree::sim::asRockable {

/// First derivative of an orientation whose body turns with a global spin.
inline Quat rate(const Quat& q, const Vec3& spin) {
  const Vec3 v = 0.5 * (q.w() * spin + spin.cross(q.vec()));
  return {-0.5 * spin.dot(q.vec()), v.x(), v.y(), v.z()};
}

/// Second derivative as in Rockable. The scalar part of the centripetal term has the wrong sign: it
/// draws orientations towards the identity and leaves order 1 (docs/compatibility.md, Q5).
inline Quat secondRate(const Quat& q, const Vec3& spin, const Vec3& spinAcc) {
  const Quat ofAcceleration = rate(q, spinAcc);
  const double turning = spin.dot(q.vec());
  const Vec3 inner = q.w() * spin + spin.cross(q.vec());
  const Vec3 v = ofAcceleration.vec() + 0.25 * (-turning * spin + spin.cross(inner));
  return {ofAcceleration.w() + 0.25 * q.w() * spin.squaredNorm(), v.x(), v.y(), v.z()};
}

/// `q` plus `dt` times a derivative; not normalised.
inline Quat advanced(const Quat& q, double dt, const Quat& derivative) {
  const Vec3 v = q.vec() + dt * derivative.vec();
  return {q.w() + dt * derivative.w(), v.x(), v.y(), v.z()};
}

/// `q` at length 1; the identity if its length is nearly 0.
inline Quat normalised(const Quat& q) {
  const double length2 = q.w() * q.w() + q.vec().squaredNorm();
  if (length2 <= 1e-9) return Quat::Identity();
  const double inverse = 1.0 / std::sqrt(length2);
  const Vec3 v = q.vec() * inverse;
  return {q.w() * inverse, v.x(), v.y(), v.z()};
}

/// First half of a velocity-Verlet step of a free body.
inline void drift(RigidState& s, double dt) {
  s.pos += dt * s.vel + (0.5 * dt * dt) * s.acc;
  s.vel += (0.5 * dt) * s.acc;
  // The second derivative is taken where the first one has led to, not where the step began.
  const Quat led = advanced(s.q, dt, rate(s.q, s.spin));
  s.q = normalised(advanced(led, 0.5 * dt * dt, secondRate(led, s.spin, s.spinAcc)));
  s.spin += (0.5 * dt) * s.spinAcc;
}

/// Second half of that step, with the accelerations of the new forces.
inline void kick(RigidState& s, double dt) {
  s.vel += (0.5 * dt) * s.acc;
  s.spin += (0.5 * dt) * s.spinAcc;
}

/// Explicit Euler, of a free body.
inline void stepEuler(RigidState& s, double dt) {
  s.pos += dt * s.vel;
  s.vel += dt * s.acc;
  s.q = normalised(advanced(s.q, dt, rate(s.q, s.spin)));
  s.spin += dt * s.spinAcc;
}

/// Parts of a body that Beeman and RungeKutta4 move. They turn no driven body.
struct Moved {
  Vec3 pushed = Vec3::Ones();  ///< 1 for each component that follows forces
  bool turns = true;
};

/// Predictor of Beeman's step. `s` has the accelerations at its position; `before` those of one
/// step earlier, 0 at the start of a run.
inline void predictBeeman(RigidState& s, const EarlierMotion& before, const Moved& moved,
                          double dt) {
  const Vec3 way = dt * s.vel + (dt * dt) * ((2.0 / 3.0) * s.acc - (1.0 / 6.0) * before.acc);
  s.pos += moved.pushed.cwiseProduct(way);
  s.vel += moved.pushed.cwiseProduct(dt * (1.5 * s.acc - 0.5 * before.acc));
  if (!moved.turns) return;
  const Quat led = advanced(s.q, dt, rate(s.q, s.spin));
  const Quat now = secondRate(led, s.spin, s.spinAcc),
             then = secondRate(led, s.spin, before.spinAcc);
  s.q =
      normalised(advanced(advanced(led, (2.0 / 3.0) * dt * dt, now), -(1.0 / 6.0) * dt * dt, then));
  s.spin += dt * (1.5 * s.spinAcc - 0.5 * before.spinAcc);
}

/// Corrector of Beeman's step: velocities of `s`, which has the accelerations at the new position.
/// `start` is the state before the predictor.
inline void correctBeeman(const RigidState& start, const EarlierMotion& before, RigidState& s,
                          const Moved& moved, double dt) {
  const auto kick = [dt](const Vec3& now, const Vec3& old, const Vec3& older) {
    return Vec3(dt * ((5.0 / 12.0) * now + (2.0 / 3.0) * old - (1.0 / 12.0) * older));
  };
  const Vec3 vel = start.vel + kick(s.acc, start.acc, before.acc);
  s.vel += moved.pushed.cwiseProduct(vel - s.vel);
  if (moved.turns) s.spin = start.spin + kick(s.spinAcc, start.spinAcc, before.spinAcc);
}

/// Runge-Kutta-Nyström; orientations are never brought back to length 1.
class RungeKuttaBody {
 public:
  /// Moves `s`, which has the accelerations of stage `stage` (1 to 4), to the next stage or, from
  /// the fourth, to the end of the step.
  void next(int stage, RigidState& s, const Moved& moved, double dt) {
    if (stage == 1) {
      start_ = s;
      pos_ = acc_ = spinAcc_ = Vec3::Zero();
      curve_.coeffs().setZero();
    }
    const double weight = stage == 1 || stage == 4 ? 1.0 : 2.0;
    acc_ += weight * s.acc;
    spinAcc_ += weight * s.spinAcc;
    const auto onward = [&](double h, const Vec3& way, const Quat& bend) {
      s.pos = start_.pos + moved.pushed.cwiseProduct(h * start_.vel + way);
      if (moved.turns)
        s.q = advanced(advanced(start_.q, h, rate(start_.q, start_.spin)), 1.0, bend);
    };
    const auto speedUp = [&](double h, const Vec3& acc, const Vec3& spinAcc) {
      s.vel = start_.vel + moved.pushed.cwiseProduct(h * acc);
      if (moved.turns) s.spin = start_.spin + h * spinAcc;
    };
    if (stage == 4) {
      onward(dt, (dt * dt / 6.0) * pos_, times(dt * dt / 6.0, curve_));
      speedUp(dt / 6.0, acc_, spinAcc_);
      return;
    }
    const Quat bend = secondRate(start_.q, start_.spin, s.spinAcc);
    pos_ += s.acc;
    curve_ = advanced(curve_, 1.0, bend);
    const double h = stage < 3 ? 0.5 * dt : dt;
    if (stage != 2)  // stages 2 and 3 share their place
      onward(h, (0.5 * h * h) * s.acc, times(0.5 * h * h, bend));
    speedUp(h, s.acc, s.spinAcc);
  }

 private:
  static Quat times(double factor, const Quat& q) {
    Quat scaled;
    scaled.coeffs() = factor * q.coeffs();
    return scaled;
  }

  RigidState start_;
  Vec3 pos_ = Vec3::Zero(), acc_ = Vec3::Zero(), spinAcc_ = Vec3::Zero();
  Quat curve_ = Quat::Identity();
};

/// Damping in proportion to force, without an exception for rest (Q8). The force on a body that
/// does not move, or moves across the force, is multiplied by 1 + c.
inline double dampingFactor(double c, double power) { return power > 0.0 ? 1.0 - c : 1.0 + c; }
inline BodyLoad damped(const BodyLoad& p, double c, const Vec3& vel, const Vec3& spin) {
  return {dampingFactor(c, p.acc.dot(vel)) * p.acc,
          dampingFactor(c, p.moment.dot(spin)) * p.moment};
}

}  // namespace scree::sim::asRockable
