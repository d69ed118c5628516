// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"
#include "scree/sim/extract/table.hpp"

#include <optional>
#include <string>

namespace scree::tools {

/// A table as it goes to a file or to standard output, row by row, whatever its length. Beyond 64
/// MB it is written to a temporary file beside the output, which takes the name at the end.
class TableFile {
 public:
  struct Options {
    sim::TableFormat format = sim::TableFormat::csv;
    Existing existing = Existing::refuse;
    bool append = false;  ///< go on below the rows that the file has
    bool live = false;    ///< append, and let flush() put rows into the file while more come
  };
  /// @throws IoError where the file may not be written
  /// @throws UsageError where a table that is to go on has other columns, or a format that does not
  /// go on
  TableFile(std::string path, const sim::TableHeader& header, const Options& options);

  /// With `append`: the time of the last row that the file had, where its first column is t.
  std::optional<double> lastTime() const { return lastTime_; }
  void row(const sim::Row& row);
  /// Of a live table: puts the rows so far into the file, whole lines at once.
  void flush();
  void finish();  ///< puts the table in its place

 private:
  void readExisting(const sim::TableHeader& header);
  void spill();

  std::string path_;
  Options options_;
  sim::TableWriter writer_;
  std::string text_;                      ///< what is not yet written
  std::optional<PiecewiseFile> spilled_;  ///< what went before, of a large table
  std::optional<double> lastTime_;
};

}  // namespace scree::tools
