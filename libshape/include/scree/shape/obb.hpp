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

/// Box around the balls at the vertices of a shape, along given axes (orthonormal columns). Exact.
Obb boxAlong(const Shape& shape, const Mat3& axes);

/// Box around the balls at the vertices of a shape; axes right-handed and, of all ways to name
/// them, closest to those of the frame. The same bits on every call.
///
/// The minimum is sought from the axes of the frame and of the source, those of PCA, and boxes with
/// a side on a hull face (of many the 12 largest) or on two edges of a small hull. Exact turns
/// about one axis at a time improve the best of them. A box along the frame is kept unless another
/// is smaller by more than 1e-9. The result is the true minimum for flat and straight skeletons,
/// and as a rule within 0.5 % of it for others. For flat skeletons without radius, which have no
/// volume, it is the box of least area. PCA takes the centres of balls of different radii weighted
/// by volume.
Obb orientedBox(const Shape& shape, BoxMethod method);

/// [L] Side of the smallest square opening that a box of these sides passes lengthwise: its middle
/// side I, or along the diagonal (I + S) / √2 where the smallest side S is below 0.414 I. For
/// another body, with the sides of its oriented box, an upper bound; exact for balls.
double sieveOpening(Vec3 sides);

/// The box of a shape along the axes of its frame. [L]
Aabb boundsOf(const Shape& shape);

}  // namespace scree::shape
