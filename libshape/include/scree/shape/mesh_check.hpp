// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::shape {

struct MeshCheck {
  /// Number of defects of one kind, and the faces (by index) at the first of them.
  struct Finding {
    std::size_t count = 0;
    std::vector<std::uint32_t> faces;
  };
  std::size_t vertices = 0, faces = 0, components = 0;
  Finding openEdges;          ///< edges with one face
  Finding nonManifoldEdges;   ///< edges with more than two faces
  Finding wrongEdges;         ///< edges that both of their faces run the same way
  Finding pinchedVertices;    ///< vertices at which faces meet that are not connected around it
  Finding degenerateFaces;    ///< all corners on one line
  Finding duplicateFaces;     ///< same corners as an earlier face
  Finding selfIntersections;  ///< pairs of triangles that have more in common than what they share
  bool intersectionsCounted = true;  ///< false: gave up counting, there are at least as many

  bool closed() const { return openEdges.count == 0; }
  bool manifold() const { return nonManifoldEdges.count == 0 && pinchedVertices.count == 0; }
  bool oriented() const { return wrongEdges.count == 0; }
  bool sound() const;  ///< without a defect: the boundary of a solid
};

/// A kind of defect: its name for scripts and for people, and where its findings are.
struct Defect {
  const char *name, *one, *many;
  MeshCheck::Finding MeshCheck::*finding;
};
inline constexpr std::array<Defect, 7> defects{
    {{"openEdges", "open edge", "open edges", &MeshCheck::openEdges},
     {"nonManifoldEdges", "edge with more than two faces", "edges with more than two faces",
      &MeshCheck::nonManifoldEdges},
     {"wrongEdges", "edge between faces of opposite winding",
      "edges between faces of opposite winding", &MeshCheck::wrongEdges},
     {"pinchedVertices", "vertex where parts touch in a point",
      "vertices where parts touch in a point", &MeshCheck::pinchedVertices},
     {"degenerateFaces", "face without area", "faces without area", &MeshCheck::degenerateFaces},
     {"duplicateFaces", "face given twice", "faces given twice", &MeshCheck::duplicateFaces},
     {"selfIntersections", "pair of triangles that intersect", "pairs of triangles that intersect",
      &MeshCheck::selfIntersections}}};

/// Edges and connected parts alone, of which the first three findings tell.
MeshCheck checkEdges(const Polygons& faces);

/// Looks at everything. Degeneracy and intersections are decided exactly; polygons count as their
/// triangles (mesh.hpp). Intersections cost O(n log n) on the surface of a body; counting stops
/// after 4e7 pairs of near triangles and 400 for each triangle, or 2e6 that cross.
MeshCheck checkMesh(const SurfaceMesh& mesh);

/// One sentence per kind of finding, with counts and first faces; none for a sound mesh.
std::vector<std::string> findings(const MeshCheck& check);

/// Turns faces so that neighbours run opposite ways along their edge, each connected part as most
/// of its faces have it. For open sheets; closed meshes get their outside from coreOf.
/// @param turned  how many faces had to be turned
/// @throws GeometryError where there is no such turn: a one-sided surface
SurfaceMesh woundAlike(const SurfaceMesh& mesh, std::size_t& turned);

/// Drops all faces but the first with the same corners.
SurfaceMesh withoutDuplicateFaces(const SurfaceMesh& mesh);

/// The triangles of a mesh, for searches of the nearest. O(n log n) to make.
class SurfaceDistance {
 public:
  explicit SurfaceDistance(const SurfaceMesh& mesh);

  struct Nearest {
    double distance = 1e300;  ///< [L]
    std::uint32_t triangle = 0;
  };
  /// O(log n) as a rule. @param guess  a triangle that may be near: a good one saves time
  Nearest nearest(const Vec3& p, std::uint32_t guess = 0) const;
  double distance(const Vec3& p, std::uint32_t triangle) const;
  const std::vector<std::array<Vec3, 3>>& triangles() const { return triangles_; }
  const AabbTree& tree() const { return tree_; }  ///< of the boxes of triangles()

 private:
  std::vector<std::array<Vec3, 3>> triangles_;
  AabbTree tree_;
};

/// A number that is known to lie in between.
struct Bracket {
  double atLeast = 0.0, atMost = 0.0;
};

/// Largest distance of the points of surface `from` to surface `to` (the one-sided Hausdorff
/// distance), as a proven bracket.
///
/// Triangles of `from` are split where their bound is largest. The distance to a convex body is
/// convex, so a triangle is nowhere farther from one triangle of `to` than at its corners. It is
/// nowhere farther from `to` than the distance at its middle plus its own reach.
/// @param accuracy  [L] stops where atMost - atLeast is below this, or after 2e6 triangles
Bracket farthest(const SurfaceMesh& from, const SurfaceDistance& to, double accuracy);
/// Distance between surfaces (two-sided Hausdorff): no point of either is farther from the other.
Bracket hausdorff(const SurfaceMesh& a, const SurfaceMesh& b, double accuracy);

}  // namespace scree::shape
