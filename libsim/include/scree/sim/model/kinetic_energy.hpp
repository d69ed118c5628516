// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

namespace scree::sim {

/// Kinetic energy of a rigid body. [F L]
struct KineticEnergy {
  double translation = 0.0, rotation = 0.0;
  double sum() const { return translation + rotation; }
};

/// @param inertia  [M L²] principal moments
/// @param q        turns the frame of the principal axes into the global one
/// @param vel      [L/T] of the centre; in a periodic cell, relative to the flow of the cell
/// @param spin     [1/T] global frame
KineticEnergy kineticEnergy(double mass, const Vec3& inertia, const Quat& q, const Vec3& vel,
                            const Vec3& spin);

}  // namespace scree::sim
