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

/// What a cover shall reach, and with which balls.
struct CoverOptions {
  bool inside = false;  ///< no ball leaves the solid; else the best ratio of volumes (IoU)

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
/// Candidates are medial balls. Inside, balls are chosen by the volume that they add, then each is
/// moved, exchanged, and replaced together with neighbours while the covered volume grows. For the
/// best ratio, all balls are moved together along its slope, and groups of them are placed again.
/// Volumes are compared on a grid of about 300,000 cubes; radii inside are exact distances. With a
/// goal instead of a number, the result is the least number that the search found.
/// Cost: about n² for n balls: seconds for 20, a minute for 100.
/// @throws GeometryError where the goal is not reached with coverLimit balls, or where no ball of
/// the least radius fits
std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options);

}  // namespace scree::clump
