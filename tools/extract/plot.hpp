// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// Names of a picture and of its script.
std::vector<std::string> plotFiles(const std::string& picture);

struct PlotOptions {
  std::string file;   ///< ends in .svg or .png; the script has the same name with .gp
  std::string title;  ///< empty: none
  sim::PlotColumns show;
  /// The user chose the columns (`--columns`). The first is x, the others are y, and a column that
  /// names series stays what it is.
  bool chosen = false;
  std::string command;  ///< for the head of the script
  Existing existing = Existing::refuse;
};

/// @throws UsageError for another ending; IoError where a file exists and may not be replaced
void checkPlot(const PlotOptions& options);

/// Draws a table by gnuplot, from a script that stands beside the picture and holds the data.
/// Columns that are not in the table are left out; where nothing remains, the first column is x and
/// those after it are y.
/// @returns a warning where there are rows, but no number to show; else an empty text
/// @throws UsageError where gnuplot is not installed: the script is written even then
std::string plotTable(const PlotOptions& options, const std::vector<Column>& columns,
                      const std::vector<Row>& rows);

}  // namespace scree::tools
