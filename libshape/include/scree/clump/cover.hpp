// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/progress.hpp"
#include "scree/clump/cover_quality.hpp"
#include "scree/clump/solid_distance.hpp"
#include "scree/clump/unions.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace scree::clump {

/// What is made as good as possible with a number of balls.
enum class CoverObjective {
  volume,     ///< the volume inside, or the ratio of volumes of intersection and union (IoU)
  hausdorff,  ///< the largest distance between the surfaces, from the best IoU on
  inertia     ///< centre and inertia per mass, with the least change of the best IoU
};

/// What a cover shall reach, and with which balls.
struct CoverOptions {
  bool inside = false;  ///< no ball leaves the solid; else the best ratio of volumes (IoU)
  CoverObjective objective = CoverObjective::volume;  ///< others only where `inside` is not set
  bool equal = false;                                 ///< all balls have the same radius
  bool overlap = true;  ///< false, with `equal`: balls on a lattice, inside, that touch at most

  // Exactly one of these says when a cover is good enough.
  std::optional<std::size_t> spheres{};  ///< the best with so many balls, at most
  std::optional<double> volumeRatio{};   ///< volume of the union over that of the solid, at least
  std::optional<double> iou{};           ///< volume of intersection over that of union, at least
  std::optional<double> hausdorff{};     ///< [L] between the surfaces, at most
  std::optional<double> inertiaError{};  ///< of the tensor per mass of the union, at most

  double leastRadius = 0.0;  ///< [L] of a ball; 0: a hundredth of the cube root of the volume
  std::uint64_t seed = 1;    ///< of the search for the best ratio
  int threads = 1;           ///< never changes the result
  Progress progress{};
};

/// Most balls that a search for a goal uses.
inline constexpr std::size_t coverLimit = 2000;

/// Balls that stand for a solid, largest first.
///
/// Candidates are medial balls. Balls are chosen by what they add, then all are moved together:
/// inside along the exact volume of the union, else along the ratio of volumes on a grid. Then
/// groups of neighbours are placed again, as long as rounds are left. Radii inside are exact
/// distances. With a goal instead of a number, the result is the least number that the search
/// found.
///
/// The cover of a symmetric solid has its symmetries (symmetryOf), unless each such cover has more
/// balls than requested; that of a body of revolution with a fine mesh has some of its turns.
/// Cost: about n² for n balls: seconds for 20, a minute for 100.
/// @throws GeometryError where the goal is not reached with coverLimit balls, or where no ball of
/// the least radius fits
std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options);

}  // namespace scree::clump
