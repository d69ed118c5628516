// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/shape.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::clump {

/// Distances from a solid: closed faces, swept by a ball of `radius` (0 for a plain mesh).
///
/// The depth of a point is its distance to the surface, positive inside. It is exact to rounding:
/// within the core, the distance to the faces plus the radius. The sign comes from the pseudonormal
/// of the nearest face, edge or vertex (J. A. Baerentzen & H. Aanaes, IEEE Trans. Vis. Comput.
/// Graph. 11, 243-253, 2005). It is right for closed, manifold meshes; at a non-manifold edge the
/// sum of the normals of its faces decides.
class SolidDistance {
 public:
  /// @param core  closed, counter-clockwise seen from outside; see solidOf, which checks that
  /// @throws GeometryError for a radius that is negative or not finite
  SolidDistance(const shape::SurfaceMesh& core, double radius);

  struct Nearest {
    Vec3 point = Vec3::Zero();   ///< [L] on the faces of the core
    double depth = 0.0;          ///< [L] of p below the surface of the solid
    std::uint32_t triangle = 0;  ///< nearest one; a good `guess` for points close by
  };
  /// Nearest point to p. O(log n) as a rule. @param guess  a triangle that may be near
  Nearest nearest(const Vec3& p, std::uint32_t guess = 0) const;
  double depth(const Vec3& p, std::uint32_t guess = 0) const { return nearest(p, guess).depth; }

  /// Nearest point of one triangle.
  Vec3 nearestOnTriangle(std::uint32_t triangle, const Vec3& p) const;

  const shape::SurfaceMesh& core() const { return core_; }
  const shape::SurfaceDistance& surface() const { return surface_; }  ///< of the core
  const std::vector<std::array<Vec3, 3>>& triangles() const { return surface_.triangles(); }
  double radius() const { return radius_; }
  shape::Shape asShape() const;        ///< without name and edges
  Vec3 low() const { return low_; }    ///< [L] corner of the box about the solid
  Vec3 high() const { return high_; }  ///< [L] the opposite corner

 private:
  shape::SurfaceMesh core_;
  shape::SurfaceDistance surface_;
  double radius_;
  Vec3 low_, high_;
  struct Normals {
    Vec3 face;                   ///< not of unit length
    std::array<Vec3, 3> edge;    ///< of the edge from corner k to the next
    std::array<Vec3, 3> corner;  ///< weighted by angles
  };
  std::vector<Normals> normals_;  ///< one for each triangle
};

/// The solid of a shape, in the frame of its vertices; faces are turned so that they face outward.
/// @throws GeometryError for a surface, balls, rods, plates, or faces that enclose no volume
SolidDistance solidOf(const shape::Shape& shape);

}  // namespace scree::clump
