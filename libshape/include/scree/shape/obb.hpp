// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape.hpp"

#include <span>

namespace scree::shape {

enum class BoxMethod {
  minimum,  ///< least volume, rounding included
  pca,      ///< along the principal directions of the set of vertices (Rockable's option 0)
  aabb,     ///< along the axes of the frame (Rockable's option 2)
};

/// Box around balls of one radius at `vertices`, along given axes (orthonormal columns). Exact.
Obb boxAlong(std::span<const Vec3> vertices, double radius, const Mat3& axes);
/// The same around balls of different radii: one per vertex.
Obb boxAlong(std::span<const Vec3> centres, std::span<const double> radii, const Mat3& axes);

/// Box around balls of one radius at `vertices`; axes right-handed and, of all ways to name them,
/// closest to those of the frame. The same bits on every call.
///
/// The minimum is sought from the axes of the frame, those of PCA, and boxes with a side on a hull
/// face (of many the 12 largest) or on two edges of a small hull. Exact turns about one axis at a
/// time improve the best of them. A box along the frame is kept unless another is smaller by more
/// than 1e-9. The result is the true minimum for flat and straight skeletons, and as a rule within
/// 0.5 % of it for others.
/// For flat skeletons without radius, which have no volume, it is the box of least area.
Obb orientedBox(std::span<const Vec3> vertices, double radius, BoxMethod method);
/// The same around balls of different radii: clumps. PCA takes the centres weighted by volume.
/// @throws GeometryError for a radius below 0, or one per vertex not given
Obb orientedBox(std::span<const Vec3> centres, std::span<const double> radii, BoxMethod method);

/// The same around a shape, with one radius or one a vertex; tries the axes of its source, too.
Obb boxAlong(const Shape& shape, const Mat3& axes);
Obb orientedBox(const Shape& shape, BoxMethod method);
/// The box of a shape along the axes of its frame. [L]
Aabb boundsOf(const Shape& shape);

}  // namespace scree::shape
