// SPDX-License-Identifier: GPL-3.0-or-later
// Output of extract: a table with chosen and added columns, or one that is continued, or a grid.
#include "extract.hpp"

#include "scree/base/files.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/pack/terrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// One column of `reach` as an ESRI ASCII grid. Cells for which the table has no row hold -9999.
std::string gridText(const Table& table, std::size_t value, double cell) {
  const std::size_t u = table.column("u"), v = table.column("v");
  const auto placeOf = [&](const Row& row, std::size_t column) {
    return static_cast<std::int64_t>(std::floor(numberOf(row[column]) / cell));
  };
  std::int64_t low[2]{INT64_MAX, INT64_MAX}, high[2]{INT64_MIN, INT64_MIN};
  for (const Row& row : table.rows)
    for (const int k : {0, 1}) {
      low[k] = std::min(low[k], placeOf(row, k == 0 ? u : v));
      high[k] = std::max(high[k], placeOf(row, k == 0 ? u : v));
    }
  if (table.rows.empty()) throw ModelError("reach: no body passes any cell, so there is no grid");
  const std::int64_t columns = high[0] - low[0] + 1, lines = high[1] - low[1] + 1;
  sim::HeightGrid grid = sim::unknownGrid(static_cast<double>(columns), static_cast<double>(lines),
                                          static_cast<double>(low[0]) * cell,
                                          static_cast<double>(low[1]) * cell, cell);
  for (const Row& row : table.rows)
    grid.values[static_cast<std::size_t>((high[1] - placeOf(row, v)) * columns + placeOf(row, u) -
                                         low[0])] = numberOf(row[value]);
  return sim::gridText(grid);
}

/// Format for the ending of a file name; csv for other endings.
TableFormat formatOfName(const std::string& path) {
  const std::string ending = fs::path(std::string(withoutZst(path))).extension().string();
  for (const char* format : {"tsv", "txt", "json", "jsonl"})
    if (ending == fmt::format(".{}", format)) return tableFormat(format);
  return TableFormat::csv;
}

}  // namespace

Output::Output(TablePlan plan, const ExtractOptions& options, const CommonOptions& common)
    : plan_(std::move(plan)),
      options_(options),
      existing_(options.append ? Existing::replace : common.existing()) {
  if (isStandardOutput(plan_.path)) plan_.path = "-";
  if (plan_.gridCell > 0.0) {
    if (!options.add.empty() || !options.format.empty() || !plan_.picture.empty())
      throw UsageError("--plot, --add and --format go with a table, not with -o FILE.asc");
    const std::string value = options.columns.empty() ? "frequency" : options.columns;
    if (!Table{"", plan_.columns, {}}.has(value) || value == "u" || value == "v")
      throw UsageError(fmt::format(
          "--columns: expected one column of reach, such as frequency, for -o FILE.asc, found '{}'",
          shown(value)));
    checkMayWrite(plan_.path, existing_);
    return;
  }
  for (const std::string& text : options.add) addColumn(text);
  named_ = plan_.columns.size();
  if (!options.columns.empty()) chooseColumns(options.columns);
  if (!plan_.picture.empty()) checkPlot(plan_, common.existing());
  known_.assign(plan_.columns.size(), 0);
  writer_.emplace(plan_.format, TableHeader{programText(), options.command, plan_.columns});
  if (!options.goesOn()) checkMayWrite(plan_.path, existing_);
  if (!options.goesOn()) return;
  if (options.follow && isStream() && plan_.format != TableFormat::json) return;
  if (isStream() || namesCompressed(plan_.path) || plan_.columns.front().name != "t" ||
      plan_.format == TableFormat::json || plan_.format == TableFormat::jsonl)
    throw UsageError(fmt::format(
        "{}: expected -o FILE, a csv, tsv or txt table whose first column is t, not compressed",
        options.follow ? "--follow" : "--append"));
  readOldTable();
}

