// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scene.hpp"

#include <cstdint>
#include <vector>

namespace scree::tools {

/// All contacts of one pair of bodies taken together.
struct Chain {
  sim::BodyId i = 0, j = 0;  ///< i < j; j is Scene::noBody at a round wall
  std::int32_t wall = -1;    ///< the round wall; -1: none
  Vec3 from = Vec3::Zero();  ///< [L] centre of i, or the contact where i is driven
  Vec3 to = Vec3::Zero();    ///< [L] idem for j; in a periodic cell for its image beside i
  double fn = 0.0;           ///< [F] sum of the forces along their mean normal, > 0 pushes apart
  double ft = 0.0;           ///< [F] what remains across it
  std::int32_t points = 0;
  double tubeRadius = 0.0;  ///< [L] for drawing
};

/// One chain for each pair of bodies with contacts that act, sorted by (i, j).
///
/// The tube radius is 0.15 √(fn / mean fn) of the mean body size of the pair, at most 0.5 of it.
/// Next to a driven body, the size is that of the free body alone.
std::vector<Chain> chainsOf(const Scene& scene);

}  // namespace scree::tools
