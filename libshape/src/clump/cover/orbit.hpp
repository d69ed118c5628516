// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clump/symmetry.hpp"

#include "scree/mass/unions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// A ball together with its images under a group of symmetries: what a symmetric cover adds, moves
/// and takes away as a whole. Under the trivial group it is the ball alone.
struct Orbit {
  Ball ball;
  Mat3 moves = Mat3::Identity();  ///< projects a displacement onto those that keep the number
                                  ///< of images: a centre on a mirror plane stays on it
  std::vector<std::uint32_t> maps = {0};  ///< one map of the group for each image; the first is 0

  std::size_t size() const { return maps.size(); }
};

/// The orbit of a ball. Where maps move the centre by less than `tolerance`, the centre is placed
/// exactly where they keep it.
Orbit orbitOf(const SymmetryGroup& group, const Ball& ball, double tolerance);
/// The balls of an orbit, the ball itself first; appends them.
void appendImages(const SymmetryGroup& group, const Orbit& orbit, std::vector<Ball>& balls);
std::vector<Ball> imagesOf(const SymmetryGroup& group, const Orbit& orbit);
std::vector<Ball> imagesOf(const SymmetryGroup& group, std::span<const Orbit> orbits);

/// Orbits of candidates. Each ball also stands, moved, on the nearest plane, axis and point that
/// maps keep, where its orbit has fewer balls. Radii are those of `radiusAt`; orbits of more balls
/// than `most`, repeated ones and those below `leastRadius` are left out.
template <class RadiusAt>
std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Ball> balls,
                                   std::size_t most, double leastRadius, double tolerance,
                                   RadiusAt&& radiusAt);

/// The sets of points that maps of the group keep, as projections: planes, axes and the centre.
std::vector<Mat3> keptSpaces(const SymmetryGroup& group);

template <class RadiusAt>
std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Ball> balls,
                                   std::size_t most, double leastRadius, double tolerance,
                                   RadiusAt&& radiusAt) {
  std::vector<Orbit> orbits;
  if (group.trivial()) {
    for (const Ball& ball : balls) orbits.push_back({ball});
    return orbits;
  }
  const std::vector<Mat3> spaces = keptSpaces(group);
  const auto consider = [&](const Vec3& centre) {
    Orbit orbit = orbitOf(group, {centre, 1.0}, tolerance);
    if (orbit.size() > most) return;
    orbit.ball.radius = radiusAt(orbit.ball.centre);
    if (!(orbit.ball.radius >= leastRadius) || !(orbit.ball.radius > 0.0)) return;
    for (const Orbit& other : orbits)
      if (other.size() == orbit.size() &&
          (other.ball.centre - orbit.ball.centre).norm() < tolerance)
        return;
    orbits.push_back(std::move(orbit));
  };
  // Balls of one part of the solid stand for all others, so that some of them are enough.
  const std::size_t stride = balls.size() / 700 + 1;
  for (std::size_t k = 0; k < balls.size(); k += stride) {
    const Vec3 from = balls[k].centre - group.centre;
    consider(balls[k].centre);
    for (int dimension = 2; dimension >= 0; --dimension) {
      double nearest = 1e300;
      Vec3 place = from;
      for (const Mat3& space : spaces) {
        if (static_cast<int>(std::lround(space.trace())) != dimension) continue;
        const Vec3 there = space * from;
        if (const double away = (there - from).norm(); away < nearest)
          nearest = away, place = there;
      }
      if (nearest < 1e300) consider(group.centre + place);
    }
  }
  return orbits;
}

}  // namespace scree::clump::detail