void Output::addColumn(const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  };
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (equals == std::string::npos || name.empty() || !std::ranges::all_of(name, good) ||
      std::ranges::any_of(text, control) ||
      std::ranges::find(plan_.columns, name, &Column::name) != plan_.columns.end())
    throw UsageError(fmt::format(
        "--add '{}': expected NAME=VALUE, with a new NAME of letters, digits, '_' and '.'",
        shown(text)));
  const std::string value = text.substr(equals + 1);
  plan_.columns.push_back({name, ""});
  const bool isName = value.size() > 1 && value[0] == '0' &&
                      value.find_first_not_of("0123456789") == value.npos;  // such as run 0007
  added_.push_back(isName ? Cell(value) : cellFrom(value));
}

void Output::chooseColumns(const std::string& wanted) {
  const std::vector<std::string_view> names = namesOf(plan_.columns);
  for (const std::string& name : sim::partsOf(wanted, ',')) {
    const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (place == names.size())
      throw UsageError(fmt::format("--columns: there is no column '{}'{}; there are {}",
                                   shown(name), suggestion(name, names), fmt::join(names, ",")));
    if (std::ranges::find(order_, place) != order_.end())
      throw UsageError(fmt::format("--columns: '{}' is given twice", name));
    order_.push_back(place);
  }
  named_ = order_.size();
  // Columns of --add are wanted even where --columns does not name them.
  for (std::size_t k = names.size() - added_.size(); k < names.size(); ++k)
    if (std::ranges::find(order_, k) == order_.end()) order_.push_back(k);
  std::vector<Column> chosen;
  for (const std::size_t k : order_) chosen.push_back(plan_.columns[k]);
  plan_.columns = std::move(chosen);
}

/// Turns a row that a kind computed into one of the table: adds, chooses and rounds cells.
void Output::shape(Row& row) const {
  row.insert(row.end(), added_.begin(), added_.end());
  if (!order_.empty()) {
    Row chosen;
    chosen.reserve(order_.size());
    for (const std::size_t k : order_) chosen.push_back(row[k]);
    row = std::move(chosen);
  }
  // Times keep all digits, so that the rows of successive files have different times.
  for (std::size_t k = 0; options_.digits > 0 && k < row.size(); ++k)
    if (auto* value = std::get_if<double>(&row[k]);
        value && std::isfinite(*value) && plan_.columns[k].name != "t")
      *value = parseNumber(fmt::format("{:.{}e}", *value, options_.digits - 1)).value_or(*value);
}

/// Reads the whole lines of the table. Rows of its last time, which may lack some, go to lastRows_.
void Output::readOldTable() {
  text_ = writer_->take();
  if (!isThere(plan_.path)) return;
  const std::string all = readFile(plan_.path);
  std::string old(wholeLines(all));
  const std::string header = text_.substr(text_.rfind('\n', text_.size() - 2) + 1);
  const std::size_t at = old.starts_with(header) ? 0 : old.find('\n' + header) + 1;
  if (at == 0 && !old.starts_with(header)) {
    // A program that was killed may have left only a part of the first lines.
    if (text_.starts_with(all.substr(0, all.find('\n')))) return;
    throw UsageError(fmt::format("--append: {} is no table of extract with the columns {}",
                                 plan_.path, shown(header)));
  }
  // From the last row back to the first of the same time.
  const std::size_t begin = at + header.size();
  std::size_t from = old.size();
  while (from > begin) {
    const std::size_t line = old.rfind('\n', from - 2) + 1;
    const auto time = parseNumber(old.substr(line, old.find_first_of(",\t \n", line) - line));
    if (!time) throw UsageError(fmt::format("--append: {}: a row without a time", plan_.path));
    if (lastTime_ && *time != *lastTime_) break;
    lastTime_ = time;
    from = line;
  }
  lastRows_ = old.substr(from);
  old.resize(from);
  text_ = std::move(old);
}

