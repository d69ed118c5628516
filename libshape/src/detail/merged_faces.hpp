// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// Limits within which neighbouring faces lie in one plane, and corners on one line.
struct MergeLimits {
  double leastCosine = 2.0;  ///< of the angle between normals; above 1: distances alone decide
  double fromPlane = 0.0;    ///< [L]
  double fromLine = 0.0;     ///< [L]
};

struct MergedFaces {
  std::vector<std::vector<std::uint32_t>> polygons;
  double flatness = 0.0;  ///< [L] farthest corner, dropped ones too, from the plane of its face
};

/// Faces of one plane as one polygon, grown from the largest face of the plane. Each is simple
/// (isSimple), or a face as given.
MergedFaces mergedFaces(std::span<const Vec3> points, const Polygons& faces,
                        const MergeLimits& limits);

}  // namespace scree::shape::detail
