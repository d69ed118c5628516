// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace scree::sim {

/// A column of a table. The unit is a symbol, "m/s"; empty or "-" for a plain number.
struct Column {
  std::string name, unit;
};
/// Numbers are written as the shortest text that reads back to the same bits, integers without a
/// point. Unknown values are nan (null in JSON).
using Cell = std::variant<double, std::int64_t, std::string>;
using Row = std::vector<Cell>;

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
  /// After the last row. Only json needs it.
  void finish();
  /// Bytes that take() would return.
  std::size_t size() const { return text_.size(); }
  /// The text since the last call.
  std::string take();

 private:
  void begin();

  TableFormat format_;
  TableHeader header_;
  std::string text_;
  std::vector<char> isTime_;  ///< by column
  bool first_ = true;
};

/// A whole table at once.
std::string tableText(TableFormat format, TableHeader header, const std::vector<Row>& rows);

/// The time that tables show for a state at `t` [T]. It is the double next to the shortest decimal
/// within two units in the last place of `t`.
///
/// A time is a start plus a number of steps, and dt = 1e-5 is no double. So 10,003 steps of it
/// after 2.4 give 2.5000299999999998, which tables show as 2.50003. The two units cover the
/// rounding of dt, of the product and of the sum. Never decreases where `t` increases. NaN and
/// infinities stay.
double tableTime(double t) noexcept;

}  // namespace scree::sim
