// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a part of the engine may look at, and what holds bodies back.
#pragma once

#include "contact/kinematics.hpp"
#include "contact/shape_geometry.hpp"
#include "engine/rigid_motion.hpp"
#include "model/rules.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/integrator.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

// Damping in proportion to force, and velocity barriers: what holds accelerations back.
struct Restraint {
  double damping = 0.0;                                ///< numericalDampingCoeff, [-]
  double barrier = 0.0, exponent = 1.0;                ///< VelocityBarrier [L/T], 0: none
  double angularBarrier = 0.0, angularExponent = 1.0;  ///< [1/T], 0: none

  bool acts() const { return damping > 0.0 || barrier > 0.0 || angularBarrier > 0.0; }
};

/// Load on a free body: all that acts on it, weight included.
struct BodyLoad {
  Vec3 acc = Vec3::Zero();     ///< [L/T²]
  Vec3 moment = Vec3::Zero();  ///< [F L]
};

/// 1 - c where force and motion agree (`power` > 0), 1 + c where they oppose each other. 1 without
/// power: what is at rest stays as it is.
inline double dampingFactor(double c, double power) {
  return power > 0.0 ? 1.0 - c : (power < 0.0 ? 1.0 + c : 1.0);
}

/// Local damping of the whole unbalanced force and moment, weight included, so that it vanishes at
/// rest. It goes by the sign of force times velocity as vectors, as in the format's public program.
/// Source: P. A. Cundall, in Numerical Methods in Geomechanics (Innsbruck), 1988.
inline BodyLoad damped(const BodyLoad& p, double c, const Vec3& vel, const Vec3& spin) {
  return {dampingFactor(c, p.acc.dot(vel)) * p.acc,
          dampingFactor(c, p.moment.dot(spin)) * p.moment};
}

/// (1 - r)/(1 + r) with r = |v/B|^e, for each global component: an acceleration fades as the
/// component nears the barrier, and turns back beyond it.
inline double barrierFactor(double v, double barrier, double exponent) {
  const double r = portablePow(std::abs(v) / barrier, exponent);
  return r == HUGE_VAL ? -1.0 : (1.0 - r) / (1.0 + r);
}
inline Vec3 barrierFactors(const Vec3& v, double barrier, double exponent) {
  return {barrierFactor(v[0], barrier, exponent), barrierFactor(v[1], barrier, exponent),
          barrierFactor(v[2], barrier, exponent)};
}

/// `p` behind the barriers, for a body of this velocity, orientation and spin.
inline BodyLoad behindBarriers(const BodyLoad& p, const Restraint& r, const Vec3& vel,
                               const Quat& q, const Vec3& spin, const Vec3& inertia) {
  BodyLoad held = p;
  if (r.barrier > 0.0) held.acc = barrierFactors(vel, r.barrier, r.exponent).cwiseProduct(p.acc);
  if (r.angularBarrier > 0.0) {
    const Vec3 acc = barrierFactors(spin, r.angularBarrier, r.angularExponent)
                         .cwiseProduct(angularAcceleration(q, spin, p.moment, inertia));
    held.moment = momentBehind(q, spin, acc, inertia);
  }
  return held;
}

struct Contacts;

/// Constants of a run, resolved once from its file.
struct Model {
  std::vector<shape::Shape> shapes;       ///< by `Bodies::shape`
  std::vector<ShapeGeometry> geometries;  ///< of these
  double dt = 0.0;                        ///< [T] time step
  Vec3 gravity = Vec3::Zero();            ///< [L/T²]
  std::optional<BodyForce> bodyForce;
  std::vector<SpringJoint> joints;
  std::vector<Tempo> tempos;  ///< courses in time, in the order of the file
  Integrator integrator = Integrator::velocityVerlet;
  Rules rules;
  int threads = 1;
  bool complete = false;  ///< the file holds a state to the bit
  bool mayOrder = false;  ///< bodies may be sorted by place, unless bonds name them
  std::string source;     ///< name of the file, for messages; "" for none
  /// Content of the file without its state: conf-files of the run repeat it. Steps do not read it.
  Conf file;
};

