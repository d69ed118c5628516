// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"

#include "scree/sim/model/images.hpp"

namespace scree::sim {

/// A body as its image stands and moves: `n` cells away, faster by what the cell moves.
inline BodyPose imageOf(const BodyPose& body, const Images& images, const CellShift& n) {
  BodyPose p = body;
  p.pos += images.offset(n);
  p.vel += images.velocity * n.cast<double>();
  return p;
}

}  // namespace scree::sim