void Output::take(std::vector<Row> rows) {
  if (rows.empty()) return;
  if (!writer_) {
    std::ranges::move(rows, std::back_inserter(kept_));
    return;
  }
  for (Row& row : rows) shape(row);
  if (lastTime_) {
    // Rows of the last time of the old table replace those in it; later rows are added.
    const double time = tableTime(numberOf(rows.front().front()));
    if (!(time >= *lastTime_)) return;
    const auto had = static_cast<std::size_t>(std::ranges::count(lastRows_, '\n'));
    if (time == *lastTime_ && rows.size() < had)  // a stop cuts rows off, and adds none
      throw UsageError(fmt::format("{}: {} has {} rows at t = {}, and would have {}",
                                   options_.follow ? "--follow" : "--append", plan_.path, had, time,
                                   rows.size()));
    if (time > *lastTime_) text_ += lastRows_;
    lastRows_.clear();
  }
  for (Row& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* number = std::get_if<double>(&row[k]);
      known_[k] |= !number || !std::isnan(*number);
    }
    writer_->row(row);
    if (!plan_.picture.empty()) kept_.push_back(std::move(row));
    if (!options_.follow && writer_->size() >= (std::size_t{1} << (plan_.path == "-" ? 20 : 22)))
      spill();
  }
}

/// Whether the output is a pipe or a device, which holds no earlier rows.
bool Output::isStream() const {
  return plan_.path == "-" || (isThere(plan_.path) && !isRegularFile(plan_.path));
}

void Output::spill() {
  text_ += writer_->take();
  if (!spilled_) spilled_.emplace(plan_.path);
  spilled_->append(text_);
  text_.clear();
}

void Output::flush() {
  if (!lastRows_.empty()) return;  // the file still has them, and no rows have come
  if (isStream()) return spill();  // a pipe stays open
  text_ += writer_->take();
  if (!isInPlace_)
    writeFile(plan_.path, text_, Existing::replace);
  else if (!text_.empty())
    appendLines(plan_.path, text_);
  isInPlace_ = true;
  text_.clear();
}

void Output::finish(Diagnostics& diagnostics) {
  if (!writer_) {
    const Table table{"", plan_.columns, std::move(kept_)};
    const std::string& value = options_.columns;
    writeFile(plan_.path,
              gridText(table, table.column(value.empty() ? "frequency" : value), plan_.gridCell),
              existing_);
    return;
  }
  writer_->finish();
  text_ += std::exchange(lastRows_, {});
  if (options_.follow && !isStream()) {
    flush();
  } else {
    spill();
    checkMayWrite(plan_.path, existing_);
    spilled_->finish();
  }
  std::vector<std::string> unknown;
  for (std::size_t k = 0; k < known_.size(); ++k)
    if (!known_[k]) unknown.push_back(plan_.columns[k].name);
  if (unknown.size() < known_.size() && !unknown.empty())
    diagnostics.note(fmt::format("nan in all rows: {}", fmt::join(unknown, ",")));
  if (plan_.picture.empty()) return;
  plan_.columns.resize(named_);
  if (const std::string warning = plotTable(plan_, kept_, options_, existing_); !warning.empty())
    diagnostics.warn(warning);
}

TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common,
                     TableFormat otherwise) {
  if (common.json && !options.format.empty() && options.format != "json")
    throw UsageError("--json and --format exclude each other");
  if (!options.format.empty()) return tableFormat(options.format);
  return common.json ? TableFormat::json : otherwise;
}

std::string programText() { return fmt::format("extract {} (Scree)", version()); }

TablePlan planOf(const sim::Kind& kind, std::vector<Column> columns, const ExtractOptions& options,
                 const CommonOptions& common) {
  return {.path = options.output.empty() ? "-" : options.output,
          .format = formatOf(options, common, formatOfName(options.output)),
          .columns = std::move(columns),
          .picture = options.plot,
          .title = kind.name == "join" ? std::string() : std::string(kind.name),
          .show = kind.plot};
}

}  // namespace scree::tools
