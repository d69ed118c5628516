// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

#include <cstddef>

namespace scree::shape {

struct HoleFilling {
  SurfaceMesh mesh;           ///< the given faces, then the new triangles
  std::size_t holes = 0;      ///< that were closed
  std::size_t triangles = 0;  ///< added
  double area = 0.0;          ///< [L²] added
  std::size_t holesLeft = 0;  ///< too long, or without a way to close them
};

/// Closes the holes of a mesh by triangles on their rims, of the least area that triangles on a rim
/// can have. Adds no vertex and no edge that is there already.
/// @param longestRim  holes with more edges are left; O(n³) per rim of n edges
/// Faces should be wound alike: a rim is followed against the winding of the faces along it.
HoleFilling filledHoles(const SurfaceMesh& mesh, std::size_t longestRim = 300);

/// A closed, manifold, oriented mesh free of self-intersections around all of the given one,
/// however broken that is: an alpha wrap (CGAL).
///
/// @param alpha   [L] > 0: gaps and hollows narrower than about this are closed over; also the size
///                of the wrap's triangles
/// @param offset  [L] > 0: the wrap stays this far off the given faces, outside
/// The deviation is best measured: hausdorff (mesh_distance.hpp). Time grows with (size/alpha)² and
/// more where the offset is far below alpha. The same bits on every call.
/// @throws GeometryError where nothing comes of it
/// Source: C. Portaneri et al., "Alpha wrapping with an offset", ACM Trans. Graph. 41(4), 2022.
SurfaceMesh wrapped(const SurfaceMesh& mesh, double alpha, double offset);

}  // namespace scree::shape
