// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "extract.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree::tools {

/// Where the rows of a kind go: file by file, in the order of the series.
class Output {
 public:
  virtual ~Output() = default;
  /// Takes the rows of one file. Of a table that goes on, those of times before its last row are
  /// left out, and those of its last time take the place of those it has.
  virtual void take(std::vector<Row> rows) = 0;
  virtual void flush() {}  ///< shows the rows so far, whole lines at once
  /// Puts all in its place. Odd results become a warning.
  virtual void finish(Diagnostics& diagnostics) = 0;
  /// With `--append` and `--follow`: the time of the last row that the output had.
  virtual std::optional<double> lastTime() const { return {}; }
};

/// The format that `--format` and `--json` name, else `otherwise`.
/// @throws UsageError where they contradict
TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common,
                     TableFormat otherwise);

/// Name and version of this program, for the head of tables.
std::string programText();

/// A table at `path`, which may go on (`--append`, `--follow`).
/// @throws IoError where the file may not be written
/// @throws UsageError for a table that is to go on, but has other columns, none that begins with t,
/// or a format that does not go on
std::unique_ptr<Output> tableAt(const std::string& path, TableFormat format,
                                std::vector<Column> columns, const ExtractOptions& options,
                                const CommonOptions& common);

/// The table of `-o`, with the picture of `--plot`.
/// @param title  of the picture; empty: none
std::unique_ptr<Output> tableFor(std::string_view title, const sim::PlotColumns& plot,
                                 std::vector<Column> columns, const ExtractOptions& options,
                                 const CommonOptions& common);

/// A grid for `reach -o FILE.asc`, else a table.
std::unique_ptr<Output> outputFor(const sim::Kind& kind, const sim::KindOptions& values,
                                  const std::vector<Column>& columns, const ExtractOptions& options,
                                  const CommonOptions& common);

}  // namespace scree::tools
