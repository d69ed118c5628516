// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace scree::shape {

struct HoleFilling {
  SurfaceMesh mesh;           ///< the given faces, then the new triangles
  std::size_t holes = 0;      ///< that were closed
  double area = 0.0;          ///< [L²] added
  std::size_t holesLeft = 0;  ///< of more than 300 edges
};

/// Closes the holes of a mesh by triangles on their rims, without further vertices. Faces should be
/// wound alike: a rim is followed against the winding of the faces along it.
HoleFilling filledHoles(const SurfaceMesh& mesh);

/// A closed, manifold, oriented mesh free of self-intersections around all of the given one,
/// however broken that is: an alpha wrap (CGAL). Time grows with (size/alpha)² and more where the
/// offset is far below alpha. The same bits on every call.
/// @param alpha   [L] > 0: gaps narrower than about this are bridged; also the size of triangles
/// @param offset  [L] > 0: the wrap stays this far off the given faces, outside
/// @throws GeometryError where nothing comes of it
/// Source: C. Portaneri et al., "Alpha wrapping with an offset", ACM Trans. Graph. 41(4), 2022.
SurfaceMesh wrapped(const SurfaceMesh& mesh, double alpha, double offset);

/// A mesh of triangles with at most `vertices` vertices, close to the given one: edges are
/// collapsed, the one that moves the surface least first. Closed stays closed, manifold manifold,
/// components and handles stay; open borders keep their course. The deviation is not bounded, and
/// self-intersections are not prevented. O(n log n). The same bits on every call.
/// @throws GeometryError where the mesh cannot be brought down to so few and stay what it is
/// Source: M. Garland & P. S. Heckbert, "Surface simplification using quadric error metrics",
/// SIGGRAPH 1997, with area weights; T. K. Dey et al., "Topology preserving edge contraction",
/// 1999.
SurfaceMesh simplified(const SurfaceMesh& mesh, std::size_t vertices);

/// A skeleton whose rounded surface lies on a given mesh, and how well.
struct Inset {
  SurfaceMesh skeleton;
  bool exact = false;       ///< convex: every plane of the mesh is one of the rounded surface
  std::size_t removed = 0;  ///< vertices that had to go: detail finer than the radius
  Bracket gap;  ///< [L] how far points of the mesh stand out of the rounded surface, at most:
                ///< corners and edges that are sharper than the rounding
  double excess = 0.0;  ///< [L] how far the rounded surface covers the mesh, at the corners of both
};

/// Moves the faces of a closed mesh inwards by the radius, so that the rounded body has the mesh as
/// its surface. Planes and reflex edges stay exactly; convex edges and corners become rounded.
///
/// A convex body (coreOf) is intersected with its half-spaces moved in; `gap` is exact to rounding.
/// O(n log n). All others move each vertex to where the planes of its faces meet when moved in. The
/// result does not intersect itself or the mesh, and lies inside (checked). `gap` is a proven
/// bracket then, and `excess` is measured at corners.
/// @param radius  [L] > 0
/// @throws GeometryError where the mesh is open or intersects itself, no ball of the radius fits
/// into a convex body, or parts thinner than twice the radius would vanish
Inset insetBy(const SurfaceMesh& mesh, double radius);

struct CoplanarMerge {
  SurfaceMesh mesh;       ///< polygons; vertices inside a face or on a straight side are gone
  double flatness = 0.0;  ///< [L] farthest vertex, dropped ones too, from the plane of its face
};

/// Neighbouring faces in one plane become one polygon: a wall of 1,200 triangles one face.
///
/// A face joins the plane of the largest one it is connected with where their normals are within
/// `degrees` of each other, or all its corners within `flat` of that plane. Edges inside a plane
/// vanish, and corners along its straight sides. The others stay, so a closed mesh stays closed.
/// Each face of the result is a simple polygon (isSimple, exact) bounded by one line: a plane with
/// a hole is cut into pieces. O(n log n).
/// @param degrees  in [0, 60)
/// @param flat     share of the size of the mesh; coordinates in single precision are uncertain by
///                 1e-7
CoplanarMerge mergedCoplanar(const SurfaceMesh& mesh, double degrees, double flat = 1e-7);

/// Both sides of a plane cut through a closed mesh of triangles: where normal . x <= offset, and
/// the rest, each closed by a cap; without faces where nothing lies there. O(n log n);
/// O(n²) for each hole in a cap.
/// @param tolerance  [L] vertices nearer to the plane lie on it
std::array<SurfaceMesh, 2> cutAlong(const SurfaceMesh& mesh, const Vec3& normal, double offset,
                                    double tolerance);

/// The solids that a closed mesh (the boundary that coreOf finds) is made of, each with its
/// cavities; largest first.
std::vector<SurfaceMesh> connectedSolids(const SurfaceMesh& mesh);

struct Decomposition {
  std::vector<ConvexHull> parts;  ///< largest first
  double volume = 0.0;            ///< [L³] of the body
  double partsVolume = 0.0;       ///< [L³] of all parts together; what overlaps counts twice.
  /// Volume that the parts have too much, over that of the body: an upper bound of what their union
  /// adds. None of the body is left out.
  double excess() const { return partsVolume / volume - 1.0; }
};

/// Convex parts that together cover a closed body. Planes cut it, the part that is farthest from
/// convex first, and each piece becomes its hull.
///
/// Bodies with flat faces come out exactly where few cuts do it (an L: two boxes). The more parts
/// are allowed, the more closely they cover a scan. Stops early where the excess is below 1e-9.
/// Takes about parts * triangles * 1 ms / 10. The same bits on every call.
/// @param mostParts  1 to 1000; a body in several components needs one each
/// @throws GeometryError where the mesh is open, or has more than 20,000 triangles: simplify first
Decomposition convexParts(const SurfaceMesh& mesh, std::size_t mostParts, int threads = 1);

}  // namespace scree::shape
