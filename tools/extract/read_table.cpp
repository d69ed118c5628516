// SPDX-License-Identifier: GPL-3.0-or-later
#include "read_table.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace scree::tools {
namespace {

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
std::vector<char> textColumns(const ReadTable& table, const StaysText& staysText) {
  std::vector<char> isText(table.columns.size(), 0);
  for (std::size_t k = 0; staysText && k < isText.size(); ++k) isText[k] = staysText(table, k);
  return isText;
}

sim::Cell cellOrText(std::string text, bool isText) {
  return isText ? sim::Cell(std::move(text)) : cellFrom(std::move(text));
}

/// What stands above the rows of a table in lines that begin with `#`.
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
void readBlanks(TextReader& in, const std::string& names, ReadTable& table,
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
    sim::Row row{cell(0)};
    while (in.nextOnSameLine()) row.push_back(cell(row.size()));
    if (row.size() != table.columns.size())
      throw in.error(fmt::format("expected {} cells, as there are names, found {}",
                                 table.columns.size(), row.size()));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

bool ReadTable::has(const std::string& name) const {
  return std::ranges::find(columns, name, &sim::Column::name) != columns.end();
}

std::size_t ReadTable::column(const std::string& name) const {
  const auto found = std::ranges::find(columns, name, &sim::Column::name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::vector<std::string_view> names;
  for (const sim::Column& c : columns) names.push_back(c.name);
  throw ModelError(fmt::format("{}: there is no column '{}'{}; there are {}", source, shown(name),
                               suggestion(name, names), fmt::join(names, ",")));
}

ReadTable readTable(const std::string& path, const StaysText& staysText) {
  const std::string text = readFile(path);
  ReadTable table;
  table.source = inputName(path);
  const Comments comments = commentsOf(text);
  TextReader in(table.source, text);
  if (comments.blanks) {
    readBlanks(in, comments.last, table, staysText);
    return table;
  }
  sim::CsvReader csv(std::move(in));
  for (const std::string& name : csv.columns()) {
    const auto unit = comments.units.find(name);
    table.columns.push_back({name, unit == comments.units.end() ? "" : unit->second});
  }
  const std::vector<char> isText = textColumns(table, staysText);
  while (csv.next()) {
    sim::Row row;
    row.reserve(table.columns.size());
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      row.push_back(cellOrText(csv.text(k), isText[k] != 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

sim::Cell cellFrom(std::string text) {
  if (const auto whole = parseInteger(text)) return *whole;
  if (const auto number = parseNumber(text)) return *number;
  return text;
}

double numberOf(const sim::Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return parseNumber(std::get<std::string>(cell))
      .value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string keyOf(const sim::Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell); word && !parseNumber(*word)) return *word;
  return fmt::format("{}", numberOf(cell));
}

std::pair<std::string, std::string> shownDifference(std::string_view a, std::string_view b) {
  constexpr std::size_t fewest = 30;  // characters in common that are shown
  const auto [inA, inB] = std::ranges::mismatch(a, b);
  const auto same = static_cast<std::size_t>(inA - a.begin());
  const std::size_t cell = same == 0 ? std::string_view::npos : a.find_last_of(", \t", same - 1);
  if (same < fewest || cell == std::string_view::npos) return {shown(a), shown(b)};
  return {"..." + shown(a.substr(cell)), "..." + shown(b.substr(cell))};
}

}  // namespace scree::tools
