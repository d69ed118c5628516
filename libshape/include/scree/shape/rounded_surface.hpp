// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace scree::shape {

/// The outer surface of a sphero-polyhedron as polygons, in the frame of the shape's vertices and
/// at homothety 1. On a body, a point p is at position + orientation * (homothety * p).
struct RoundedSurface {
  std::vector<Vec3> points;   ///< [L]
  std::vector<Vec3> normals;  ///< exact outward unit normals, one per point
  Polygons cells;             ///< counter-clockwise seen from outside
};

/// Faces moved outwards by the radius, cylinder patches along edges, sphere patches at vertices.
///
/// A convex core (also a plate, a stick, a ball) gives one closed surface whose patches share their
/// points. Patches of other cores may overlap; only those surely hidden are left out: inner sides
/// of a closed mesh, flat and reflex edges. Without radius only the faces are drawn, with a
/// normal per face and corner.
///
/// @param fineness  segments of an arc of 90 degrees, not always whole; below 1 it counts as 1.
///                  An arc of angle a gets ceil(a / (90 degrees / fineness)) of them.
RoundedSurface roundedSurface(const Shape& shape, double fineness);

/// The closed outer surface of a body that is not convex, in triangles, counter-clockwise seen from
/// outside: the union of few convex parts of its solid, rounded, or else of its rounded faces,
/// edges and vertices, and the solid if there is one. Each of these pieces is as roundedSurface()
/// draws it, so the surface lacks the volume between arcs and their chords. The union is exact up
/// to the rounding of its points (1e-9 of the size). Normals are exact but at reflex creases, where
/// they are the mean of both sides. Takes some 10 ms per piece.
/// @param fineness    as in roundedSurface()
/// @param mostPieces  largest number of pieces
/// @returns nothing for a surface (isSurface), a shape without radius, or one that needs more
/// pieces or has too many faces close together
std::optional<RoundedSurface> unionSurface(const Shape& shape, double fineness,
                                           std::size_t mostPieces = 100);

}  // namespace scree::shape
