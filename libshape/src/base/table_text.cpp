// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text: csv and its kin, Rockable's form, and files that grow.
#include "safe_write.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree {
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

/// A cell as a message shows it.
std::string shownCell(std::string_view cell) {
  return cell.empty() ? "nothing" : fmt::format("'{}'", shown(cell));
}

/// A tab, or else a comma, or else a semicolon, by what stands in a header outside of quotes.
char separatorOf(std::string_view header) {
  std::string plain;
  bool quoted = false;
  for (const char c : header) {
    quoted ^= c == '"';
    if (!quoted) plain += c;
  }
  for (const char separator : {'\t', ',', ';'})
    if (plain.find(separator) != std::string::npos) return separator;
  return ',';
}

/// Units from comments such as `# units: t=s,x=m`, by the names of the columns.
std::map<std::string, std::string> unitsIn(std::span<const std::string_view> comments) {
  constexpr std::string_view mark = "# units:";
  std::map<std::string, std::string> units;
  for (std::string_view line : comments) {
    if (!line.starts_with(mark)) continue;
    for (line.remove_prefix(mark.size()); !line.empty();) {
      const std::string_view piece = line.substr(0, line.find(','));
      if (const auto equals = piece.find('='); equals != std::string_view::npos)
        units[std::string(trimmed(piece.substr(0, equals)))] = piece.substr(equals + 1);
      line.remove_prefix(std::min(piece.size() + 1, line.size()));
    }
  }
  return units;
}

/// Calls f(line, time) for the whole lines of a table, with no time for names and comments; for
/// none where there is no file. A pipe would have no end.
template <class F>
void forEachLine(const std::string& path, F&& f) {
  if (!isRegularFile(path)) return;
  const std::string content = readFile(path);
  const std::string_view text = wholeLines(content);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = text.substr(begin, end + 1 - begin);
    f(line, parseNumber(line.substr(0, line.find_first_of(" \t,\n"))));
    begin = end + 1;
  }
}

}  // namespace

CsvReader::CsvReader(TextReader in, bool mayBeTxt) : in_(std::move(in)) {
  TextReader ahead = in_;
  const auto header = nextLine(ahead, &comments_);
  // Names in a comment, over rows without separators. Units stand over the names of a csv table.
  const bool txt = mayBeTxt && !comments_.empty() && !comments_.back().starts_with("# units:") &&
                   (!header || header->find_first_of(",;\t") == std::string_view::npos);
  if (!header && !txt)
    throw in_.errorAtNext("expected a header line with the names of the columns, found the end");
  header_ = txt ? trimmed(comments_.back().substr(1)) : *header;
  separator_ = txt ? ' ' : separatorOf(header_);
  if (!txt) in_ = std::move(ahead);
  constexpr std::ptrdiff_t mostColumns = 10'000;
  if (std::ranges::count(header_, separator_) >= mostColumns)
    throw headerError(fmt::format("expected at most {} columns", mostColumns), {});
  headerCells_ = split(header_);
  for (std::size_t k = 0; k < headerCells_.size(); ++k)
    if (headerCells_[k].empty() || headerCells_[k] == "\"\"")
      throw headerError(fmt::format("column {} has no name", k + 1), k);
  columns_.reserve(headerCells_.size());
  for (const std::string_view cell : headerCells_) columns_.push_back(unquoted(cell));
  std::vector<std::string_view> sorted(columns_.begin(), columns_.end());
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    const auto first = std::ranges::find(columns_, *twice);
    const auto second = std::find(first + 1, columns_.end(), *twice);
    throw headerError(fmt::format("the column '{}' is given twice", *twice),
                      static_cast<std::size_t>(second - columns_.begin()));
  }
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
  constexpr std::string_view blanks = " \t\r";
  for (std::size_t at = 0; separator_ == ' ';) {
    at = line.find_first_not_of(blanks, at);
    if (at == std::string_view::npos) return cells;
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end;
  }
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

Table readTable(const std::string& path,
                const std::function<bool(const Table&, std::size_t column)>& staysText) {
  Table table;
  table.source = inputName(path);
  CsvReader csv(TextReader::fromFile(path), true);
  const auto units = unitsIn(csv.comments());
  for (const std::string& name : csv.columns()) {
    const auto unit = units.find(name);
    table.columns.push_back({name, unit == units.end() ? "" : unit->second});
  }
  std::vector<char> isText(table.columns.size(), 0);
  for (std::size_t k = 0; staysText && k < isText.size(); ++k) isText[k] = staysText(table, k);
  while (csv.next()) {
    Row row;
    row.reserve(table.columns.size());
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      row.push_back(isText[k] != 0 ? Cell(csv.text(k)) : cellFrom(csv.text(k)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string_view wholeLines(std::string_view text) noexcept {
  return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

void appendLines(const std::string& path, std::string_view lines) { appendToFile(path, lines); }

std::string linesUpTo(const std::string& path, double t) {
  std::string kept;
  forEachLine(path, [&](std::string_view line, const std::optional<double>& time) {
    if (!time || *time <= std::max(t, tableTime(t))) kept += line;
  });
  return kept;
}

std::string firstLineOf(const std::string& path) {
  std::string first;
  forEachLine(path, [&](std::string_view line, const std::optional<double>&) {
    if (first.empty()) first = line;
  });
  return first;
}

}  // namespace scree
