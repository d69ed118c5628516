// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

/// [L] Side of the smallest square opening that a box of these sides passes lengthwise: its middle
/// side I, or along the diagonal (I + S) / √2 where the smallest side S is below 0.414 I. For
/// another body, with the sides of its oriented box, an upper bound; exact for balls.
inline double sieveOpening(Vec3 sides) {
  std::sort(sides.begin(), sides.end());
  return std::min(sides[1], (sides[0] + sides[1]) / std::sqrt(2.0));
}

}  // namespace scree::sim
