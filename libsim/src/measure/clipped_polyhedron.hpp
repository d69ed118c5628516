// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/hull.hpp"
#include "scree/sim/measure/region.hpp"

namespace scree::sim {

/// [L³] of a convex polyhedron inside a sphere or a cylinder. It is the integral over slices of the
/// area that a polygon and a disc share, which has a closed form. To about 1e-13 of the smaller of
/// both volumes.
///
/// @param hull    of rank 3, in the frame of the region, as convexHull returns it
/// @param region  a sphere or a cylinder
/// O(faces) for each of about a hundred slices between two breaks
double polyhedronInside(const Region& region, const shape::ConvexHull& hull);

/// [L²] within the disc of this radius about the origin, to the left of the way from a to b as seen
/// from the origin. Summed over the sides of a polygon, counter-clockwise, this is the area that
/// polygon and disc share.
double discAreaAlong(double radius, const Vec2& a, const Vec2& b);

}  // namespace scree::sim
