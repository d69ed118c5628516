// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// Load on a driven body or a round wall.
struct WallLoad {
  std::int64_t points = 0;     ///< contacts with an overlap, and bonds
  double fn = 0.0;             ///< [F] sum of the normal forces
  Vec3 force = Vec3::Zero();   ///< [F] on the wall; of a driven body as Instant::actions has it
  Vec3 moment = Vec3::Zero();  ///< [F L] about its centre, or the centre of the round wall
  /// [L²] Inner area, and [F/L²] the normal force over it. Known for the walls of a domain of plane
  /// walls (wallDomain), of which the part counts that borders on it, not what reaches beyond; for
  /// balls; and for a cylinder between two ends square to it. Else nan.
  double area = notKnown, pressure = notKnown;
};
struct WallLoads {
  std::vector<WallLoad> driven;  ///< one a driven body
  std::vector<WallLoad> round;   ///< one a round wall, in the order of Conf::boundaries
};
/// Sums over links in their order. O(links).
WallLoads wallLoads(const Instant& instant);

}  // namespace scree::sim
