// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/scan/grains.hpp"
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
  /// Neighbours through the faces of a voxel; those of an outer one are void, or beyond the end.
  std::array<std::size_t, 6> neighbours(std::size_t at) const {
    const auto [x, y, z] = strides();
    return {at - x, at + x, at - y, at + y, at - z, at + z};
  }
  /// Distance in `solid` from a voxel back to the one that is lower along `axes`: x + 2y + 4z.
  std::size_t offset(unsigned axes) const {
    const auto [x, y, z] = strides();
    return (axes & 1) * x + (axes >> 1 & 1) * y + (axes >> 2) * z;
  }
  /// The eight voxels around the low corner of a voxel: a bit for each solid one.
  unsigned around(std::size_t at) const {
    unsigned mask = 0;
    for (unsigned v = 0; v < 8; ++v) mask |= unsigned{solid[at - offset(v)]} << v;
    return mask;
  }
  /// Calls f(at, place of its low corner) for each voxel that is not the first along an axis.
  template <class F>
  void forEachCorner(F&& f) const {
    for (std::size_t k = 1; k < size[2]; ++k)
      for (std::size_t j = 1; j < size[1]; ++j)
        for (std::size_t i = 1; i < size[0]; ++i)
          f(at(i, j, k),
            Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
  }
};

/// Fills voxels where the grain, or the void, touches itself along an edge or at a corner alone,
/// until it does not: faces between solid and void then form a manifold with a vertex at each
/// corner.
/// @returns number of filled voxels
std::size_t fillContacts(Block& block);

/// A closed surface of quadrangles, wound counter-clockwise seen from outside.
struct QuadMesh {
  using Quad = std::array<std::uint32_t, 4>;
  std::vector<Vec3> points;
  std::vector<Quad> quads;
  std::vector<Quad> neighbours;  ///< quadrangles across the side from each corner to the next

  /// Area of a quadrangle times its mean normal.
  Vec3 areaNormal(const Quad& q) const {
    return 0.5 * (points[q[2]] - points[q[0]]).cross(points[q[3]] - points[q[1]]);
  }
};

/// The faces between solid and void voxels, in units of voxels. O(voxels); memory grows with the
/// surface. @pre fillContacts()
QuadMesh voxelSurface(const Block& block);

enum class Edges {
  sharp,   ///< they are found again; plane parts have small facets
  rounded  ///< by some voxels; curved parts are as smooth as can be, for curvatures
};
/// Moves the points of a voxel surface, each by at most half a voxel along each axis, to a surface
/// without steps that encloses the same volume.
///
/// Rounds of averaging take the steps away, and round off the edges. For Edges::sharp there are
/// eight rounds; then the normals of faces are averaged so that plane and evenly bent parts spread
/// to the edges between them, and points move to where faces have these. Source: X. Sun et al.,
/// "Fast and effective feature-preserving mesh denoising", IEEE Trans. Vis. Comput. Graphics 13(5),
/// 925-938, 2007, with weights for bending; the limit of half a voxel: S. F. Gibson, "Constrained
/// elastic surface nets", MICCAI 1998.
/// @param voxel  [L] sides; the points are in units of voxels before, and in [L] after
void smooth(QuadMesh& mesh, const Vec3& voxel, Edges edges);

/// [L³] enclosed by the quadrangles, each the mean of its two triangulations.
double enclosedVolume(const QuadMesh& mesh);

/// Triangles of the quadrangles, cut along the shorter diagonal.
shape::SurfaceMesh trianglesOf(const QuadMesh& mesh);

/// Form of the body with this surface, without its roundness.
Form formOf(const shape::SurfaceMesh& mesh, const Block& block, const Vec3& voxel);

/// Wadell's roundness (1932): the mean radius of the corners over the radius of the largest
/// inscribed ball. Corners are where the larger principal curvature k is above that of the
/// inscribed ball, as of B. Zhao & J. Wang, Powder Technology 291, 262-275, 2016. Each part of them
/// counts by how far it turns: the mean radius is the integral of k over the one of k². 1 without
/// corners.
/// @param mesh  as smooth as Edges::rounded makes it
/// @param inscribed  [L] radius of that ball
/// @param voxel  [L] side; smoothing widens edges by a few of them
double roundnessOf(const QuadMesh& mesh, double inscribed, double voxel);

}  // namespace scree::scan::detail
