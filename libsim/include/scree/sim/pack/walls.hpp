// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/pack/arrangement.hpp"

namespace scree::sim {

/// Puts all bodies into a closed box of six driven walls, `margin` [L] away from them: rounded
/// plates of three new shapes, WallX WallY WallZ, which become the bodies 0 to 5 in the order low
/// x, high x, low y, high y, low z, high z, of group 0 and cluster 0. Plates meet edge to edge, so
/// the box has no slit; they are a quarter of the mean size of the free bodies thick on each side.
/// @throws ModelError without bodies, or if the margin is negative
void addWalls(Arrangement& arrangement, double margin);

}  // namespace scree::sim
