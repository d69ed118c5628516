// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// Balls inside a solid that touch its surface at two points or more: candidates for a cover.
///
/// One ball for each of about `samples` points spread over the surface by area: the largest ball
/// within the solid that touches the surface there. It is found by shrinking a ball through the
/// point, centred on the inner normal. Each step takes the ball through the surface point nearest
/// to the centre, until none is nearer. The method is that of J. Ma, S. W. Bae & S. Choi, Vis.
/// Comput. 28, 7-19, 2012. Each radius is the depth of the centre, so that no ball leaves the
/// solid. A rounded solid also has the balls of its radius on the faces of its core. Each radius is
/// above 0. O(samples log n).
std::vector<Ball> medialBalls(const SolidDistance& solid, std::size_t samples, int threads);

/// A ball of the solid that no larger one contains, and that contains the largest ball about a
/// point inside. Radius 0 for a point outside. It touches the surface where that ball does.
/// @param guess  a triangle that may be near; becomes the one found
Ball grownBall(const SolidDistance& solid, const Vec3& centre, std::uint32_t& guess);

}  // namespace scree::clump::detail
