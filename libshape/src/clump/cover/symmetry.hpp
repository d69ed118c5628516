// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump {

using mass::Ball;

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
/// middles of the faces: they must come to lie on the surface. Groups of more than 1,000 maps, as
/// of fine bodies of revolution, are found in part. A solid is never given a symmetry that it
/// lacks.
/// @param centre     [L] of the volume
/// @param tolerance  [L] that a point of the surface may miss the surface by
SymmetryGroup symmetryOf(const SolidDistance& solid, const Vec3& centre, double tolerance);

/// The group within `group` under which a cover is sought. Its maps are an exact group, by averages
/// over their products, so that images of images agree to rounding. Where an axis has more than six
/// equal turns, as that of a ring, the maps that exchange and reverse the axes of the file stay.
SymmetryGroup groupFor(const SymmetryGroup& group);

/// A ball together with its images under a group of symmetries: the unit that a symmetric cover
/// adds and moves. Under the trivial group it is the ball alone.
struct Orbit {
  Ball ball;
  Mat3 moves = Mat3::Identity();  ///< projects a displacement onto those that keep the number
                                  ///< of images: a centre on a mirror plane stays on it
  std::vector<std::uint32_t> maps = {0};  ///< one map of the group for each image; the first is 0

  std::size_t size() const { return maps.size(); }
};

/// The balls of orbits, orbit by orbit; the ball of an orbit itself is the first of its images.
std::vector<Ball> imagesOf(const SymmetryGroup& group, std::span<const Orbit> orbits);

/// Orbits of candidates. Each ball also stands, moved, on the nearest plane, axis and point that
/// maps keep, where its orbit has fewer balls. Repeated orbits and those without a radius are left
/// out.
/// @param tolerance  [L] points that are so near to each other are one
/// @param radiusAt   [L] of a ball at a centre; 0 where there is none
std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Ball> balls,
                                   double tolerance, FunctionRef<double(const Vec3&)> radiusAt);

}  // namespace scree::clump
