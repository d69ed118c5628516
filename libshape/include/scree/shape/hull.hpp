// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape {

/// Convex hull of points, of whatever dimension it has.
struct ConvexHull {
  int rank = 0;                       ///< 0: one point, 1: segment, 2: flat polygon, 3: solid
  std::vector<Vec3> points;           ///< [L] the corners alone, in the order of the input
  std::vector<std::uint32_t> source;  ///< points[k] is input point source[k]
  Polygons faces;  ///< rank 3: counter-clockwise seen from outside; rank 2: one, about its normal
  std::vector<Vec3> normals;  ///< outward unit normals, one per face

  double area() const;    ///< [L²] rank 3: of all faces; rank 2: of its one face
  double volume() const;  ///< [L³]
};

/// Hull with polygonal faces: triangles in one plane are one face, corners on an edge are left out.
/// @param flatness  in units of the size: what is closer to a plane or a line than that lies in it.
/// Coordinates far from the origin get the tolerance that their rounding asks for.
ConvexHull convexHull(std::span<const Vec3> points, double flatness = 1e-12);
/// The same with faces that are likely to be those of the hull, wound outwards: where they are,
/// beyond doubt, the result is the same to the bit in a tenth of the time; else they are ignored.
ConvexHull convexHull(std::span<const Vec3> points, const Polygons& likely,
                      double flatness = 1e-12);

}  // namespace scree::shape
