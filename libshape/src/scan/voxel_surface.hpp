// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::scan::detail {

/// The voxels of one grain, x fastest, with a layer of void on all sides.
struct Block {
  std::array<std::size_t, 3> size{};
  std::vector<std::uint8_t> solid;  ///< 1 or 0 each

  std::size_t at(std::size_t i, std::size_t j, std::size_t k) const {
    return i + size[0] * (j + size[1] * k);
  }
  std::array<std::size_t, 3> strides() const { return {1, size[0], size[0] * size[1]}; }
};

/// Fills voxels beside edges along which two voxels of the grain touch without a common face, until
/// there are no such edges: a surface around the grain then has two faces at each edge.
/// @returns number of filled voxels
std::size_t fillEdgeContacts(Block& block);

/// A closed surface of quadrangles, wound counter-clockwise seen from outside.
struct QuadMesh {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 4>> quads;
};

/// The faces between solid and void voxels, in units of voxels. Voxels that touch at a corner alone
/// get a point of their own each, so that the surface is a manifold. O(voxels); memory grows with
/// the surface. @pre no edge contacts
QuadMesh voxelSurface(const Block& block);

/// Treatment of the edges of a body.
enum class Edges {
  sharp,   ///< they are found again; plane parts have small facets
  rounded  ///< by some voxels; curved parts are as smooth as can be, for curvatures
};
/// Moves the points of a voxel surface, each by at most half a voxel along each axis, to a surface
/// without steps that encloses the same volume.
///
/// Rounds of averaging take the steps away, and round off the edges. For Edges::sharp there are
/// four rounds; then the normal of each face is averaged with those of its neighbours. A neighbour
/// counts the more, the less it bends against its own neighbours and the less its normal differs,
/// so plane and evenly bent parts spread to the edges between them. Last, points move to where
/// faces have these normals. Source: X. Sun et al., "Fast and effective feature-preserving mesh
/// denoising", IEEE Trans. Vis. Comput. Graphics 13(5), 925-938, 2007, with weights for bending;
/// the limit of half a voxel: S. F. Gibson, "Constrained elastic surface nets", MICCAI 1998.
/// @param voxel  [L] sides; the points are in units of voxels before, and in [L] after
void smooth(QuadMesh& mesh, const Vec3& voxel, Edges edges);

/// [L³] enclosed by the quadrangles, each the mean of its two triangulations.
double enclosedVolume(const QuadMesh& mesh);

/// Triangles of the quadrangles, cut along the shorter diagonal.
shape::SurfaceMesh trianglesOf(const QuadMesh& mesh);

}  // namespace scree::scan::detail
