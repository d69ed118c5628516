// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::clump::detail {

/// A point on a face of the core of a solid.
struct SurfaceSample {
  Vec3 point;   ///< [L]
  Vec3 inward;  ///< unit normal that points into the core
  std::uint32_t triangle;
};

/// About `count` points, each of the same share of the area of the core.
///
/// They stand at equal steps of the area summed over the triangles, each placed within its triangle
/// by a sequence of low discrepancy (M. Roberts' R2), so that no chance is involved. Triangles
/// without area get none.
std::vector<SurfaceSample> surfaceSamples(const SolidDistance& solid, std::size_t count);

/// [L] About `count` points of the surface of a rounded solid, with about the same share of its
/// area each. In the order and with the sequence of surfaceSamples, over the pieces of the surface.
std::vector<Vec3> roundedPoints(const SolidDistance& solid, std::size_t count);

}  // namespace scree::clump::detail
