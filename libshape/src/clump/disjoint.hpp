// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"

namespace scree::clump {

/// Whether a plane between two members has been found, so that they share no volume; contact up to
/// rounding is allowed. For spheres, capsules, facets and tetrahedra false means that they overlap,
/// for ellipsoids that no such plane was found. A facet counts with a margin of half its thickness.
bool provablyDisjoint(const PackMember& a, const PackMember& b);

}  // namespace scree::clump
