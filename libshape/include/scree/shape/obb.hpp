// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape.hpp"

namespace scree::shape {

enum class BoxMethod {
  minimum,  ///< least volume, rounding included
  pca,      ///< along the principal directions of the set of vertices (Rockable's option 0)
  aabb,     ///< along the axes of the frame (Rockable's option 2)
};

/// Box around the balls at the vertices of a shape, along given axes (orthonormal columns). Exact.
Obb boxAlong(const Shape& shape, const Mat3& axes);

/// Box around the balls at the vertices of a shape. Its axes are right-handed, and in the order and
/// with the signs that are closest to the frame. The same bits on every call.
///
/// The search for the minimum starts from the axes of the frame, of the original frame
/// (Shape::orientation) and of PCA, and from boxes with a side on a hull face (of many the 12
/// largest) or along two edges of a small hull. The best are turned about one axis at a time, by
/// exact angles if all radii are equal. A box along the frame is kept unless another is smaller by
/// more than a relative 1e-9. The result is the true minimum for flat and straight skeletons, and
/// as a rule within 0.5 % of it for others. For flat skeletons without radius, which have no
/// volume, it is the box of least area. PCA weights balls of different radii by volume.
Obb orientedBox(const Shape& shape, BoxMethod method);

/// [L] Side of the smallest square opening that a box of these sides passes lengthwise: its middle
/// side I, or along the diagonal (I + S) / √2 where the smallest side S is below 0.414 I. For other
/// bodies the sides of their oriented box give an upper bound, which is exact for balls.
double sieveOpening(Vec3 sides);

/// [L] Box of a shape along the axes of its frame, rounding included.
Aabb boundsOf(const Shape& shape);

}  // namespace scree::shape
