// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <span>

namespace scree::clump::detail {

using mass::Ball;

/// [L] mean over the faces of the core of the distance to the balls, 0 within one, as a proven
/// bracket.
///
/// The distance to a ball is convex. On a triangle its mean is at most that of its corners, and it
/// lies above its tangent plane at the middle. The least of several tangent planes is concave, so
/// its mean is at least that of its corners. Triangles are split where both differ most.
/// @param accuracy  [L] stops where the bracket is as narrow, or after a million triangles
shape::Bracket meanGap(const SolidDistance& solid, std::span<const Ball> balls, double accuracy);

/// [L] depth of the deepest groove between two balls that no other ball fills, below the cone that
/// touches both. Exact: the circle in which two balls meet is hidden by arcs in closed form.
double grooveDepth(std::span<const Ball> balls);

}  // namespace scree::clump::detail
