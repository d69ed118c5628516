// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

#include <cstddef>

namespace scree::shape {

/// A mesh of triangles with at most `vertices` vertices, close to the given one: edges are
/// collapsed, the one that moves the surface least first. Closed stays closed, manifold manifold,
/// components and handles stay; open borders keep their course.
///
/// What it costs is not promised but can be measured: hausdorff (mesh_distance.hpp), signedVolume
/// (core.hpp), checkMesh for self-intersections, which it does not look for.
/// O(n log n). The same bits on every call.
/// @throws GeometryError where the mesh cannot be brought down to so few without changing what it
/// is
/// Source: M. Garland & P. S. Heckbert, "Surface simplification using quadric error metrics",
/// SIGGRAPH 1997, with area weights; T. K. Dey et al., "Topology preserving edge contraction",
/// 1999.
SurfaceMesh simplified(const SurfaceMesh& mesh, std::size_t vertices);

}  // namespace scree::shape
