// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"
#include "scree/sim/extract/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// Which columns of a table a picture shows.
struct PlotColumns {
  std::string x;
  std::vector<std::string> y;
  std::string by;       ///< a series for each of its values; empty: one series for each of y
  std::string colour;   ///< a third quantity, as the colour of points; empty: none
  std::string error;    ///< standard error of y, as bars; empty: none
  bool points = false;  ///< points, not lines
};

/// What the picture of a kind's table shows. Columns that are not in the table are left out; where
/// nothing remains, the first column is x and those after it are y.
/// @param chosen  the user chose the columns (`--columns`). The first is x, the others are y, and a
///                column that names series stays what it is.
PlotColumns plotColumns(std::string_view kind, const std::vector<sim::Column>& columns,
                        bool chosen);

/// The picture of a table, made by gnuplot from a script that stands beside it and holds the data.
class Plot {
 public:
  /// @param file  ends in .svg or .png; the script has the same name with .gp
  /// @throws UsageError for another ending; IoError where a file exists and may not be replaced
  Plot(std::string file, std::string_view kind, std::vector<sim::Column> columns, bool chosen,
       std::string command, Existing existing);

  void row(const sim::Row& row) { rows_.push_back(row); }
  /// The script, which writes to `output` in the folder it is run in.
  std::string script(const std::string& output) const;
  /// Writes the script and runs gnuplot.
  /// @throws UsageError where gnuplot is not installed: the script is written even then
  void finish() const;

 private:
  std::string file_, scriptFile_, command_, kind_;
  std::vector<sim::Column> columns_;
  PlotColumns show_;
  Existing existing_;
  std::vector<sim::Row> rows_;
};

}  // namespace scree::tools
