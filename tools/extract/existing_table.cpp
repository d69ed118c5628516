// SPDX-License-Identifier: GPL-3.0-or-later
#include "existing_table.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/growing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace scree::tools {
namespace {

using sim::TableFormat;

/// The line of names of a table, without what stands above it; empty where there is none.
std::string_view namesLine(std::string_view text, TableFormat format) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool comment = line.starts_with('#');
    if (format == TableFormat::txt ? comment : !comment) return line;
  }
  return {};
}

/// Length of the cell that `text` begins with. In quotes a separator is a part of the cell.
std::size_t cellLength(std::string_view text, std::string_view separators, char escape) {
  bool quoted = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (quoted && text[at] == escape && escape != '"') {
      ++at;
      continue;
    }
    if (text[at] == '"') quoted = !quoted;
    if (!quoted && separators.find(text[at]) != std::string_view::npos) break;
  }
  return std::min(at, text.size());
}

/// A cell of a line as it stands there. Empty where the line has not these columns.
std::string_view cellText(std::string_view line, const std::vector<sim::Column>& columns,
                          std::size_t wanted, TableFormat format) {
  const bool json = format == TableFormat::jsonl;
  const std::string_view separators = json                         ? ",}"
                                      : format == TableFormat::csv ? ","
                                      : format == TableFormat::tsv ? "\t"
                                                                   : " ";
  std::string_view cell;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (json) {
      const std::string key = (k == 0 ? "{" : ",") + jsonString(columns[k].name) + ':';
      if (!line.starts_with(key)) return {};
      line.remove_prefix(key.size());
    } else if (k > 0) {
      if (line.empty()) return {};
      line.remove_prefix(1);
    }
    const std::string_view own = line.substr(0, cellLength(line, separators, json ? '\\' : '"'));
    line.remove_prefix(own.size());
    if (k == wanted) cell = own;
  }
  return line == (json ? "}" : "") ? cell : std::string_view();
}

}  // namespace

ExistingTable existingTable(const std::string& path, const sim::TableHeader& header,
                            TableFormat format, const std::string& head) {
  ExistingTable table;
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return table;
  const std::string all = readFile(path);
  table.text = sim::wholeLines(all);
  table.isCut = table.text.size() < all.size();
  const bool json = format == TableFormat::jsonl;
  const std::string_view has = json ? "" : namesLine(table.text, format),
                         needs = namesLine(head, format);
  if (json ? table.text.empty() : has.empty()) {
    // What was killed while it wrote the first lines left a part of them.
    const std::string_view begin =
        json ? "{" : std::string_view(head).substr(0, std::min(head.size(), head.find(' ', 2)));
    if (!all.starts_with(begin.substr(0, all.size())))
      throw UsageError(fmt::format("--append: {} is no table of extract", path));
    table.text.clear();
    return table;
  }
  if (has != needs) {
    const auto [found, expected] = shownDifference(has, needs);
    throw UsageError(
        fmt::format("--append: {} has the columns '{}', expected '{}'", path, found, expected));
  }
  const auto timeColumn = static_cast<std::size_t>(
      std::ranges::find(header.columns, "t", &sim::Column::name) - header.columns.begin());
  // From the last row back to the first of the same time.
  for (std::size_t end = table.text.size(); end > 0;) {
    const std::size_t newline = end < 2 ? std::string::npos : table.text.rfind('\n', end - 2);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    const std::string_view line = std::string_view(table.text).substr(begin, end - 1 - begin);
    if (!json && (line == has || line.starts_with('#'))) break;
    const auto time = parseNumber(cellText(line, header.columns, timeColumn, format));
    if (!time && !table.lastTime)
      throw UsageError(fmt::format(
          "--append: the last row of {} does not have the columns expected, or no time: '{}'", path,
          shown(line)));
    if (!time || (table.lastTime && *time != *table.lastTime)) break;
    table.lastTime = time;
    table.lastRows = end = begin;
  }
  return table;
}

}  // namespace scree::tools
