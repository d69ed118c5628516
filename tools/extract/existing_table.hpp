// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/table.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace scree::tools {

/// A table to which `--append` and `--follow` add rows.
struct ExistingTable {
  std::string text;  ///< its whole lines; empty where there is no table yet
  /// Place in `text` where the rows of the last time begin. Some of them may be missing: a program
  /// may have been killed inside the rows of one file.
  std::size_t lastRows = 0;
  std::optional<double> lastTime;  ///< time of the last row; none where there are no rows
  bool isCut = false;              ///< a line at the end was cut short; it is not in `text`
};

/// Reads the table at `path`, which must have the columns of `header`, t among them.
/// @param head  what stands above the rows of a new table
/// @throws UsageError for a file that is no such table; IoError
ExistingTable existingTable(const std::string& path, const sim::TableHeader& header,
                            sim::TableFormat format, const std::string& head);

}  // namespace scree::tools
