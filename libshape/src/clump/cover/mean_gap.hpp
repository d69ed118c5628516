// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <span>

namespace scree::clump::detail {

using mass::Ball;

/// [L] mean over the surface of the solid of the distance to the balls, 0 within one, as a proven
/// bracket.
///
/// The distance to a ball is convex. On a triangle or rectangle its mean is at most that of its
/// corners, and it lies above its tangent plane at the middle. The least of several tangent planes
/// is concave, so its mean is at least that of its corners. Rounded pieces differ from the polygon
/// of their corners by no more than their bulge. Pieces are split where bounds differ most. Where
/// a rounded solid is not convex, parts that may lie in it widen the bracket until they are small.
/// @param accuracy  [L] stops where the bracket is as narrow, or after a million pieces, or 300,000
/// that may lie in the solid
shape::Bracket meanGap(const SolidDistance& solid, std::span<const Ball> balls, double accuracy);

/// [L] depth of the deepest groove between two balls that no other ball fills, below the cone that
/// touches both. Exact: the circle in which two balls meet is hidden by arcs in closed form. Of
/// balls that touch it is a point, which only the inside of another ball hides.
double grooveDepth(std::span<const Ball> balls);

}  // namespace scree::clump::detail
