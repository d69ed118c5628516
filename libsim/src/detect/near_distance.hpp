// SPDX-License-Identifier: GPL-3.0-or-later
// Distances that searches bound gaps with.
#pragma once

#include "contact/kinematics.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

/// Squared distance of a point from the segment from a to b.
inline double segmentDistanceOf2(const Vec3& p, const Vec3& a, const Vec3& b) {
  return pointSegmentDistance2(p - a, b - a);
}

/// Lower bound of the distance of a point of the body frame from a face.
inline double distanceToFace(const ShapeGeometry& g, const ShapeGeometry::Face& face,
                             const Vec3& p) {
  if (face.count == 0) return HUGE_VAL;  // no area: its edges and vertices are what it has
  const double height = face.normal.dot(p) - face.offset;
  double outside = 0.0;
  if (face.convex) {
    for (const ShapeGeometry::Side& s : g.sidesOf(face))
      outside = std::max(outside, s.normal.dot(p) - s.offset);
  } else if (!overFaceByParity(g, face, p)) {
    double border2 = HUGE_VAL;
    const auto sides = g.sidesOf(face);
    for (std::size_t k = 0; k < sides.size(); ++k)
      border2 =
          std::min(border2, segmentDistanceOf2(p, g.vertices[sides[k].corner],
                                               g.vertices[sides[(k + 1) % sides.size()].corner]));
    return std::sqrt(border2);
  }
  return std::sqrt(height * height + outside * outside);
}

}  // namespace scree::sim
