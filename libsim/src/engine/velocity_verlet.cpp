// SPDX-License-Identifier: GPL-3.0-or-later
#include "velocity_verlet.hpp"

#include "engine/rigid_motion.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <array>

namespace scree::sim {
namespace {

/// A unit quaternion in each lane.
struct LaneQuat {
  Lane scalar;
  Lane3 vector;

  Lane& w() { return scalar; }
  Lane3& vec() { return vector; }
};
inline Lane3 rotated(const LaneQuat& q, const Lane3& a) {
  const Lane3 u = Lane(2.0) * q.vector.cross(a);
  return a + q.scalar * u + q.vector.cross(u);
}
inline Lane3 turnedBack(const LaneQuat& q, const Lane3& a) {
  return rotated({q.scalar, {-q.vector.x, -q.vector.y, -q.vector.z}}, a);
}
using RigidLanes = RigidStateOf<Lane3, LaneQuat>;

/// Quaternions first, first + 1, ... of an array, one a lane.
inline LaneQuat gatherQuats(const Quat* q) {
  return {
      Lane(q[0].w(), q[1].w(), q[2].w(), q[3].w()),
      {Lane(q[0].x(), q[1].x(), q[2].x(), q[3].x()), Lane(q[0].y(), q[1].y(), q[2].y(), q[3].y()),
       Lane(q[0].z(), q[1].z(), q[2].z(), q[3].z())}};
}
inline void scatterQuats(const LaneQuat& lanes, Quat* q) {
  for (std::size_t k = 0; k < laneCount; ++k)
    q[k] = Quat(lanes.scalar[k], lanes.vector.x[k], lanes.vector.y[k], lanes.vector.z[k]);
}

/// lanes(k) for bodies k, k+1, k+2, k+3 at once, one(k) for those that are left over at the end.
template <class Lanes, class One>
void forLanes(std::size_t begin, std::size_t end, Lanes&& lanes, One&& one) {
  std::size_t k = begin;
  for (; k + laneCount <= end; k += laneCount) lanes(k);
  for (; k < end; ++k) one(k);
}

RigidLanes lanesAt(const Bodies& b, std::size_t k) {
  return {gather(&b.pos[k]),    gather(&b.vel[k]),  gather(&b.acc[k]),
          gatherQuats(&b.q[k]), gather(&b.spin[k]), gather(&b.spinAcc[k])};
}

}  // namespace

/// Takes free bodies through the end of a step, through what the next one begins with, or both.
template <bool ends, bool begins>
SCREE_IN_LANES void VelocityVerlet::moveRange(const Scene& scene, std::size_t begin,
                                              std::size_t end) {
  const World& world = scene.world;
  Bodies& bodies = scene.bodies;
  std::vector<BodyPose>& poses = scene.poses;
  const double dt = world.model.dt;
  const bool shared = begin >= scene.shares.cuts()[1];
  forLanes(
      begin, end,
      [&](std::size_t k) {
        if (begins && shared && k + 2 * laneCount <= end)  // a lower thread may have read these
          prefetchToWrite(poses.data() + k + laneCount, laneCount * sizeof(BodyPose));
        RigidLanes s = lanesAt(bodies, k);
        const Lane3 inertia = gather(&bodies.inertia[k]);
        if constexpr (ends) {
          std::array<Vec3, laneCount> acc, moment;
          for (std::size_t m = 0; m < laneCount; ++m) {
            const BodyLoad load = loadOn(world, k + m);
            acc[m] = load.acc;
            moment[m] = load.moment;
          }
          kick(s, inertia, gather(acc.data()), gather(moment.data()), dt);
        }
        if constexpr (begins) {
          kickAndDrift(s, inertia, dt);
          std::array<Vec3, laneCount> pos;
          std::array<Quat, laneCount> q;
          std::copy_n(&bodies.pos[k], laneCount, pos.begin());
          std::copy_n(&bodies.q[k], laneCount, q.begin());
          scatter(s.pos, &bodies.pos[k]);
          scatter(s.vel, &bodies.vel[k]);
          scatterQuats(s.q, &bodies.q[k]);
          scatter(s.spin, &bodies.spin[k]);
          for (std::size_t m = 0; m < laneCount; ++m) {
            accountMotion(bodies, k + m, pos[m], q[m], scene.cell, world.bodies.radius[k + m]);
            placeBody(bodies, k + m, poses[k + m]);
          }
          // Accelerations are computed again at the end of the step that begins.
        } else {
          scatter(s.vel, &bodies.vel[k]);
          scatter(s.acc, &bodies.acc[k]);
          scatter(s.spin, &bodies.spin[k]);
          scatter(s.spinAcc, &bodies.spinAcc[k]);
        }
      },
      [&](std::size_t k) {
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
          placeBody(bodies, k, poses[k]);
        }
      });
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
