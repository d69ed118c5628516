// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/surroundings.hpp"

namespace scree::sim {

/// [L] Distance of a point from the side of a cone across the axis, as Boundary::distance gives it
/// for the near side. Infinite on the axis.
/// @param inwards  unit normal at the nearest point of that side; unchanged on the axis
double farSideOfCone(const Boundary& cone, const Vec3& x, Vec3& inwards);

}  // namespace scree::sim
