// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
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

/// Box around balls of one radius at `vertices`; axes right-handed and, of all ways to name them,
/// closest to those of the frame. The same bits on every call.
///
/// The minimum is sought among the axes of the frame, all boxes flush with a face of the hull
/// (where it has few), and CGAL's optimum, each improved by exact turns about one axis at a time; a
/// box along the frame is kept unless another is smaller by more than 1e-9. It is the true minimum
/// for flat and straight skeletons, and within 1e-9 of it wherever a closed form is known.
Obb orientedBox(std::span<const Vec3> vertices, double radius, BoxMethod method);

}  // namespace scree::shape
