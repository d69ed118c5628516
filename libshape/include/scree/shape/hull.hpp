// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::shape {

/// Convex hull of points: a point, a segment, a flat polygon or a solid.
struct ConvexHull {
  int rank = 0;                       ///< 0: one point, 1: segment, 2: flat polygon, 3: solid
  std::vector<Vec3> points;           ///< [L] the corners alone, in the order of the input
  std::vector<std::uint32_t> source;  ///< points[k] is input point source[k]
  Polygons faces;  ///< counter-clockwise seen from outside; rank 2: one, about normals[0]
  std::vector<Vec3> normals;  ///< outward unit normals, one per face

  double area() const;    ///< [L²] rank 3: of all faces; rank 2: of its one face
  double volume() const;  ///< [L³]
};

/// Hull with polygonal faces: triangles in one plane are one face, corners on an edge are left out.
/// @param flatness  relative to the size: points closer than this to a plane or line lie in it.
/// Coordinates far from the origin get a larger tolerance, for their rounding.
/// @throws GeometryError if a coordinate is not finite or beyond 1e150, where squares overflow
ConvexHull convexHull(std::span<const Vec3> points, double flatness = 1e-12);

/// A largest ball inside a convex hull; there may be several.
struct InscribedBall {
  Vec3 centre = Vec3::Zero();  ///< [L]
  double radius = 0.0;         ///< [L] 0 where the hull is flat
};
/// Finds a largest ball by the dual simplex method, in centre and radius. Exact to rounding. O(n)
/// per step, few steps.
InscribedBall inscribedBall(const ConvexHull& hull);

/// Kind of a skeleton, and the solid that its faces bound. Files list vertices, edges and faces
/// without saying what they form.
///
/// The solid is the set of points with a winding number above 0 (docs/meshes.md). Equal vertices
/// are one, and faces back to back cancel each other. A part is a set of faces that closes on its
/// own; its faces are wound alike and around a positive volume. Where this is impossible, at edges
/// of three or more faces, the part bounds all the space that it separates from infinity. Parts
/// that touch or cross are united; parts inside another one, apart from its surface, are cavities,
/// whichever way their faces run. A mesh with an edge of only one face is open and bounds nothing.
struct Core {
  ConvexHull hull;      ///< of all vertices
  bool convex = false;  ///< the skeleton fills its hull: a ball, a stick, a plate, a convex solid
  bool closed = false;  ///< the faces bound a volume; true for every convex core
  std::vector<Vec3> vertices;  ///< [L] the given ones, then points where faces cross
  /// If closed, the boundary of the solid, which does not cross itself: counter-clockwise seen from
  /// outside, and of a cavity seen from within it. Else the given faces.
  Polygons faces;
  Polygons sheets;  ///< faces, or pieces of them, outside of the solid: rounded, they have volume
  bool arranged = false;      ///< faces were cut where they cross, or left out inside of the solid
  bool crowded = false;       ///< too many faces lie close together to find out what they bound
  bool oneSided = false;      ///< two faces at each edge, but no winding is consistent (Möbius)
  std::size_t openEdges = 0;  ///< edges with one face
  std::size_t reversedParts = 0;  ///< parts read against the winding of their faces
  bool turned = false;            ///< whether the order of corners of any face had to be reversed
  double hullExcess = 0.0;  ///< [-] convex: relative difference of the volumes of hull and solid
  double flatness = 0.0;    ///< [L] largest distance of a face's corner from the plane of the face
};

/// Core of a shape. A closed one is convex if its faces have the volume and the area of the hull,
/// to a relative 1e-9, or up to 1e-4 if corners of a face are not in one plane. A surface
/// (isSurface) is closed and convex only if it is flat. Crossings are decided exactly. O(n log n);
/// where faces cross, about 0.2 ms for each pair.
/// @throws GeometryError if sizes or coordinates are outside of 1e-50 to 1e50, where moments leave
/// the range of double
Core coreOf(const Shape& shape);

/// Clause that says why the faces of a core that is not closed bound no solid.
std::string whyNoSolid(const Core& core);

/// [L³] Volume inside closed faces, positive if they are counter-clockwise seen from outside.
double signedVolume(std::span<const Vec3> vertices, const Polygons& faces);

/// Whether a point, not on closed faces, lies inside them, by the solid angle they subtend. O(n).
bool encloses(std::span<const Vec3> vertices, const Polygons& faces, const Vec3& p);

}  // namespace scree::shape
