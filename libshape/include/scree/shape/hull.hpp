// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <span>
#include <string>
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

/// A ball inside a convex hull that is not smaller than any other.
struct InscribedBall {
  Vec3 centre = Vec3::Zero();  ///< [L]
  double radius = 0.0;         ///< [L] 0 where the hull is flat
};
/// Solves a linear program in centre and radius by exchange of active planes. Exact to rounding.
/// O(n) a step, few steps.
InscribedBall inscribedBall(const ConvexHull& hull);

/// Kind of a skeleton, and the solid that its faces bound. Files list vertices, edges and faces
/// without saying what they form.
///
/// The solid is the set of points with a winding number above 0. Equal vertices are one. Faces that
/// lie back to back cancel each other. A part that each edge of it leaves closed winds as its faces
/// run, so that its volume is positive. Faces between edges of three or more that no winding makes
/// consistent bound all the space they separate from infinity. Parts that touch or cross are
/// united; a part (or several that touch) inside another is a cavity, whichever way its faces run.
/// A mesh with an edge of one face is open and bounds nothing.
struct Core {
  ConvexHull hull;      ///< of all vertices
  bool convex = false;  ///< the skeleton fills its hull: a ball, a stick, a plate, a convex solid
  bool closed = false;  ///< the faces bound a volume; true for every convex core
  std::vector<Vec3> vertices;  ///< [L] the given ones, then points where faces cross
  /// Where closed, the boundary of the solid: it does not cross itself, and runs counter-clockwise
  /// seen from outside, around cavities from inside the cavity. Else the given faces.
  Polygons faces;
  Polygons sheets;  ///< faces, or pieces of them, outside of the solid: they matter if rounded
  bool arranged = false;      ///< faces were cut where they cross, or left out inside of the solid
  bool crowded = false;       ///< too many faces lie close together to find out what they bound
  bool oneSided = false;      ///< pairs of faces at all edges, but no winding makes them agree
  std::size_t openEdges = 0;  ///< edges with one face
  std::size_t reversedParts = 0;  ///< parts that count against the winding of their faces
  bool turned = false;            ///< whether faces had to be turned
  double hullExcess = 0.0;  ///< of a solid that counts as convex: volume of the hull beyond its own
  double flatness = 0.0;    ///< [L] largest distance of a face's corner from the plane of the face
};

/// A closed core is convex where its faces have the volume and the area of the hull. The tolerance
/// is 1e-9, or the bend of faces whose corners are not in one plane. A surface (isSurface) is never
/// closed, and convex only where it is flat. Decided exactly. O(n log n); where faces cross, about
/// 0.2 ms for each pair.
/// @throws GeometryError where coordinates are so large or small that moments leave the range of
/// double
Core coreOf(const Shape& shape);

/// Why the faces of a core that is not closed bound no solid: a clause.
std::string whyNoSolid(const Core& core);

/// Volume that closed faces bound, positive where they are counter-clockwise seen from outside.
double signedVolume(std::span<const Vec3> vertices, const Polygons& faces);

/// Whether a point off closed faces lies inside, by the solid angle at which it sees them. O(n).
bool encloses(std::span<const Vec3> vertices, const Polygons& faces, const Vec3& p);

}  // namespace scree::shape
