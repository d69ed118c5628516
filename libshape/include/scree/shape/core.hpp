// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"

#include <span>

namespace scree::shape {

/// What the skeleton of a shape is: files list vertices, edges and faces without saying what they
/// form, and without winding.
struct Core {
  ConvexHull hull;      ///< of all vertices
  bool convex = false;  ///< the skeleton fills its hull: a ball, a stick, a plate, a convex solid
  bool closed = false;  ///< the faces bound a volume; true for every convex core
  Polygons faces;  ///< the given ones; where closed, wound counter-clockwise seen from outside,
                   ///< around cavities from inside the cavity
  std::size_t openEdges = 0;  ///< edges with an odd number of faces
  bool turned = false;        ///< whether faces had to be turned for that
  double flatness = 0.0;  ///< [L] largest distance of a face's corner from the plane of the face
};

/// A closed core is convex where its faces have the volume and the area of the hull, and an open
/// one where they have its area: to 1e-9, or to the bend of faces whose corners are not in one
/// plane. A surface (isSurface) is never closed, and convex only where it is flat.
/// @throws GeometryError where coordinates are so large or small that moments leave the range of
/// double
Core coreOf(const Shape& shape);

/// Volume that closed faces bound, positive where they are counter-clockwise seen from outside.
double signedVolume(std::span<const Vec3> vertices, const Polygons& faces);

}  // namespace scree::shape
