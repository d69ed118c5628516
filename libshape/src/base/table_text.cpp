// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text: csv and its kin, Rockable's form, and files that grow.
#include "safe_write.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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

}  // namespace

CsvReader::CsvReader(TextReader in) : in_(std::move(in)) {
  const auto header = nextLine(in_, &comments_);
  if (!header)
    throw in_.errorAtNext("expected a header line with the names of the columns, found the end");
  header_ = *header;
  separator_ = separatorOf(header_);
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

namespace {

using StaysText = std::function<bool(const Table&, std::size_t)>;

/// Pieces of a text between blanks, or between commas.
std::vector<std::string> piecesOf(const std::string& text, const char* separators) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(separators, at);
    if (at == std::string::npos) return pieces;
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
}

/// For each column, whether its cells stay text.
std::vector<char> textColumns(const Table& table, const StaysText& staysText) {
  std::vector<char> isText(table.columns.size(), 0);
  for (std::size_t k = 0; staysText && k < isText.size(); ++k) isText[k] = staysText(table, k);
  return isText;
}

Cell cellOrText(std::string text, bool isText) {
  return isText ? Cell(std::move(text)) : cellFrom(std::move(text));
}

/// Lines that begin with `#` above the rows of a table.
struct Comments {
  std::map<std::string, std::string> units;  // by column name
  std::string last;                          // the last such line, without its sign
  bool blanks = false;  // the line below is parted by blanks: then `last` holds the names
};

Comments commentsOf(const std::string& text) {
  constexpr std::string_view mark = "# units:";
  Comments comments;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line[0] != '#') {
      // A csv table of one column has no comma, but its units stand above the names.
      comments.blanks = line.find_first_of(",;\t") == std::string::npos && !comments.last.empty() &&
                        !comments.last.starts_with(mark.substr(1));
      return comments;
    }
    comments.last = line.substr(1);
    if (!line.starts_with(mark)) continue;
    for (const std::string& piece : piecesOf(line.substr(mark.size()), ","))
      if (const auto equals = piece.find('='); equals != std::string::npos) {
        const auto begin = std::min(piece.find_first_not_of(' '), equals);
        comments.units[piece.substr(begin, equals - begin)] = piece.substr(equals + 1);
      }
  }
  comments.blanks = !comments.last.empty();  // a txt table without a row
  return comments;
}

/// The form of Rockable's files: names in a comment, then rows with blanks between the cells.
void readBlanks(TextReader& in, const std::string& names, Table& table,
                const StaysText& staysText) {
  for (const std::string& name : piecesOf(names, " \t\r")) {
    if (table.has(name))
      throw in.errorAtNext(fmt::format("the column '{}' is given twice", shown(name)));
    table.columns.push_back({name, ""});
  }
  const std::vector<char> isText = textColumns(table, staysText);
  const auto cell = [&](std::size_t k) {
    return cellOrText(std::string(in.word("cell")), k < isText.size() && isText[k] != 0);
  };
  while (!in.atEnd()) {
    if (in.peek()[0] == '#') {
      in.word("comment");
      in.skipLine();
      continue;
    }
    Row row{cell(0)};
    while (in.nextOnSameLine()) row.push_back(cell(row.size()));
    if (row.size() != table.columns.size())
      throw in.error(fmt::format("expected {} cells, as there are names, found {}",
                                 table.columns.size(), row.size()));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

Table readTable(const std::string& path, const StaysText& staysText) {
  const std::string text = readFile(path);
  Table table;
  table.source = inputName(path);
  const Comments comments = commentsOf(text);
  TextReader in(table.source, text);
  if (comments.blanks) {
    readBlanks(in, comments.last, table, staysText);
    return table;
  }
  CsvReader csv(std::move(in));
  for (const std::string& name : csv.columns()) {
    const auto unit = comments.units.find(name);
    table.columns.push_back({name, unit == comments.units.end() ? "" : unit->second});
  }
  const std::vector<char> isText = textColumns(table, staysText);
  while (csv.next()) {
    Row row;
    row.reserve(table.columns.size());
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      row.push_back(cellOrText(csv.text(k), isText[k] != 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

namespace {

/// Calls f(line, time) for the whole lines of a table, with no time for names and comments; for
/// none where there is no file. A pipe would have no end.
template <class F>
void forEachLine(const std::string& path, F&& f) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  const std::string content = readFile(path);
  const std::string_view text = wholeLines(content);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = text.substr(begin, end + 1 - begin);
    f(line, parseNumber(line.substr(0, line.find_first_of(" \t,\n"))));
    begin = end + 1;
  }
}

double lastShown(double t) { return std::max(t, tableTime(t)); }

}  // namespace

std::string_view wholeLines(std::string_view text) noexcept {
  return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

void appendLines(const std::string& path, std::string_view lines) { appendToFile(path, lines); }

std::string linesUpTo(const std::string& path, double t) {
  std::string kept;
  forEachLine(path, [&](std::string_view line, const std::optional<double>& time) {
    if (!time || *time <= lastShown(t)) kept += line;
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
