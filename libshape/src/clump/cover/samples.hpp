// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// [L] About `count` points of the surface of a solid, rounded where it is, each of the same share
/// of its area.
///
/// They stand at equal steps of the area summed over the triangles of the surface, each placed
/// within its triangle by a sequence of low discrepancy (M. Roberts' R2), so that no chance is
/// involved. A point that a rounded solid hides is left out.
std::vector<Vec3> surfacePoints(const SolidDistance& solid, std::size_t count);

/// Balls inside a solid that touch its surface at two points or more: candidates for a cover.
///
/// One ball for each of about `samples` points spread over the core by area: the largest ball
/// within the solid that touches the surface there. It is found by shrinking a ball through the
/// point, centred on the inner normal. Each step takes the ball through the surface point nearest
/// to the centre, until none is nearer. The method is that of J. Ma, S. W. Bae & S. Choi, Vis.
/// Comput. 28, 7-19, 2012. Each radius is the depth of the centre, so that no ball leaves the
/// solid. A rounded solid also has the balls of its radius on the faces of its core. Each radius is
/// above 0. O(samples log n).
std::vector<Ball> medialBalls(const SolidDistance& solid, std::size_t samples, int threads);

/// Points within a solid, each with the volume that it stands for. They are the middles of cubes
/// that are small near the surface and larger inside, where no ball of a cover misses them.
struct VolumePoints {
  std::vector<Vec3> places;           ///< [L] cubes close to each other stand close in the list
  std::vector<std::int32_t> weights;  ///< in smallest cubes
};

/// @param spacing  [L] edge of the smallest cubes. O(n log n) for n points
/// @throws GeometryError if the solid is thinner than these cubes
VolumePoints volumePoints(const SolidDistance& solid, double spacing);

/// `count` points spread evenly over the unit sphere: a spiral with the golden angle.
std::vector<Vec3> evenDirections(std::size_t count);

}  // namespace scree::clump::detail
