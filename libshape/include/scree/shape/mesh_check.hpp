// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::shape {

/// What is wrong with a mesh, and where.
struct MeshCheck {
  /// How many there are of a kind, and the faces (by index) at the first of them.
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
  /// Closed, manifold, oriented and without self-intersection: the boundary of a solid.
  bool sound() const {
    return closed() && manifold() && oriented() && degenerateFaces.count == 0 &&
           duplicateFaces.count == 0 && selfIntersections.count == 0;
  }
};

/// Looks at everything. Degeneracy and intersections are decided exactly; polygons count as their
/// triangles (triangulate.hpp). Intersections cost O(n log n) on the surface of a body; counting
/// stops after 2e7 pairs of near triangles.
MeshCheck checkMesh(const SurfaceMesh& mesh, int threads = 1);

/// One sentence per kind of finding, with counts and first faces; none for a sound mesh.
std::vector<std::string> findings(const MeshCheck& check);

/// Turns faces so that neighbours run opposite ways along their edge, each connected part as most
/// of its faces have it. For open sheets; closed meshes get their outside from coreOf.
/// @param turned  how many faces had to be turned
/// @throws GeometryError where there is no such turn: a one-sided surface
SurfaceMesh woundAlike(const SurfaceMesh& mesh, std::size_t& turned);

/// Drops all faces but the first with the same corners.
SurfaceMesh withoutDuplicateFaces(const SurfaceMesh& mesh);

}  // namespace scree::shape
