// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/measure/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// What a picture shows of a table. Columns that are not in the table are left out; where nothing
/// remains, the first column is x and those after it are y.
/// @param wanted  of the kind
/// @param chosen  the user chose the columns (`--columns`). The first is x, the others are y, and a
///                column that names series stays what it is.
PlotColumns plotColumns(const PlotColumns& wanted, const std::vector<sim::Column>& columns,
                        bool chosen);

struct PlotOptions {
  std::string file;   ///< ends in .svg or .png; the script has the same name with .gp
  std::string title;  ///< empty: none
  PlotColumns show;
  bool chosen = false;  ///< as for plotColumns()
  std::string command;  ///< for the head of the script
  Existing existing = Existing::refuse;
};

/// The picture of a table, made by gnuplot from a script that stands beside it and holds the data.
class Plot {
 public:
  /// @throws UsageError for another ending; IoError where a file exists and may not be replaced
  Plot(PlotOptions options, std::vector<sim::Column> columns);

  void row(const sim::Row& row) { rows_.push_back(row); }
  /// The script, which draws into file `output` in the folder it is run in. Empty: on standard
  /// output.
  std::string script(const std::string& output) const;
  /// Writes the script and runs gnuplot.
  /// @returns a warning where there are rows, but no number to show; else an empty text
  /// @throws UsageError where gnuplot is not installed: the script is written even then
  std::string finish() const;
  /// Names of the picture and of its script.
  static std::vector<std::string> filesOf(const std::string& picture);

 private:
  struct Range;
  struct Drawing;
  Drawing drawing() const;
  std::size_t placeOf(const std::string& name) const;
  bool hasNumbers(const std::vector<std::string>& names) const;

  PlotOptions options_;
  std::vector<sim::Column> columns_;
  PlotColumns show_;
  std::vector<sim::Row> rows_;
};

}  // namespace scree::tools
