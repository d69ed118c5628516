// SPDX-License-Identifier: GPL-3.0-or-later
// Distances that searches bound gaps with, and boxes of bodies where they stand.
#pragma once

#include "contact/kinematics.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

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
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const Vec3 &from = g.vertices[sides[k].corner],
                 &to = g.vertices[sides[(k + 1) % sides.size()].corner];
      border2 = std::min(border2, pointSegmentDistance2(p - from, to - from));
    }
    return std::sqrt(border2);
  }
  return std::sqrt(height * height + outside * outside);
}

/// Rounding of positions, as a share of the lengths that enter them.
inline constexpr double roundingMargin = 1e-12;

/// Box of the skeleton, grown. For few vertices it is exact. For many it is the smaller of the
/// turned box of the body frame and the box of the ball about the centre.
inline shape::Aabb boxOf(const BodyPose& p, double grown) {
  constexpr std::size_t few = 64;
  shape::Aabb box;
  if (p.shape->vertices.size() <= few) {
    Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
    for (const Vec3& v : p.shape->vertices) {
      const Vec3 arm = p.arm(v);
      low = low.cwiseMin(arm);
      high = high.cwiseMax(arm);
    }
    box.low = p.pos + low;
    box.high = p.pos + high;
  } else {
    const shape::Aabb& local = p.shape->box;
    const Vec3 centre = p.arm(local.centre()), half = p.turn.cwiseAbs() * local.halfSize();
    const Vec3 reach = Vec3::Constant(p.shape->boundingRadius * p.scale);
    box.low = p.pos + (centre - half).cwiseMax(-reach);
    box.high = p.pos + (centre + half).cwiseMin(reach);
  }
  const double slack =
      grown + roundingMargin * (p.pos.cwiseAbs().maxCoeff() + p.shape->boundingRadius * p.scale);
  box.low.array() -= slack;
  box.high.array() += slack;
  return box;
}

}  // namespace scree::sim
