// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "existing_table.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/measure/table.hpp"

#include <optional>
#include <string>
#include <vector>

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
  /// @throws UsageError for a table that is to go on, but has other columns, no column t, or a
  /// format that does not go on
  TableFile(std::string path, const sim::TableHeader& header, const Options& options);

  /// With `append`: the time of the last row that the file had.
  std::optional<double> lastTime() const { return had_.lastTime; }
  /// With `append`: whether the file ended in a line that was cut short, which is left out.
  bool wasCut() const { return had_.isCut; }
  /// Whether the file may hold rows of earlier calls.
  bool goesOn() const { return (options_.append || options_.live) && !isStream(); }
  const std::string& path() const { return path_; }

  void row(const sim::Row& row);
  /// The rows of one conf-file. Of a table that goes on, those of times before its last row are
  /// left out. At the time of its last row, what is missing is added: those rows that follow the
  /// ones it has.
  void rowsOfFile(const std::vector<sim::Row>& rows);
  /// Of a live table: puts the rows so far into the file, whole lines at once.
  void flush();
  void finish();  ///< puts the table in its place

 private:
  bool isStream() const;
  void spill();

  std::string path_;
  Options options_;
  sim::TableHeader header_;
  sim::TableWriter writer_;
  std::string text_;                      ///< what is not yet written
  std::optional<PiecewiseFile> spilled_;  ///< what went before, of a large table
  ExistingTable had_;
  std::string lastRows_;    ///< of the rows of the last time, those no file has given yet
  std::size_t time_ = 0;    ///< the column t
  bool isInPlace_ = false;  ///< of a live table: rows may be appended to the file
};

}  // namespace scree::tools
