// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/core.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/measure/region.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::sim {

/// A shape as a set of points: within its radius of vertices, edges and faces, and, where these
/// bound a volume, inside. For questions that other programs answer by sampling.
class SolidShape {
 public:
  explicit SolidShape(const shape::Shape& shape);

  bool isBall() const { return shape_.vertices.size() == 1; }
  double reach() const { return reach_; }  ///< [L] of the farthest point from the origin
  /// Whether a point of the body frame (of homothety 1) belongs to it. O(faces).
  bool contains(const Vec3& point) const;
  /// Points of the Sobol sequence in its box that it contains, in the body frame: those of the
  /// first `tries`.
  std::vector<Vec3> samples(std::size_t tries) const;

  /// Whether placed() has a hull: sharp convex shapes alone, which are cut exactly.
  bool cutsExactly() const { return convex_ && shape_.radius == 0.0 && hull_.rank == 3; }
  /// Its corners and faces at a place in space.
  shape::ConvexHull placed(const Vec3& pos, const Quat& q, double homothety) const;
  /// [L³] inside a box, exact.
  double insideBox(const Region& box, const Vec3& pos, const Quat& q, double homothety) const;

 private:
  const shape::Shape& shape_;
  shape::ConvexHull hull_;
  bool convex_ = false, closed_ = false;
  shape::Polygons faces_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;  ///< of faces_
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();        ///< [L] its box
  double reach_ = 0.0;
};

/// The points that two convex polyhedra of rank 3 share; of rank below 3 where these have no
/// volume.
shape::ConvexHull sharedBy(const shape::ConvexHull& a, const shape::ConvexHull& b);
/// [L³] of a convex polyhedron of rank 3 inside a region: exact in a box, to about 1e-13 in a
/// sphere or a cylinder.
double polyhedronIn(const Region& region, const shape::ConvexHull& hull);

}  // namespace scree::sim
