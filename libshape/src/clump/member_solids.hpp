// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/mass/unions.hpp"

#include <vector>

namespace scree::clump {

/// [L] centre of a member with one node, mean of the corners of others.
Vec3 middleOf(const PackMember& member);

/// Solids with plane faces: a tetrahedron without rounding, a facet as a prism.
bool isPolyhedron(const PackMember& member);

/// [L] corners of such a solid. Of a facet first those against its normal; none if it has no
/// volume.
std::vector<Vec3> polyhedronCorners(const PackMember& member);

/// The same, seen from the first node.
mass::Polyhedron polyhedronOf(const PackMember& member);

}  // namespace scree::clump
