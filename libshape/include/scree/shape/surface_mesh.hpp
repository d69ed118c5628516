// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/polygons.hpp"
#include "scree/shape/shape.hpp"

#include <cstddef>
#include <vector>

namespace scree::shape {

/// Vertices and polygonal faces, as mesh files hold them.
struct SurfaceMesh {
  std::vector<Vec3> vertices;  ///< [L]
  Polygons faces;  ///< counter-clockwise seen from outside, where the file knows outside
};

/// What the faces of a mesh form.
struct MeshTopology {
  std::size_t openEdges = 0;         ///< edges with one face
  std::size_t nonManifoldEdges = 0;  ///< edges with more than two faces
  std::size_t wrongEdges = 0;        ///< edges whose two faces run the same way: opposite windings
  std::size_t components = 0;        ///< parts connected through edges
  bool closed() const { return openEdges == 0 && nonManifoldEdges == 0; }
  bool oriented() const { return wrongEdges == 0; }
};
MeshTopology meshTopology(std::size_t vertexCount, const Polygons& faces);

/// Each edge of the faces once, lower index first, sorted.
std::vector<Edge> edgesOf(const Polygons& faces);

/// Vertices within `distance` of each other become one (the first); 0 joins equal ones alone. Faces
/// left with fewer than three corners are dropped.
SurfaceMesh welded(const SurfaceMesh& mesh, double distance);

/// Drops the vertices that no face uses; the others keep their order.
SurfaceMesh withoutLooseVertices(const SurfaceMesh& mesh);

}  // namespace scree::shape
