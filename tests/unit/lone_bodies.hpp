// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies as parts of a simulation see them, without a simulation.
#pragma once

#include "contact/shape_geometry.hpp"
#include "engine/world.hpp"

#include <cstddef>
#include <vector>

namespace scree::sim {

inline shape::Shape ballShape(double radius) {
  shape::Shape ball;
  ball.name = "ball";
  ball.radius = radius;
  ball.vertices = {Vec3::Zero()};
  return ball;
}

/// Bodies of one shape and mass 2 that rest at the origin, without gravity.
struct LoneBodies {
  Conf conf;  ///< a file with the parameters of the law
  Model model;
  BodyOrder order;
  Bodies bodies;
  ShapeGeometry geometry;
  std::vector<BodyPose> poses;
  Restraint restraint;

  explicit LoneBodies(std::size_t n, const shape::Shape& kind = ballShape(0.5))
      : geometry(shapeGeometry(kind)), poses(n) {
    model.shapes = {kind};
    conf.particles.resize(n);
    bodies.resize(n);
    for (auto* v : {&bodies.pos, &bodies.vel, &bodies.acc, &bodies.spin, &bodies.spinAcc,
                    &bodies.force, &bodies.moment})
      v->assign(n, Vec3::Zero());
    for (auto* v : {&bodies.displacement, &bodies.lastMove}) v->assign(n, 0.0);
    bodies.q.assign(n, Quat::Identity());
    bodies.mass.assign(n, 2.0);
    bodies.inertia.assign(n, Vec3(1.0, 2.0, 3.0));
    bodies.group.assign(n, 0);
    bodies.shape.assign(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
      poses[k].shape = &geometry;
      setSize(k, 1.0);
      placeBody(bodies, k, poses[k]);
    }
  }
  LoneBodies(const LoneBodies&) = delete;  // `poses` points into it
  LoneBodies& operator=(const LoneBodies&) = delete;

  void setSize(std::size_t k, double homothety) {
    bodies.homothety[k] = poses[k].scale = homothety;
    bodies.boundingRadius[k] = homothety * geometry.boundingRadius;
    bodies.radius[k] = poses[k].radius = homothety * geometry.radius;
    poses[k].turn = homothety * Mat3::Identity();  // placeBody leaves that of a ball
  }
  void setPos(std::size_t k, const Vec3& pos) { poses[k].pos = bodies.pos[k] = pos; }
  World world(double time = 0.0) const {
    return {model, conf, restraint, order, bodies, poses, nullptr, time, 1};
  }
};

}  // namespace scree::sim
