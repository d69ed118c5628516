// SPDX-License-Identifier: GPL-3.0-or-later
#include "velocity_verlet.hpp"

#include "engine/rigid_motion.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace scree::sim {
namespace {

/// A unit quaternion in each lane.
template <std::size_t n>
struct LaneQuatOf {
  LaneOf<n> scalar;
  Lane3Of<n> vector;

  SCREE_INLINE LaneOf<n>& w() { return scalar; }
  SCREE_INLINE Lane3Of<n>& vec() { return vector; }
};
template <std::size_t n>
SCREE_INLINE Lane3Of<n> rotated(const LaneQuatOf<n>& q, const Lane3Of<n>& a) {
  const Lane3Of<n> u = LaneOf<n>(2.0) * q.vector.cross(a);
  return a + q.scalar * u + q.vector.cross(u);
}
template <std::size_t n>
SCREE_INLINE Lane3Of<n> turnedBack(const LaneQuatOf<n>& q, const Lane3Of<n>& a) {
  return rotated({q.scalar, -q.vector}, a);
}
template <std::size_t n>
using RigidLanes = RigidStateOf<Lane3Of<n>, LaneQuatOf<n>>;

/// The first n quaternions of an array, one a lane.
template <std::size_t n>
SCREE_INLINE LaneQuatOf<n> gatherQuats(const Quat* q) {
  return {eachLane<n>([q](std::size_t k) { return q[k].w(); }),
          {eachLane<n>([q](std::size_t k) { return q[k].x(); }),
           eachLane<n>([q](std::size_t k) { return q[k].y(); }),
           eachLane<n>([q](std::size_t k) { return q[k].z(); })}};
}
template <std::size_t n>
SCREE_INLINE void scatterQuats(const LaneQuatOf<n>& lanes, Quat* q) {
  for (std::size_t k = 0; k < n; ++k)
    q[k] = Quat(lanes.scalar[k], lanes.vector.x[k], lanes.vector.y[k], lanes.vector.z[k]);
}

template <std::size_t n>
SCREE_INLINE RigidLanes<n> lanesAt(const Bodies& b, std::size_t k) {
  return {gather<n>(&b.pos[k]),    gather<n>(&b.vel[k]),  gather<n>(&b.acc[k]),
          gatherQuats<n>(&b.q[k]), gather<n>(&b.spin[k]), gather<n>(&b.spinAcc[k])};
}
/// Loads on n bodies from k on, as loadOn() has them: accelerations and moments.
template <std::size_t n>
SCREE_INLINE std::pair<Lane3Of<n>, Lane3Of<n>> loadsOn(const World& world, std::size_t k) {
  const Bodies& bodies = world.bodies;
  if (world.restraint.acts()) {
    std::array<Vec3, n> acc, moment;
    for (std::size_t m = 0; m < n; ++m) {
      const BodyLoad load = loadOn(world, k + m);
      acc[m] = load.acc;
      moment[m] = load.moment;
    }
    return {gather<n>(acc.data()), gather<n>(moment.data())};
  }
  const LaneOf<n> mass = loaded<n>(&bodies.mass[k]);
  return {gather<n>(&bodies.force[k]) / mass + Lane3Of<n>(world.model.gravity),
          gather<n>(&bodies.moment[k])};
}

/// Counts the ways of n bodies from k on, from `before` to `now`, as accountMotion() does.
template <std::size_t n>
SCREE_INLINE void accountMotions(Bodies& bodies, std::size_t k, const RigidLanes<n>& before,
                                 const RigidLanes<n>& now, const CellMotion* cell) {
  const Lane3Of<n> way = now.pos - before.pos, v = now.q.vector - before.q.vector;
  const LaneOf<n> w = now.q.scalar - before.q.scalar, zero = 0.0;
  LaneOf<n> moved = way.norm();
  if (cell)
    moved = eachLane<n>([&](std::size_t m) {
      return cell->motionAgainst(bodies.pos[k + m], way.of(m),
                                 bodies.boundingRadius[k + m] + bodies.radius[k + m]);
    });
  const LaneOf<n> turned = squareRoot((v.x * v.x + v.z * v.z) + (v.y * v.y + w * w));
  const LaneOf<n> move = moved + 2.0 * turned * loaded<n>(&bodies.boundingRadius[k]);
  const LaneOf<n> sum = loaded<n>(&bodies.displacement[k]);
  store(move, &bodies.lastMove[k]);
  store(choose(move <= zero, sum, (sum + move) * roundedUp), &bodies.displacement[k]);
}

}  // namespace

