// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "convex_cell.hpp"

namespace scree::mass::detail {

/// Ten integrals about the origin of the part of a convex cell within a ball. Exact to rounding:
/// by the divergence theorem the planar faces, cut by discs, are enough.
Sums ballInCell(const ConvexCell& cell, const Vec3& centre, double radius);

/// The same within the cylinder about the line through `p` along the unit vector `t`.
Sums cylinderInCell(const ConvexCell& cell, const Vec3& p, const Vec3& t, double radius);

/// The same within the image of the unit ball under y -> centre + stretch y; `toUnit` is the
/// inverse of `stretch`.
Sums ellipsoidInCell(const ConvexCell& cell, const Vec3& centre, const Mat3& stretch,
                     const Mat3& toUnit);

}  // namespace scree::mass::detail
