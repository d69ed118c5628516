// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace scree::shape {

/// The outer surface of a sphero-polyhedron as polygons, in the frame of the shape's vertices and
/// at homothety 1. A body shows it at position + orientation * (homothety * point).
struct RoundedSurface {
  std::vector<Vec3> points;   ///< [L]
  std::vector<Vec3> normals;  ///< exact outward unit normals, one per point
  Polygons cells;             ///< counter-clockwise seen from outside
};

/// Faces moved outwards by the radius, cylinder patches along edges, sphere patches at vertices.
///
/// A convex core (also a plate, a stick, a ball) gives one closed surface whose patches share their
/// points. All others are drawn piece by piece, without what is surely hidden: the inner sides of a
/// closed mesh, patches of flat and reflex edges. Without radius only the faces are drawn, with a
/// normal per face and corner.
///
/// @param fineness  segments of an arc of 90 degrees, at least 1 (less counts as 1), whole or not.
///                  An arc of angle a gets ceil(a / (90 degrees / fineness)) of them.
RoundedSurface roundedSurface(const Shape& shape, double fineness);

/// The outer surface of a body that is not convex, as one closed surface. It bounds the union of
/// convex pieces, each drawn as roundedSurface() draws it. Where faces bound a solid that cuts into
/// few convex parts, the pieces are these parts, rounded. Else they are the solid, its rounded
/// faces, edges and vertices. Triangles; counter-clockwise seen from outside.
///
/// All points of the pieces lie on the body, so the surface encloses a little less than the body.
/// It lacks the part of the rounding between arcs and their chords, as every inscribed polyhedron
/// does. The union is exact up to the rounding of its points (1e-9 of the size). Normals are exact
/// but at reflex creases, where they are the mean of both sides. Takes some 10 ms per piece.
/// @param fineness    as in roundedSurface()
/// @param mostPieces  of more convex pieces no union is formed
/// @returns nothing for a surface (isSurface), without radius or faces that close, for more pieces,
/// and where the union touches itself
std::optional<RoundedSurface> unionSurface(const Shape& shape, double fineness,
                                           std::size_t mostPieces = 100);

}  // namespace scree::shape
