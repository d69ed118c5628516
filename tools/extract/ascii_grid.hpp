// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/table.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// Rows of `reach` as an ESRI ASCII grid: six lines of head, then the values row by row, the row of
/// the largest v first. Cells without a row hold -9999.
/// @param value  number of the column whose values the grid holds
/// @throws ModelError for a raster of more than 1e8 cells
std::string asciiGrid(const std::vector<sim::Row>& rows, std::size_t value, double cell);

}  // namespace scree::tools
