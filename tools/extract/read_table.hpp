// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/table.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::tools {

/// A table that extract, a run or a spreadsheet wrote as csv, tsv or txt.
struct ReadTable {
  std::string source;  ///< name of the file, for messages
  std::vector<sim::Column> columns;
  std::vector<sim::Row> rows;  ///< whole numbers, numbers and words, as they stand

  /// Place of the column of this name. @throws ModelError that lists the columns there are
  std::size_t column(const std::string& name) const;
  bool has(const std::string& name) const;
};

/// Whether the cells of a column of this table stay text.
using StaysText = std::function<bool(const ReadTable&, std::size_t column)>;

/// Reads a table; `-` is standard input. Cells are parted as CsvReader does, or by blanks where the
/// names stand in a line that begins with `#`. Units come from a line `# units: t=s,x=m`.
/// @throws IoError; ParseError for a row with another number of cells than there are names
ReadTable readTable(const std::string& path, const StaysText& staysText = {});

/// The cell of a text: a whole number, a number or a word.
sim::Cell cellFrom(std::string text);
/// A cell as a number; nan for a word that is none.
double numberOf(const sim::Cell& cell);
/// A cell as text, for keys: 7, 7.0 and 007 are the same key.
std::string keyOf(const sim::Cell& cell);

/// Two lines of names as messages show them. Long ones begin shortly before the first difference.
std::pair<std::string, std::string> shownDifference(std::string_view a, std::string_view b);

}  // namespace scree::tools
