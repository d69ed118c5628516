// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cell_motion.hpp"

#include "scree/sim/model/bodies.hpp"

namespace scree::sim {

/// Adds to the accumulated displacement of body k what it has moved by since it stood at `pos`,
/// `q`. @param cell  the periodic cell, against which it counts; null without one
/// @param radius  [L] rounding of the body
inline void accountMotion(Bodies& bodies, std::size_t k, const Vec3& pos, const Quat& q,
                          const CellMotion* cell, double radius) {
  const Vec3 moved = bodies.pos[k] - pos;
  const double move =
      (cell ? cell->motionAgainst(bodies.pos[k], moved, bodies.boundingRadius[k] + radius)
            : moved.norm()) +
      2.0 * (bodies.q[k].coeffs() - q.coeffs()).norm() * bodies.boundingRadius[k];
  bodies.lastMove[k] = move;
  // Rounded up, so that many small moves after a long way are not lost.
  if (move != 0.0) bodies.displacement[k] = (bodies.displacement[k] + move) * (1.0 + 0x1p-51);
}

}  // namespace scree::sim
