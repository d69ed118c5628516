// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"

#include <optional>

namespace scree::clump {

/// How far members may reach into each other in what counts as a contact.
enum class Contact {
  tight,  ///< by rounding of the computation alone
  loose,  ///< also by 1e-12 of their size, or by rounding of coordinates far from the origin
};

/// If a plane between two members has been found, how deep they reach past it at most: 0 where they
/// are clearly apart. For spheres, capsules, facets and tetrahedra none means that they overlap,
/// for ellipsoids that no such plane was found. A facet counts with a margin of half its thickness.
std::optional<double> depthInContact(const PackMember& a, const PackMember& b, Contact allowed);

/// Whether they are apart, or in loose contact.
bool provablyDisjoint(const PackMember& a, const PackMember& b);

}  // namespace scree::clump