/// @throws ParseError for what a file requests and nothing here can compute
void refuseWhatIsMissing(const Conf& conf);
/// The bodies of a file in the order of a run.
/// @param keepLengths  orientations that are not of length 1 are left so
/// @throws ParseError for a body without mass
Bodies makeBodies(const Conf& file, const Model& model, const BodyOrder& order, bool keepLengths,
                  Diagnostics& diagnostics);
/// Poses of bodies as contacts see them, without position and motion: see placeBody.
std::vector<BodyPose> initialPoses(const Model& model, const Bodies& bodies);
/// Mass and inertia of body k, by the density of its group.
void setMass(const Parameters& parameters, const Model& model, Bodies& bodies, std::size_t k);
/// Damping and velocity barriers of a file.
Restraint restraintOf(const Conf& conf);

/// The order in which a run begins.
/// @param may  whether the run may have an order of its own
/// @param complete  the file holds a state to the bit, and its order
BodyOrder startOrder(const Conf& file, bool may, bool complete, Diagnostics& diagnostics);
/// An order by place, where bodies have mixed so far that it is worth making all lists again.
std::optional<BodyOrder> betterOrder(const BodyOrder& now, const Bodies& bodies,
                                     const Contacts& contacts);

/// View of a run for a part of the engine: references, for one call. The part gets the objects that
/// it changes beside this.
struct World {
  const Model& model;
  const Parameters& parameters;  ///< as courses in time have them now
  const Restraint& restraint;    ///< the same
  const BodyOrder& order;
  const Bodies& bodies;
  std::span<const BodyPose> poses;
  const Images* images;  ///< of the periodic cell; null without one
  double time;           ///< [T]
  std::uint64_t step;

  std::size_t freeBodies() const { return bodies.size() - bodies.driven; }
};

/// Calls f(k) for each free body k, on the threads of the run: see parallelFor.
template <class F>
void forFreeBodies(const World& world, F&& f) {
  parallelFor(
      world.model.threads, world.freeBodies(),
      [&, driven = world.bodies.driven](std::size_t m) { f(driven + m); }, bodyGrain);
}
/// Sum of f(k) over the free bodies k: see orderedSum.
template <class T, class F>
T sumOverFreeBodies(const World& world, const T& zero, F&& f) {
  return orderedSum(world.model.threads, world.freeBodies(), zero,
                    [&, driven = world.bodies.driven](std::size_t m) { return f(driven + m); });
}

/// [M] of a pair that meets; a driven body does not give way, so it counts as infinitely heavy.
inline double effectiveMass(const Bodies& bodies, BodyId a, BodyId b) {
  const double ma = bodies.mass[a], mb = bodies.mass[b];
  if (a < bodies.driven) return mb;
  if (b < bodies.driven) return ma;
  return ma * mb / (ma + mb);
}

/// [L/T] Velocity of body k against the flow of a periodic cell.
inline Vec3 velocityInCell(const World& world, std::size_t k) {
  const Vec3& vel = world.bodies.vel[k];
  if (!world.images) return vel;
  return vel - world.images->velocity * (world.images->inverse * world.bodies.pos[k]);
}

/// Load on free body k after damping and barriers.
inline BodyLoad loadOn(const World& world, std::size_t k) {
  const Bodies& bodies = world.bodies;
  const Restraint& restraint = world.restraint;
  BodyLoad load{bodies.force[k] / bodies.mass[k] + world.model.gravity, bodies.moment[k]};
  if (!restraint.acts()) return load;
  const Vec3 vel = velocityInCell(world, k), &spin = bodies.spin[k];
  if (restraint.damping > 0.0) load = damped(load, restraint.damping, vel, spin);
  return behindBarriers(load, restraint, vel, bodies.q[k], spin, bodies.inertia[k]);
}

/// Sets the pose of body k, as contacts see it, to its present state.
inline void placeBody(const Bodies& bodies, std::size_t k, BodyPose& p) {
  p.pos = bodies.pos[k];
  // A ball looks the same from all sides.
  if (!p.shape->ball) p.turn = bodies.homothety[k] * rotationMatrix(bodies.q[k]);
  p.vel = bodies.vel[k];
  p.spin = bodies.spin[k];
}

}  // namespace scree::sim
