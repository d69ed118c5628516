// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/mesh_distance.hpp"
#include "scree/shape/surface_mesh.hpp"

#include <cstddef>

namespace scree::shape {

/// A skeleton whose rounded surface lies on a given mesh, and how well.
struct Inset {
  SurfaceMesh skeleton;
  bool exact = false;       ///< convex: every plane of the mesh is one of the rounded surface
  std::size_t removed = 0;  ///< vertices that had to go: detail finer than the radius
  Bracket gap;  ///< [L] how far points of the mesh stand out of the rounded surface, at most:
                ///< corners and edges that are sharper than the rounding
  double excess = 0.0;  ///< [L] how far the rounded surface covers points of the mesh, at most
  double bulge = 0.0;   ///< [L] farthest sample of the rounded surface from the mesh
};

/// Moves the faces of a closed mesh inwards by the radius, so that the rounded body has the mesh as
/// its surface: planes and reflex edges exactly, convex edges and corners rounded.
///
/// A convex body (coreOf) of up to 2,000 planes is intersected with its half-spaces moved in:
/// planes that vanish for the rounding vanish, and `gap` is exact to rounding. O(n²).
///
/// All others move each vertex to where the planes of its faces meet when moved in, in the least
/// squares where more than three meet there; triangles that would turn over are collapsed first.
/// The result does not intersect itself or the mesh, and lies inside (checked); what it is worth is
/// measured: `gap` as a proven bracket, `excess` to rounding, `bulge` by samples.
/// @param radius  [L] > 0
/// @throws GeometryError where the mesh is open or intersects itself, or the radius is too large:
/// no ball of it fits into a convex body, or parts thinner than twice the radius would vanish
Inset insetBy(const SurfaceMesh& mesh, double radius);

}  // namespace scree::shape
