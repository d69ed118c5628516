// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/mass/unions.hpp"

#include <span>

namespace scree::clump {

using mass::Ball;

/// The smallest ball around all members of a particle. It encloses them up to rounding, and its
/// radius is the least possible within 1e-9 where there are ellipsoids among several members,
/// within rounding elsewhere.
/// Source: K. Fischer, B. Gärtner, "The smallest enclosing ball of balls", IJCGA 14, 341-378, 2004
/// (CGAL); ellipsoids enter by their farthest points, one after the other.
/// @throws GeometryError if there is no member
Ball boundingBall(std::span<const PackMember> members);

}  // namespace scree::clump
