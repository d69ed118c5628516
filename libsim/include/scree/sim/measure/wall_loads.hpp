// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// What acts on a driven body or a round wall.
struct WallLoad {
  std::int64_t points = 0;     ///< contacts with an overlap, and bonds
  double fn = 0.0;             ///< [F] sum of the normal forces
  Vec3 force = Vec3::Zero();   ///< [F] on the wall; of a driven body as Instant::actions has it
  Vec3 moment = Vec3::Zero();  ///< [F L] about its centre, or the centre of the round wall
};
struct WallLoads {
  std::vector<WallLoad> driven;  ///< one a driven body
  std::vector<WallLoad> round;   ///< one a round wall, in the order of Conf::boundaries
};
/// Sums over links in their order. O(links).
WallLoads wallLoads(const Instant& instant);

}  // namespace scree::sim
