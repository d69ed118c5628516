// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <vector>

namespace scree::shape {

/// The outer surface of a sphero-polyhedron as polygons, in the frame of the shape's vertices and
/// at homothety 1: a body shows it at position + orientation * (homothety * point).
struct RoundedSurface {
  std::vector<Vec3> points;   ///< [L]
  std::vector<Vec3> normals;  ///< exact outward unit normals, one per point
  Polygons cells;             ///< counter-clockwise seen from outside
};

/// Faces moved outwards by the radius, cylinder patches along edges, sphere patches at vertices.
///
/// A convex core (also a plate, a stick, a ball) gives one closed surface whose patches share their
/// points. All others are drawn piece by piece, whatever is surely hidden left out: the inner sides
/// of a closed mesh, patches of flat and reflex edges. Without radius only the faces are drawn,
/// with a normal per face and corner.
///
/// @param fineness  segments of an arc of 90 degrees, at least 1 (less counts as 1), whole or not;
///                  an arc of angle a gets ceil(a / (90 degrees / fineness)) of them
RoundedSurface roundedSurface(const Shape& shape, double fineness);

}  // namespace scree::shape
