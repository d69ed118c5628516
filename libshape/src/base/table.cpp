// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/table.hpp"

#include "scree/base/error.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {
namespace {

constexpr std::array<std::string_view, 5> formatNames{"csv", "tsv", "txt", "json", "jsonl"};

/// The text with blanks in place of line ends, so that a `#` line holds all of it.
std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

bool hasUnit(const Column& column) { return !column.unit.empty() && column.unit != "-"; }

bool isJson(TableFormat format) {
  return format == TableFormat::json || format == TableFormat::jsonl;
}

/// Text of a cell in csv, tsv or txt. csv and tsv put it in quotes only if it needs them. txt has
/// no quotes: blanks become underscores, and an empty text becomes `-`.
std::string cellString(std::string_view text, TableFormat format) {
  std::string out(text);
  if (format == TableFormat::txt) {
    for (char& c : out)
      if (c == ' ' || (c >= '\t' && c <= '\r')) c = '_';
    return out.empty() ? "-" : out;
  }
  const char separator = format == TableFormat::csv ? ',' : '\t';
  if (out.find_first_of(std::string("\"\n\r") + separator) == std::string::npos &&
      !out.starts_with('#'))
    return out;
  std::string quoted = "\"";
  for (const char c : out) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void appendCell(std::string& out, const Cell& cell, TableFormat format) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    out += std::to_string(*integer);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    out += isJson(format) ? jsonString(*text) : cellString(*text, format);
  } else {
    const double value = std::get<double>(cell);
    if (isJson(format))
      appendJson(out, value);
    else if (std::isnan(value))
      out += "nan";  // also where to_chars would write -nan
    else
      appendShortest(out, value);
  }
}

}  // namespace

TableFormat tableFormat(std::string_view name) {
  for (std::size_t k = 0; k < formatNames.size(); ++k)
    if (formatNames[k] == name) return static_cast<TableFormat>(k);
  throw UsageError(fmt::format("--format: unknown table format '{}'{}; formats are {}", name,
                               suggestion(name, formatNames), fmt::join(formatNames, " ")));
}

TableWriter::TableWriter(TableFormat format, TableHeader header)
    : format_(format), header_(std::move(header)) {
  const auto& columns = header_.columns;
  for (const Column& c : columns) isTime_.push_back(c.name == "t");
  const auto join = [&](auto&& piece, char separator) {
    std::string line;
    for (const Column& c : columns) {
      const std::string item = piece(c);
      if (item.empty()) continue;
      if (!line.empty()) line += separator;
      line += item;
    }
    return line;
  };
  // A name may come from a table of another program and need quotes.
  const auto name = [&](const Column& c) { return cellString(c.name, format_); };
  const auto unit = [](const Column& c) {
    const bool fits = hasUnit(c) && c.name.find_first_of(",=\n\r") == std::string::npos &&
                      c.unit.find_first_of(",=\n\r") == std::string::npos;
    return fits ? c.name + '=' + c.unit : "";
  };
  switch (format_) {
    case TableFormat::csv:
    case TableFormat::tsv:
      text_ += fmt::format("# {}\n# {}\n# units: {}\n", oneLine(header_.program),
                           oneLine(header_.command), join(unit, ','));
      text_ += join(name, format_ == TableFormat::csv ? ',' : '\t') + '\n';
      break;
    case TableFormat::txt:
      text_ += "# " + join(name, ' ') + '\n';
      break;
    case TableFormat::json: {
      JsonWriter json;  // up to the first row
      json.beginObject().member("schema", 1).member("program", header_.program);
      json.member("command", header_.command).newLine().key("units").beginObject();
      for (const Column& c : columns)
        if (hasUnit(c)) json.member(c.name, c.unit);
      json.end().newLine().key("columns").beginArray();
      for (const Column& c : columns) json.value(c.name);
      text_ += json.end().newLine().key("rows").beginArray().take();
      break;
    }
    case TableFormat::jsonl:
      break;
  }
}

void TableWriter::row(const Row& row) {
  assert(row.size() == header_.columns.size());
  if (format_ == TableFormat::json) text_ += first_ ? "\n[" : ",\n[";
  if (format_ == TableFormat::jsonl) text_ += '{';
  const char separator = format_ == TableFormat::tsv   ? '\t'
                         : format_ == TableFormat::txt ? ' '
                                                       : ',';
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k > 0) text_ += separator;
    if (format_ == TableFormat::jsonl) text_ += jsonString(header_.columns[k].name) + ':';
    const double* time = isTime_[k] != 0 ? std::get_if<double>(&row[k]) : nullptr;
    if (time)
      appendCell(text_, tableTime(*time), format_);
    else
      appendCell(text_, row[k], format_);
  }
  if (format_ == TableFormat::json)
    text_ += ']';
  else
    text_ += format_ == TableFormat::jsonl ? "}\n" : "\n";
  first_ = false;
}

void TableWriter::finish() {
  if (format_ == TableFormat::json) text_ += "\n]}\n";
}

std::string TableWriter::take() { return std::exchange(text_, {}); }

std::string tableText(TableFormat format, TableHeader header, const std::vector<Row>& rows) {
  TableWriter writer(format, std::move(header));
  for (const Row& row : rows) writer.row(row);
  writer.finish();
  return writer.take();
}

std::vector<Column> columnsFrom(std::string_view text) {
  std::vector<Column> columns;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t colon = word.find(':');
    columns.push_back(
        {std::string(word.substr(0, colon)),
         colon == std::string_view::npos ? "-" : std::string(word.substr(colon + 1))});
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return columns;
}

Cell cellFrom(std::string text) {
  if (const auto whole = parseInteger(text)) return *whole;
  if (const auto number = parseNumber(text)) return *number;
  return text;
}

double numberOf(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return parseNumber(std::get<std::string>(cell))
      .value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string keyOf(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell); word && !parseNumber(*word)) return *word;
  return fmt::format("{}", numberOf(cell));
}

bool Table::has(std::string_view name) const {
  return std::ranges::find(columns, name, &Column::name) != columns.end();
}

std::size_t Table::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &Column::name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const std::vector<std::string_view> names = namesOf(columns);
  throw ModelError(fmt::format("{}: there is no column '{}'{}; there are {}", source, shown(name),
                               suggestion(name, names), fmt::join(names, ",")));
}

double tableTime(double t) noexcept {
  if (!std::isfinite(t) || t == 0.0) return t;
  const double tolerance = 2.0 * (std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t));
  char text[40];
  for (int decimals = 0; decimals < 15; ++decimals) {
    const auto written =
        std::to_chars(text, text + sizeof text, t, std::chars_format::scientific, decimals);
    double shorter = t;
    if (std::from_chars(text, written.ptr, shorter).ec == std::errc() &&
        std::abs(shorter - t) <= tolerance)
      return shorter;
  }
  return t;
}

}  // namespace scree
