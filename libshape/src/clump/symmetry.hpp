// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"

#include <cstddef>
#include <vector>

namespace scree::clump {

/// Turns and reflections about a point that carry a solid onto itself.
struct SymmetryGroup {
  Vec3 centre = Vec3::Zero();                   ///< [L] which all maps keep
  std::vector<Mat3> maps = {Mat3::Identity()};  ///< orthogonal; the first is the identity
  bool trivial() const { return maps.size() == 1; }
};

/// All symmetries of a solid: x goes to centre + map (x - centre).
///
/// Two corners that lie as far from the centre as few others are carried onto all pairs of such
/// corners with the same distances. Each map that follows is tried on the corners and on the
/// middles of the faces: they must come to lie on the surface. The maps are then made an exact
/// group, by averages over their products, so that images of images agree to rounding. Groups of
/// more than 1,000 maps, as of fine bodies of revolution, are found in part. A solid is never given
/// a symmetry that it lacks.
/// @param centre     [L] of the volume
/// @param tolerance  [L] that a point of the surface may miss the surface by
SymmetryGroup symmetryOf(const SolidDistance& solid, const Vec3& centre, double tolerance);

/// The groups within `group` under which a cover of at most `count` balls may be sought, most
/// promising first. Groups with an axis of more than six equal turns, as those of rings, come with
/// fewer turns. Multiples of four come first, so that mirror planes through the axis come in pairs.
std::vector<SymmetryGroup> groupsFor(const SymmetryGroup& group, std::size_t count);

}  // namespace scree::clump
