// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"

#include <span>

namespace scree::mass {

/// Moments of a solid up to order two about the origin of its frame: V, ∫x dV, ∫xxᵀ dV. They add,
/// so pieces, unions and holes all work on this struct; inertia is formed at the very end.
struct Moments {
  double m0 = 0.0;         ///< [L³]
  Vec3 m1 = Vec3::Zero();  ///< [L⁴]
  Mat3 m2 = Mat3::Zero();  ///< [L⁵]

  Moments& operator+=(const Moments& other) {
    m0 += other.m0;
    m1 += other.m1;
    m2 += other.m2;
    return *this;
  }
  /// The same solid, moved by `shift`.
  Moments movedBy(const Vec3& shift) const {
    return {m0, m1 + m0 * shift,
            m2 + shift * m1.transpose() + m1 * shift.transpose() + m0 * shift * shift.transpose()};
  }
};

/// Volume, centre and inertia of a solid of unit density, in the frame its geometry is given in.
struct SolidProperties {
  double volume = 0.0;                 ///< [L³]
  Vec3 centre = Vec3::Zero();          ///< [L]
  Mat3 inertiaPerMass = Mat3::Zero();  ///< [L²] about `centre`, axes of the frame; symmetric
};
/// @throws GeometryError if the moments are not those of a solid. A solid has a volume, positive
/// second moments and principal moments with I1 + I2 >= I3.
SolidProperties solidProperties(const Moments& moments);

/// Axes of inertia of a body.
struct PrincipalFrame {
  Quat orientation = Quat::Identity();  ///< principal frame -> frame of the tensor, w >= 0
  Vec3 moments = Vec3::Zero();          ///< [L²] along the principal axes, in their order
};
/// Principal frame of a symmetric tensor; always right-handed. Axes that are principal already are
/// kept, with the moments in the given order. Equal moments (within `tolerance` of the largest)
/// give the given axes and not noise. Otherwise the axes are permuted and signed to be the closest
/// to the given ones. A body turned a little gives a frame turned a little.
PrincipalFrame principalFrame(const Mat3& tensor, double tolerance = 1e-9);

/// Moments of the solid inside closed faces, counter-clockwise seen from outside: a sum of signed
/// tetrahedra, exact to rounding. Needs an origin near the body, or digits cancel.
Moments meshMoments(std::span<const Vec3> vertices, const shape::Polygons& faces);

/// Moments of a convex body swept by a ball (Minkowski sum of hull and ball). They add up the core,
/// a prism on every face, a cylinder sector on every edge and a ball sector at every vertex. Exact
/// to rounding. Hulls of every rank with a radius are bodies: balls, sticks, plates.
Moments sweptHullMoments(const shape::ConvexHull& hull, double radius);
double sweptHullArea(const shape::ConvexHull& hull, double radius);  ///< [L²]

/// Moments of open faces as slabs of thickness 2 `radius`: the overlap of adjoining slabs counts
/// twice, and rims are not rounded.
Moments slabMoments(std::span<const Vec3> vertices, const shape::Polygons& faces, double radius);

}  // namespace scree::mass
