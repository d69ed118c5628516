// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape {

/// Convex hull of points, of whatever dimension it has.
struct ConvexHull {
  int rank = 0;                       ///< 0: one point, 1: segment, 2: flat polygon, 3: solid
  std::vector<Vec3> points;           ///< [L] the corners alone, in the order of the input
  std::vector<std::uint32_t> source;  ///< points[k] is input point source[k]
  Polygons faces;  ///< rank 3: counter-clockwise seen from outside; rank 2: one, about its normal
  std::vector<Vec3> normals;  ///< outward unit normals, one per face

  double area() const;    ///< [L²] rank 3: of all faces; rank 2: of its one face
  double volume() const;  ///< [L³]
};

/// Hull with polygonal faces: triangles in one plane are one face, corners on an edge are left out.
/// @param flatness  in units of the size: what is closer to a plane or a line than that lies in it.
/// Coordinates far from the origin get the tolerance that their rounding asks for.
/// @throws GeometryError if a coordinate is not finite or beyond 1e150, where squares overflow
ConvexHull convexHull(std::span<const Vec3> points, double flatness = 1e-12);
/// The same with faces that are likely to be those of the hull, wound outwards. Where they are,
/// beyond doubt, the result is the same to the bit in a tenth of the time. Else they are ignored.
ConvexHull convexHull(std::span<const Vec3> points, const Polygons& likely,
                      double flatness = 1e-12);

/// Kind of a skeleton: files list vertices, edges and faces without saying what they
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

/// A closed core is convex where its faces have the volume and the area of the hull, an open one
/// where they have its area. The tolerance is 1e-9, or the bend of faces whose corners are not in
/// one plane. A surface (isSurface) is never closed, and convex only where it is flat.
/// @throws GeometryError where coordinates are so large or small that moments leave the range of
/// double
Core coreOf(const Shape& shape);

/// Volume that closed faces bound, positive where they are counter-clockwise seen from outside.
double signedVolume(std::span<const Vec3> vertices, const Polygons& faces);

}  // namespace scree::shape
