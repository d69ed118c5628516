// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace scree::sim {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A cell without its quotes.
std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  cell = cell.substr(1, cell.size() - 2);
  std::string out;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    if (cell[k] == '"') ++k;  // split() has seen to it that quotes inside come in twos
    out += cell[k];
  }
  return out;
}

bool isQuoted(std::string_view cell) { return cell.size() >= 2 && cell.front() == '"'; }

/// The first cell that has the name of an earlier one. O(n log n), 4 bytes a cell.
std::optional<std::size_t> secondOfAName(const std::vector<std::string_view>& cells) {
  const auto order = [&](std::uint32_t a, std::uint32_t b) {
    const std::string_view left = cells[a], right = cells[b];
    return isQuoted(left) || isQuoted(right) ? unquoted(left).compare(unquoted(right))
                                             : left.compare(right);
  };
  std::vector<std::uint32_t> sorted(cells.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
    const int side = order(a, b);
    return side != 0 ? side < 0 : a < b;
  });
  std::optional<std::size_t> first;
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (order(sorted[k - 1], sorted[k]) == 0)
      first = std::min<std::size_t>(first.value_or(sorted[k]), sorted[k]);
  return first;
}

/// A cell as a message shows it.
std::string shownCell(std::string_view cell) {
  return cell.empty() ? "nothing" : fmt::format("'{}'", shown(cell));
}

/// A tab, or else a comma, or else a semicolon, by what stands in a header outside of quotes.
char separatorOf(std::string_view header) {
  bool comma = false, semicolon = false, cellBegins = true;
  for (std::size_t k = 0; k < header.size(); ++k) {
    const char c = header[k];
    if (c == '"' && cellBegins) {
      k = header.find('"', k + 1);  // a doubled quote goes on as a second quoted text
      if (k == std::string_view::npos) break;
      continue;
    }
    if (c == '\t') return c;
    comma |= c == ',';
    semicolon |= c == ';';
    cellBegins = c == ',' || c == ';' || (cellBegins && c == ' ');
  }
  return semicolon && !comma ? ';' : ',';
}

}  // namespace

CsvReader::CsvReader(TextReader in) : in_(std::move(in)) {
  const auto header = nextLine(in_, &comments_);
  if (!header)
    throw in_.errorAtNext("expected a header line with the names of the columns, found the end");
  header_ = *header;
  separator_ = separatorOf(header_);
  headerCells_ = split(header_);
  for (std::size_t k = 0; k < headerCells_.size(); ++k)
    if (headerCells_[k].empty() || headerCells_[k] == "\"\"")
      throw headerError(fmt::format("column {} has no name", k + 1), k);
  if (const auto k = secondOfAName(headerCells_))
    throw headerError(fmt::format("the column '{}' is given twice", unquoted(headerCells_[*k])), k);
  columns_.reserve(headerCells_.size());
  for (const std::string_view cell : headerCells_) columns_.push_back(unquoted(cell));
}

std::optional<std::string_view> CsvReader::nextLine(TextReader& in,
                                                    std::vector<std::string_view>* passed) {
  while (!in.atEnd()) {
    const std::string_view line = in.restOfLine();
    if (!line.starts_with('#')) return line;
    if (passed) passed->push_back(line);
  }
  return std::nullopt;
}

std::vector<std::string_view> CsvReader::split(std::string_view line) const {
  std::vector<std::string_view> cells;
  cells.reserve(static_cast<std::size_t>(std::ranges::count(line, separator_)) + 1);
  std::size_t begin = 0;
  for (;;) {
    std::size_t at = begin;
    while (at < line.size() && line[at] == ' ') ++at;
    if (at < line.size() && line[at] == '"') {
      const std::size_t open = at;
      ++at;
      for (;;) {
        at = line.find('"', at);
        if (at == std::string_view::npos)
          throw in_.errorAt(line.substr(open, 1), "this quote is not closed on its line");
        if (at + 1 >= line.size() || line[at + 1] != '"') break;
        at += 2;  // a doubled quote
      }
      ++at;
      const std::size_t after = std::min(line.find(separator_, at), line.size());
      if (!trimmed(line.substr(at, after - at)).empty())
        throw in_.errorAt(line.substr(at, 1),
                          "expected the end of the cell after its closing quote");
    }
    const std::size_t end = std::min(line.find(separator_, at), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    if (end == line.size()) return cells;
    begin = end + 1;
  }
}

std::optional<std::size_t> CsvReader::column(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

ParseError CsvReader::headerError(const std::string& message, std::optional<std::size_t> k) const {
  return in_.errorAt(k ? headerCells_[*k] : header_, message);
}

bool CsvReader::next() {
  if (std::exchange(began_, true)) comments_.clear();
  const auto line = nextLine(in_, &comments_);
  if (!line) return false;
  cells_ = split(*line);
  if (cells_.size() != columns_.size())
    throw in_.errorAt(*line,
                      fmt::format("expected {} cells, one for each column of the header, found {}",
                                  columns_.size(), cells_.size()));
  return true;
}

std::size_t CsvReader::rowsLeft(std::size_t bytesPerRow) const {
  TextReader ahead = in_;
  const std::size_t most = ahead.rest().size() / std::max<std::size_t>(bytesPerRow, 1) + 1;
  std::size_t rows = 0;
  while (rows < most && nextLine(ahead)) ++rows;
  return rows;
}

ParseError CsvReader::error(std::size_t column, const std::string& message) const {
  return in_.errorAt(cells_[column], message);
}

std::string CsvReader::text(std::size_t column) const { return unquoted(cells_[column]); }

double CsvReader::number(std::size_t column) const {
  const auto value = parseNumber(unquoted(cells_[column]));
  if (!value || !std::isfinite(*value))
    throw error(column, fmt::format("{}: expected a {}number, found {}", columns_[column],
                                    value ? "finite " : "", shownCell(cells_[column])));
  return *value;
}

double CsvReader::positive(std::size_t column) const {
  const double value = number(column);
  if (!(value > 0.0))
    throw error(column, fmt::format("{}: expected a number above 0, found {}", columns_[column],
                                    shownCell(cells_[column])));
  return value;
}

std::int64_t CsvReader::integer(std::size_t column, std::int64_t least, std::int64_t most) const {
  const auto value = parseInteger(unquoted(cells_[column]));
  if (!value || *value < least || *value > most)
    throw error(column, fmt::format("{}: expected a whole number from {} to {}, found {}",
                                    columns_[column], least, most, shownCell(cells_[column])));
  return *value;
}

}  // namespace scree::sim
