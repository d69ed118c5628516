// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cgal_wrap.hpp"

#include <optional>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// The boundary of the union of solids: closed, counter-clockwise seen from outside, each edge with
/// as many triangles one way as the other. Computed with exact numbers, then rounded to double.
/// @param convex   the hull of each of these counts; flat ones are left out
/// @param solid    one more solid, as its closed surface without self-intersections; empty: none
/// @returns nothing where the union touches itself in a way that no surface of one piece shows
std::optional<TriangleSoup> solidUnion(std::span<const std::vector<Vec3>> convex,
                                       const TriangleSoup& solid);

}  // namespace scree::shape::detail
