// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <vector>

namespace scree::sim {

/// Area of the convex hull of points that lie in a plane or near one, in any order. It is 0 for
/// fewer than three and for points on a line. O(n log n).
double bondArea(const std::vector<Vec3>& points);

}  // namespace scree::sim
