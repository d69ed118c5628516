// SPDX-License-Identifier: GPL-3.0-or-later
// Two balls as parts of a simulation see them, without a simulation.
#pragma once

#include "contact/shape_geometry.hpp"
#include "state/world.hpp"

namespace scree::sim {

/// Balls of radius 1/2 and mass 2 that rest at the origin, without gravity.
struct BallPair {
  Conf conf;
  BodyOrder order;
  Bodies bodies;
  ShapeGeometry geometry;
  std::vector<BodyPose> poses = std::vector<BodyPose>(2);
  std::vector<double> radius{0.5, 0.5};
  Restraint restraint;

  BallPair() {
    conf.gravity = Vec3::Zero();
    conf.particles.resize(2);
    shape::Shape ball;
    ball.name = "ball";
    ball.radius = 0.5;
    ball.vertices = {Vec3::Zero()};
    geometry = shapeGeometry(ball);
    bodies.resize(2);
    for (auto* v : {&bodies.pos, &bodies.vel, &bodies.acc, &bodies.spin, &bodies.spinAcc,
                    &bodies.force, &bodies.moment})
      v->assign(2, Vec3::Zero());
    for (auto* v : {&bodies.displacement, &bodies.lastMove, &bodies.boundingRadius})
      v->assign(2, 0.0);
    bodies.q.assign(2, Quat::Identity());
    bodies.mass.assign(2, 2.0);
    bodies.inertia.assign(2, Vec3(1.0, 2.0, 3.0));
    bodies.group.assign(2, 0);
    bodies.shape.assign(2, 0);
    bodies.homothety.assign(2, 1.0);
    for (BodyPose& p : poses) {
      p.shape = &geometry;
      p.radius = 0.5;
      p.scale = 1.0;
      p.turn = Mat3::Identity();
      p.pos = p.vel = p.spin = Vec3::Zero();
    }
  }
  BallPair(const BallPair&) = delete;  // `poses` points into it
  BallPair& operator=(const BallPair&) = delete;

  Rules rules;
  World world(double time = 0.0) const {
    return {conf, conf, order, bodies, poses, radius, {}, restraint, nullptr, time, 1, 1, rules};
  }
  void stand(const Vec3& a, const Vec3& b) {
    poses[0].pos = bodies.pos[0] = a;
    poses[1].pos = bodies.pos[1] = b;
  }
};

}  // namespace scree::sim
