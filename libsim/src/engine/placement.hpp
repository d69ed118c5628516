// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"

#include "scree/sim/model/bodies.hpp"

namespace scree::sim {

/// What contacts see of body k, as it stands now.
inline void placeBody(const Bodies& bodies, std::size_t k, BodyPose& p) {
  p.pos = bodies.pos[k];
  // A ball looks the same from all sides.
  if (!p.shape->ball) p.turn = bodies.homothety[k] * rotationMatrix(bodies.q[k]);
  p.vel = bodies.vel[k];
  p.spin = bodies.spin[k];
}

/// Whether that is up to date already.
inline bool poseIsCurrent(const Bodies& bodies, std::size_t k, const BodyPose& p) {
  return bodies.lastMove[k] == 0.0 && p.pos == bodies.pos[k] && p.vel == bodies.vel[k] &&
         p.spin == bodies.spin[k];
}

}  // namespace scree::sim
