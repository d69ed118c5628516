// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "body_cells.hpp"

#include <vector>

namespace scree::tools {

/// Bodies that are not driven, moved into the periodic cell, and all of their images that reach
/// into it. Without a cell the bodies alone.
std::vector<DrawnBody> bodiesWithImages(const Scene& scene);

}  // namespace scree::tools
