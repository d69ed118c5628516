// SPDX-License-Identifier: GPL-3.0-or-later
#include "join.hpp"

#include "read_table.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

std::string namesOf(const std::vector<sim::Column>& columns) {
  std::vector<std::string> names;
  for (const sim::Column& c : columns) names.push_back(c.name);
  return fmt::format("{}", fmt::join(names, ","));
}

/// runs.csv beside the table or in one of the two folders above; empty where there is none.
std::string runsBeside(const std::string& table) {
  fs::path folder = fs::absolute(table).parent_path();
  std::error_code code;
  for (int level = 0; level < 3; ++level, folder = folder.parent_path())
    if (fs::is_regular_file(folder / "runs.csv", code)) return (folder / "runs.csv").string();
  return {};
}

/// Whether a cell reads back to the same text, so that nothing is lost where it is a number.
bool isPlain(const sim::Cell& cell) {
  const std::string& text = std::get<std::string>(cell);
  const sim::Cell value = cellFrom(text);
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole && fmt::format("{}", *whole) == text;
}

/// Units of the columns that one of the kinds has which a run records. Tables of a run do not hold
/// them.
std::map<std::string, std::string> unitsOfRun(const std::vector<sim::Column>& columns) {
  const auto names = [](std::vector<sim::Column> all) {
    std::vector<std::string> list;
    for (sim::Column& c : all)
      if (c.name != "run") list.push_back(std::move(c.name));
    return list;
  };
  const std::vector<std::string> own = names(columns);
  std::map<std::string, std::string> units;
  const auto compare = [&](const std::vector<sim::Column>& kind) {
    if (names(kind) == own)
      for (const sim::Column& c : kind) units.emplace(c.name, c.unit);
  };
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (compare(std::variant_alternative_t<k, sim::AnyExtractor>::columns()), ...);
  }
  (std::make_index_sequence<std::variant_size_v<sim::AnyExtractor>>());
  return units;
}

/// Rows of the table of runs by key.
class Runs {
 public:
  explicit Runs(const std::string& path) {
    if (path.empty()) return;
    const auto keyOfTable = [](const ReadTable& table) {
      return table.has("run") ? table.column("run") : 0;
    };
    table_ = readTable(
        path, [&](const ReadTable& table, std::size_t k) { return k == keyOfTable(table); });
    key_ = keyOfTable(*table_);
    for (std::size_t k = 0; k < table_->rows.size(); ++k)
      if (!rowOf_.emplace(keyOf(table_->rows[k][key_]), k).second)
        throw ModelError(
            fmt::format("{}: there are two rows for run '{}'", path, keyOf(table_->rows[k][key_])));
  }
  bool has(const sim::Cell& run) const { return rowOf_.contains(keyOf(run)); }
  /// Columns other than the key.
  std::vector<sim::Column> columns() const {
    std::vector<sim::Column> columns;
    for (std::size_t k = 0; table_ && k < table_->columns.size(); ++k)
      if (k != key_) columns.push_back(table_->columns[k]);
    return columns;
  }
  /// Adds the columns of a run to a row that begins with it. The run takes the text that it has
  /// here.
  void append(const std::string& table, sim::Row& row) {
    if (!table_) return;
    const auto found = rowOf_.find(keyOf(row.front()));
    if (found == rowOf_.end())
      throw ModelError(
          fmt::format("{}: there is no row for run '{}', to which the table {} belongs",
                      table_->source, std::get<std::string>(row.front()), table));
    used_.insert(found->first);
    const sim::Row& own = table_->rows[found->second];
    row.front() = own[key_];
    for (std::size_t k = 0; k < own.size(); ++k)
      if (k != key_) row.push_back(own[k]);
  }
  std::size_t unused() const { return rowOf_.size() - used_.size(); }

 private:
  std::optional<ReadTable> table_;
  std::size_t key_ = 0;
  std::map<std::string, std::size_t> rowOf_;
  std::set<std::string> used_;
};

}  // namespace

JoinedTable joinTables(const JoinOptions& options, Diagnostics& diagnostics) {
  JoinedTable joined;
  joined.runs = !options.runs.empty() ? options.runs : runsBeside(options.tables.front());
  Runs runs(joined.runs);
  const std::vector<sim::Column> ofRuns = runs.columns();
  std::string first;  // names of the columns of the first table
  for (const std::string& path : options.tables) {
    ReadTable table = readTable(
        path, [](const ReadTable& t, std::size_t k) { return t.columns[k].name == "run"; });
    const std::string names = namesOf(table.columns);
    if (joined.columns.empty()) {
      first = names;
      joined.columns.push_back({"run", "-"});
      const auto units = unitsOfRun(table.columns);
      for (sim::Column c : table.columns) {
        if (c.name == "run") continue;
        if (const auto unit = units.find(c.name); c.unit.empty() && unit != units.end())
          c.unit = unit->second;
        joined.columns.push_back(std::move(c));
      }
      for (const sim::Column& c : ofRuns) {
        // A name that the tables have, too, gets a prefix.
        joined.columns.push_back({table.has(c.name) ? "run_" + c.name : c.name, c.unit});
      }
    } else if (names != first) {
      const auto [found, expected] = shownDifference(names, first);
      throw ModelError(fmt::format("{} has the columns '{}', expected '{}', as {} has", path, found,
                                   expected, options.tables.front()));
    }
    const std::optional<std::size_t> key =
        table.has("run") ? std::optional(table.column("run")) : std::nullopt;
    const fs::path place = fs::absolute(path);
    const sim::Cell folder = place.parent_path().filename().string(), stem = place.stem().string();
    const sim::Cell named = runs.has(folder) ? folder : stem;
    for (const sim::Row& own : table.rows) {
      const sim::Cell run = key ? own[*key] : named;
      sim::Row row{run};
      for (std::size_t k = 0; k < own.size(); ++k)
        if (k != key) row.push_back(own[k]);
      runs.append(path, row);
      joined.rows.push_back(std::move(row));
    }
  }
  // Names such as 0007 stay words; where all are plain numbers, they are numbers.
  if (std::ranges::all_of(joined.rows, [](const sim::Row& row) { return isPlain(row.front()); }))
    for (sim::Row& row : joined.rows) row.front() = cellFrom(std::get<std::string>(row.front()));
  joined.missing = runs.unused();
  if (joined.missing > 0)
    diagnostics.warn(
        fmt::format("{}: {} of its runs have no row in these tables", joined.runs, joined.missing));
  return joined;
}

}  // namespace scree::tools
