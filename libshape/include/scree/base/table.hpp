// SPDX-License-Identifier: GPL-3.0-or-later
// Tables: columns with names and units, rows of cells; as text, read and written.
#pragma once

#include "scree/base/text_reader.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace scree {

/// A column of a table. The unit is a symbol, "m/s"; empty or "-" for a plain number.
struct Column {
  std::string name, unit;
};
/// Columns from their names and units: "t:s id x:m".
std::vector<Column> columnsFrom(std::string_view text);

/// Numbers are written as the shortest text that reads back to the same bits, integers without a
/// point. Unknown values are nan (null in JSON).
using Cell = std::variant<double, std::int64_t, std::string>;
using Row = std::vector<Cell>;

/// The cell of a text: a whole number, a number or a word.
Cell cellFrom(std::string text);
/// A cell as a number; nan for a word that is none.
double numberOf(const Cell& cell);
/// A cell as text, for keys: 7, 7.0 and 007 are the same key.
std::string keyOf(const Cell& cell);

/// Columns and rows of as many cells.
struct Table {
  std::string source;  ///< name of the file, for messages
  std::vector<Column> columns;
  std::vector<Row> rows;

  bool has(std::string_view name) const;
  /// Place of the column of this name. @throws ModelError that lists the columns there are
  std::size_t column(std::string_view name) const;
  const Cell& cell(std::size_t row, std::string_view name) const {
    return rows.at(row)[column(name)];
  }
  double number(std::size_t row, std::string_view name) const { return numberOf(cell(row, name)); }
};

/// The time that tables show for a state at `t` [T]: the double next to the shortest decimal within
/// two units in the last place of `t`. These cover the rounding of a start plus a number of steps:
/// 10,003 steps of 1e-5 after 2.4 give 2.5000299999999998, which tables show as 2.50003. Never
/// decreases where `t` increases. NaN and infinities stay.
double tableTime(double t) noexcept;

/// Formats of a table; docs/tools/extract.md shows each.
/// - `csv`: three `#` lines (program, command, units), a header line, commas.
/// - `tsv`: the same with tabs.
/// - `txt`: one `#` line of names, blanks, as Rockable's own files.
/// - `json`: one object.
/// - `jsonl`: one object a line.
enum class TableFormat { csv, tsv, txt, json, jsonl };
/// The format of this name. @throws UsageError naming the formats there are
TableFormat tableFormat(std::string_view name);

struct TableHeader {
  std::string program;  ///< name and version
  std::string command;  ///< the command line as given
  std::vector<Column> columns;
};

/// Builds a table as text, row by row, so that a run can append to a file as it goes.
class TableWriter {
 public:
  TableWriter(TableFormat format, TableHeader header);

  /// @param row  as many cells as there are columns
  void row(const Row& row);
  /// Ends the table. Only json needs it.
  void finish();
  /// Bytes that take() would return.
  std::size_t size() const { return text_.size(); }
  /// The text since the last call.
  std::string take();

 private:
  TableFormat format_;
  TableHeader header_;
  std::string text_;
  std::vector<char> isTime_;  ///< by column
  bool first_ = true;
};

/// A whole table at once.
std::string tableText(TableFormat format, TableHeader header, const std::vector<Row>& rows);

/// A table with a header line. Lines that begin with # are comments; blank lines are skipped.
/// Commas separate the cells, or tabs or semicolons where the header has those. A cell may stand in
/// double quotes, with "" for a quote inside. Blanks around cells do not count.
///
/// Rows come one by one; each complaint has line and column.
class CsvReader {
 public:
  /// Reads up to the header. @throws ParseError if there is none, on a column without name and on
  /// two columns of one name
  /// @param mayBeTxt  names may stand in the last comment before the rows, which have blanks
  ///                  between the cells
  explicit CsvReader(TextReader in, bool mayBeTxt = false);

  const std::vector<std::string>& columns() const noexcept { return columns_; }
  std::optional<std::size_t> column(std::string_view name) const;
  /// A complaint about the header: at column `k`, or about the line as a whole.
  ParseError headerError(const std::string& message, std::optional<std::size_t> k = {}) const;

  /// Moves to the next row; false at the end. @throws ParseError if it has not one cell a column
  bool next();

  /// Upper bound of the rows that follow, where each takes `bytesPerRow` of the text or more: for
  /// reserving memory. O(text).
  std::size_t rowsLeft(std::size_t bytesPerRow) const;

  /// The comments between this row and the one before; behind the last row at the end. With the
  /// first row also those in front of the header.
  std::span<const std::string_view> comments() const noexcept { return comments_; }

  std::string text(std::size_t column) const;
  double number(std::size_t column) const;    ///< finite
  double positive(std::size_t column) const;  ///< > 0
  std::int64_t integer(std::size_t column, std::int64_t least, std::int64_t most) const;
  /// A complaint about a cell of this row.
  ParseError error(std::size_t column, const std::string& message) const;

 private:
  /// The next line of `in` that is no comment. Adds comments to `passed`.
  static std::optional<std::string_view> nextLine(TextReader& in,
                                                  std::vector<std::string_view>* passed = nullptr);
  std::vector<std::string_view> split(std::string_view line) const;

  TextReader in_;
  char separator_ = ',';
  std::string_view header_;
  std::vector<std::string_view> headerCells_, cells_;  ///< views of the text that in_ shares
  std::vector<std::string> columns_;
  std::vector<std::string_view> comments_;
  bool began_ = false;  ///< a row was read
};

/// Reads a table that a run, a spreadsheet or this program wrote as csv, tsv or txt; `-` is
/// standard input. Cells are parted as CsvReader does, or by blanks where the names stand in a line
/// that begins with `#`. Units come from a line `# units: t=s,x=m`.
/// @param staysText  whether the cells of a column stay text
/// @throws IoError; ParseError for a row with another number of cells than there are names
Table readTable(const std::string& path,
                const std::function<bool(const Table&, std::size_t column)>& staysText = {});

// Tables that grow line by line, and what a killed program leaves of them.

/// `text` up to its last line break. A line without one was cut short, where a program was killed.
std::string_view wholeLines(std::string_view text) noexcept;

/// Adds whole lines to a file, which is made where there is none; none of them where that fails.
/// @throws IoError; also where `path` is a link, which is not followed
void appendLines(const std::string& path, std::string_view lines);

/// The lines of a table without its rows later than `t`: their first number is the time. Empty
/// where there is no file. So a resumed run continues a table where its state stands.
std::string linesUpTo(const std::string& path, double t);

/// The first line of a table, with its end; empty where there is no file.
std::string firstLineOf(const std::string& path);

}  // namespace scree
