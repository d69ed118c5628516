// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Symmetries of a solid among the 48 maps that exchange and reverse axes: those of the frame, or
/// the principal ones where these have more. x goes to centre + map (x - centre).
/// @param body       mass properties of the solid
/// @param tolerance  [L] by which corners and middles of faces may miss the surface
SymmetryGroup symmetryOf(const SolidDistance& solid, const mass::SolidProperties& body,
                         double tolerance);

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
/// Places of the balls of the orbits themselves among these.
std::vector<std::size_t> firstBalls(std::span<const Orbit> orbits);

/// Orbits of candidates. Each place also counts moved to the nearest plane, axis and point that
/// maps keep, where its orbit has fewer balls. Repeated orbits and those without a radius are left
/// out.
/// @param tolerance  [L] points that are so near to each other are one
/// @param radiusAt   [L] of a ball at a centre; 0 where there is none
std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Vec3> places,
                                   double tolerance,
                                   const std::function<double(const Vec3&)>& radiusAt);

}  // namespace scree::clump
