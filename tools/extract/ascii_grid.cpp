// SPDX-License-Identifier: GPL-3.0-or-later
#include "ascii_grid.hpp"

#include "read_table.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace scree::tools {

std::string asciiGrid(const std::vector<sim::Row>& rows, std::size_t value, double cell) {
  struct Place {
    std::int64_t u, v;
  };
  std::vector<Place> places;
  std::int64_t lowU = 0, lowV = 0, highU = -1, highV = -1;
  for (const sim::Row& row : rows) {
    const Place p{static_cast<std::int64_t>(std::floor(numberOf(row[0]) / cell)),
                  static_cast<std::int64_t>(std::floor(numberOf(row[1]) / cell))};
    if (places.empty()) {
      lowU = highU = p.u;
      lowV = highV = p.v;
    }
    lowU = std::min(lowU, p.u);
    highU = std::max(highU, p.u);
    lowV = std::min(lowV, p.v);
    highV = std::max(highV, p.v);
    places.push_back(p);
  }
  const std::int64_t columns = highU - lowU + 1, lines = highV - lowV + 1;
  if (static_cast<double>(columns) * static_cast<double>(lines) > 1e8)
    throw ModelError(fmt::format(
        "reach: a raster of {} by {} cells is too large; use a larger --cell", columns, lines));
  constexpr double empty = -9999.0;
  std::vector<double> values(static_cast<std::size_t>(columns * lines), empty);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double number = numberOf(rows[k][value]);
    if (std::isnan(number)) continue;
    values[static_cast<std::size_t>((highV - places[k].v) * columns + places[k].u - lowU)] = number;
  }
  std::string text = fmt::format(
      "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value -9999\n", columns,
      lines, static_cast<double>(lowU) * cell, static_cast<double>(lowV) * cell, cell);
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += fmt::format("{}", values[k]);
    text += (k + 1) % static_cast<std::size_t>(columns) == 0 ? '\n' : ' ';
  }
  return text;
}

}  // namespace scree::tools
