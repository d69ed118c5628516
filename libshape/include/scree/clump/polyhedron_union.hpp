// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"

#include <span>
#include <vector>

namespace scree::clump {

/// Moments, about `origin`, of the union of convex polyhedra: what several of them share counts
/// once. Exact up to rounding.
///
/// Each polyhedron is cut along the faces of those before it, and what lies outside of them is
/// added up: disjoint convex pieces, all of positive volume, so nothing cancels. A cut gives the
/// same points to both of its sides; where rounding places it a little off, one piece gains what
/// the other loses. So touching, coplanar, repeated and nested polyhedra need no special care.
/// Measured error below 1e-13 (docs/mass-properties.md). The result does not depend on `threads`.
/// @param solids  corners of each; its hull counts, and adds nothing where it is flat
/// @throws GeometryError if the pieces exceed `limit`, which takes hundreds of mutual overlaps
mass::Moments polyhedronUnionMoments(std::span<const std::vector<Vec3>> solids, const Vec3& origin,
                                     int threads = 1, std::size_t limit = 500'000);

}  // namespace scree::clump
