// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/hull.hpp"
#include "scree/shape/surface_mesh.hpp"

#include <cstddef>
#include <vector>

namespace scree::shape {

struct Decomposition {
  std::vector<ConvexHull> parts;  ///< largest first
  double volume = 0.0;            ///< [L³] of the body
  double partsVolume = 0.0;       ///< [L³] of all parts together; what overlaps counts twice
  /// Volume that the parts have too much, over that of the body: an upper bound of what their union
  /// adds. None of the body is left out.
  double excess() const { return partsVolume / volume - 1.0; }
};

/// Convex parts that together cover a closed body: it is cut by planes, the part that is farthest
/// from convex first, and each piece becomes its hull. Planes tried are those along reflex edges
/// and some across the axes of the piece; the one that leaves the least volume too much is taken.
///
/// Bodies with flat faces come out exactly where few cuts do it (an L: two boxes); scans are
/// covered the more closely, the more parts are allowed. Stops early where the excess is below
/// 1e-9. Takes about parts * triangles * 1 ms / 10. The same bits on every call.
/// @param mostParts  1 to 1000; a body in several components needs one each
/// @throws GeometryError where the mesh is open, or has more than 20,000 triangles: simplify first
Decomposition convexParts(const SurfaceMesh& mesh, std::size_t mostParts, int threads = 1);

}  // namespace scree::shape