/// Takes free bodies, n at a time, through the end of a step, through what the next one begins
/// with, or both. @returns the first of those that are left, fewer than n
template <bool ends, bool begins, std::size_t n>
SCREE_INLINE std::size_t VelocityVerlet::moveLanes(const Scene& scene, std::size_t begin,
                                                   std::size_t end) {
  const World& world = scene.world;
  Bodies& bodies = scene.bodies;
  std::vector<BodyPose>& poses = scene.poses;
  const double dt = world.model.dt;
  const bool shared = begin >= scene.shares.cuts()[1];
  std::size_t k = begin;
  for (; k + n <= end; k += n) {
    if (begins && shared && k + 2 * n <= end)  // a lower thread may have read these
      prefetchToWrite(poses.data() + k + n, n * sizeof(BodyPose));
    RigidLanes<n> s = lanesAt<n>(bodies, k);
    const Lane3Of<n> inertia = gather<n>(&bodies.inertia[k]);
    if constexpr (ends) {
      const auto [acc, moment] = loadsOn<n>(world, k);
      kick(s, inertia, acc, moment, dt);
    }
    if constexpr (begins) {
      const RigidLanes<n> before = s;
      kickAndDrift(s, inertia, dt);
      scatter(s.pos, &bodies.pos[k]);
      scatter(s.vel, &bodies.vel[k]);
      scatterQuats(s.q, &bodies.q[k]);
      scatter(s.spin, &bodies.spin[k]);
      accountMotions(bodies, k, before, s, scene.cell);
      for (std::size_t m = 0; m < n; ++m) placeBody(bodies, k + m, poses[k + m]);
      // Accelerations are computed again at the end of the step that begins.
    } else {
      scatter(s.vel, &bodies.vel[k]);
      scatter(s.acc, &bodies.acc[k]);
      scatter(s.spin, &bodies.spin[k]);
      scatter(s.spinAcc, &bodies.spinAcc[k]);
    }
  }
  return k;
}

/// Moves sixteen bodies at a time. They fill two registers of AVX-512, and so two chains of
/// operations, which do not wait for each other. @returns as moveLanes
template <bool ends, bool begins>
SCREE_IN_WIDE_LANES std::size_t VelocityVerlet::moveWide(const Scene& scene, std::size_t begin,
                                                         std::size_t end) {
  return moveLanes<ends, begins, 16>(scene, begin, end);
}

template <bool ends, bool begins>
SCREE_IN_LANES void VelocityVerlet::moveRest(const Scene& scene, std::size_t begin,
                                             std::size_t end) {
  const World& world = scene.world;
  Bodies& bodies = scene.bodies;
  const double dt = world.model.dt;
  for (std::size_t k = moveLanes<ends, begins, laneCount>(scene, begin, end); k < end; ++k) {
    RigidState s = stateOf(bodies, k);
    if constexpr (ends) {
      const BodyLoad load = loadOn(world, k);
      kick(s, bodies.inertia[k], load.acc, load.moment, dt);
    }
    if constexpr (begins) kickAndDrift(s, bodies.inertia[k], dt);
    const Vec3 pos = bodies.pos[k];
    const Quat q = bodies.q[k];
    setState(bodies, k, s);
    if constexpr (begins) {
      accountMotion(bodies, k, pos, q, scene.cell, world.bodies.radius[k]);
      placeBody(bodies, k, scene.poses[k]);
    }
  }
}

template <bool ends, bool begins>
void VelocityVerlet::moveRange(const Scene& scene, std::size_t begin, std::size_t end) {
  if constexpr (SCREE_HAS_WIDE)
    if (lanesAreWide()) begin = moveWide<ends, begins>(scene, begin, end);
  moveRest<ends, begins>(scene, begin, end);
}

void VelocityVerlet::look(const Scene& scene, std::size_t begin, std::size_t end) {
  if (scene.lists.expired(scene.bodies, begin, end)) expired_ = true;
  if (scene.bodies.movedFurther(scene.mostMoves, begin, std::min(end, scene.mostMoves.size())))
    tooFar_ = true;
}

void VelocityVerlet::watch(const Bodies& bodies, std::span<const double> mostMoves) {
  tooFar_ = bodies.movedFurther(mostMoves, 0, std::min(bodies.size(), mostMoves.size()));
}

void VelocityVerlet::begin(const Scene& scene, DriveSystem& drives) {
  const World& world = scene.world;
  Bodies& bodies = scene.bodies;
  const std::size_t driven = bodies.driven;
  drives.remember(bodies);
  drives.move(bodies, world.model.dt);
  for (std::size_t k = 0; k < driven; ++k)
    accountMotion(bodies, k, drives.startPos(k), drives.startQ(k), scene.cell,
                  world.bodies.radius[k]);
  if (!ahead_) {
    expired_ = tooFar_ = false;
    scene.shares.cover(driven, bodies.size(), world.model.threads);
    parallelRanges(scene.shares.cuts(), [&](std::size_t begin, std::size_t end) {
      moveRange<false, true>(scene, begin, end);
      look(scene, begin, end);
    });
  }
  ahead_ = false;
  for (std::size_t k = 0; k < driven; ++k) {
    const BodyPose& p = scene.poses[k];
    const bool isCurrent = bodies.lastMove[k] == 0.0 && p.pos == bodies.pos[k] &&
                           p.vel == bodies.vel[k] && p.spin == bodies.spin[k];
    if (!isCurrent) placeBody(bodies, k, scene.poses[k]);  // else threads keep what they have read
  }
  look(scene, 0, driven);
}

void VelocityVerlet::finish(const Scene& scene) {
  parallelRanges(scene.shares.cuts(), [&](std::size_t begin, std::size_t end) {
    moveRange<true, false>(scene, begin, end);
  });
}

void VelocityVerlet::AfterForces::operator()(std::size_t begin, std::size_t end) const {
  if (!ahead_) {
    integrator_.moveRange<true, false>(scene_, begin, end);
    return;
  }
  integrator_.moveRange<true, true>(scene_, begin, end);
  integrator_.look(scene_, begin, end);
}

}  // namespace scree::sim
