// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// A table with a header line. Lines that begin with # are comments; blank lines are skipped.
/// Commas separate the cells, or tabs or semicolons where the header has those. A cell may stand in
/// double quotes, with "" for a quote inside. Blanks around cells do not count.
///
/// Rows come one by one; each complaint has line and column.
class CsvReader {
 public:
  /// Reads up to the header. @throws ParseError if there is none, on a column without name and on
  /// two columns of one name
  explicit CsvReader(TextReader in);

  const std::vector<std::string>& columns() const noexcept { return columns_; }
  /// Number of the column of this name.
  std::optional<std::size_t> column(std::string_view name) const;
  /// A complaint about the header: at column `k`, or about the line as a whole.
  ParseError headerError(const std::string& message, std::optional<std::size_t> k = {}) const;

  /// Moves to the next row; false at the end. @throws ParseError if it has not one cell a column
  bool next();

  /// How many rows follow at most, where each takes `bytesPerRow` of the text or more: what to
  /// reserve memory for. O(text).
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

}  // namespace scree::sim
