// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstddef>
#include <vector>

namespace scree::clump::detail {

/// `count` points spread evenly over the unit sphere: a spiral with the golden angle.
std::vector<Vec3> evenDirections(std::size_t count);

}  // namespace scree::clump::detail
