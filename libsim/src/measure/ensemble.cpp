// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of an ensemble of runs: joined with the table of runs, and shares above levels.
#include "scree/sim/measure/ensemble.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

std::string namesOf(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& c : columns) names.push_back(c.name);
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

/// Rows of the table of runs by key.
class Runs {
 public:
  explicit Runs(const std::string& path) {
    if (path.empty()) return;
    const auto keyOfTable = [](const Table& table) {
      return table.has("run") ? table.column("run") : 0;
    };
    table_ =
        readTable(path, [&](const Table& table, std::size_t k) { return k == keyOfTable(table); });
    key_ = keyOfTable(*table_);
    for (std::size_t k = 0; k < table_->rows.size(); ++k)
      if (!rowOf_.emplace(keyOf(table_->rows[k][key_]), k).second)
        throw ModelError(
            fmt::format("{}: there are two rows for run '{}'", path, keyOf(table_->rows[k][key_])));
  }
  bool has(const Cell& run) const { return rowOf_.contains(keyOf(run)); }
  /// Columns other than the key.
  std::vector<Column> columns() const {
    std::vector<Column> columns;
    for (std::size_t k = 0; table_ && k < table_->columns.size(); ++k)
      if (k != key_) columns.push_back(table_->columns[k]);
    return columns;
  }
  /// Adds the columns of a run to a row that begins with it. The run takes the text that it has
  /// here.
  void append(const std::string& table, Row& row) {
    if (!table_) return;
    const auto found = rowOf_.find(keyOf(row.front()));
    if (found == rowOf_.end())
      throw ModelError(
          fmt::format("{}: there is no row for run '{}', to which the table {} belongs",
                      table_->source, std::get<std::string>(row.front()), table));
    used_.insert(found->first);
    const Row& own = table_->rows[found->second];
    row.front() = own[key_];
    for (std::size_t k = 0; k < own.size(); ++k)
      if (k != key_) row.push_back(own[k]);
  }
  std::size_t unused() const { return rowOf_.size() - used_.size(); }

 private:
  std::optional<Table> table_;
  std::size_t key_ = 0;
  std::map<std::string, std::size_t> rowOf_;
  std::set<std::string> used_;
};

struct Draw {
  double value = 0.0;
  bool censored = false;  ///< the true value is larger
};

/// Levels of a curve: those given, even steps from the least to the largest value, or the values.
std::vector<double> levelsOf(const ExceedanceOptions& options, const std::vector<Draw>& draws) {
  std::vector<double> values = options.levels;
  if (!values.empty()) {
    std::ranges::sort(values);
    return values;
  }
  for (const Draw& d : draws) values.push_back(d.value);
  std::ranges::sort(values);
  if (options.bins == 0 || values.empty()) {
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
  std::vector<double> levels;
  const double low = values.front(), high = values.back(), n = static_cast<double>(options.bins);
  for (std::int64_t k = 0; k <= options.bins; ++k)
    levels.push_back(low + (high - low) * (static_cast<double>(k) / n));
  return levels;
}

/// Share of draws that exceed a level, and its standard error.
struct Share {
  double p = notKnown, error = notKnown;
};

/// Shares after Kaplan and Meier: the product of 1 - d/n over the values up to the level, where d
/// of the n draws from a value on end there. The error is that of Greenwood, with n/(n - 1); for
/// draws that all end it is that of a share, p(1 - p)/(n - 1). Beyond a largest value that is
/// censored nothing is known.
/// @param draws   by falling value
/// @param levels  rising
std::vector<Share> survival(const std::vector<Draw>& draws, const std::vector<double>& levels) {
  std::vector<Share> shares;
  const double n = static_cast<double>(draws.size());
  double left = n;  // draws from the next value on
  // The factors since the last censored draw are one quotient, so that K of N draws give K/N.
  double before = 1.0, leftBefore = left, p = left > 0.0 ? 1.0 : notKnown, scatter = 0.0;
  auto draw = draws.rbegin();
  for (const double level : levels) {
    while (draw != draws.rend() && draw->value <= level) {
      const double value = draw->value;
      double ended = 0.0, all = 0.0;
      for (; draw != draws.rend() && draw->value == value; ++draw) {
        all += 1.0;
        ended += !draw->censored;
      }
      if (left > 0.0) p = before * (left - ended) / leftBefore;
      if (left > ended) scatter += ended / (left * (left - ended));
      left -= all;
      if (all > ended) {
        before = p;
        leftBefore = left;
      }
    }
    if (draws.empty() || (level > draws.front().value && p > 0.0))
      shares.push_back({});
    else
      shares.push_back({p, n > 1.0 ? p * std::sqrt(scatter * n / (n - 1.0)) : notKnown});
  }
  return shares;
}

/// The 95 % interval of a share (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927) of as many draws as
/// have its standard error; of all of them where it is 0 or 1.
std::pair<double, double> interval(double p, double error, double draws) {
  if (std::isnan(p)) return {0.0, 1.0};
  const double n = error > 0.0 ? p * (1.0 - p) / (error * error) : draws;
  if (!(n > 0.0)) return {notKnown, notKnown};
  constexpr double z = 1.959963984540054;
  const double middle = (p + 0.5 * z * z / n) / (1.0 + z * z / n),
               half = z / (1.0 + z * z / n) * std::sqrt(p * (1.0 - p) / n + 0.25 * z * z / (n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace

JoinedTable joinTables(const JoinOptions& options, Diagnostics& diagnostics) {
  JoinedTable joined;
  joined.runs = !options.runs.empty() ? options.runs : runsBeside(options.tables.front());
  Runs runs(joined.runs);
  const std::vector<Column> ofRuns = runs.columns();
  std::string first;  // names of the columns of the first table
  for (const std::string& path : options.tables) {
    Table table =
        readTable(path, [](const Table& t, std::size_t k) { return t.columns[k].name == "run"; });
    const std::string names = namesOf(table.columns);
    if (joined.table.columns.empty()) {
      first = names;
      joined.table.columns.push_back({"run", "-"});
      for (const Column& c : table.columns)
        if (c.name != "run") joined.table.columns.push_back(c);
      for (const Column& c : ofRuns)  // a name that the tables have, too, gets a prefix
        joined.table.columns.push_back({table.has(c.name) ? "run_" + c.name : c.name, c.unit});
    } else if (names != first) {
      throw ModelError(fmt::format("{} has other columns than {}", path, options.tables.front()));
    }
    const std::size_t none = table.columns.size(),
                      key = table.has("run") ? table.column("run") : none;
    const fs::path place = fs::absolute(path);
    const Cell folder = place.parent_path().filename().string(), stem = place.stem().string();
    const Cell named = runs.has(folder) ? folder : stem;
    for (const Row& own : table.rows) {
      const Cell run = key != none ? own[key] : named;
      Row row{run};
      for (std::size_t k = 0; k < own.size(); ++k)
        if (k != key) row.push_back(own[k]);
      runs.append(path, row);
      joined.table.rows.push_back(std::move(row));
    }
  }
  joined.missing = runs.unused();
  if (joined.missing > 0)
    diagnostics.warn(
        fmt::format("{}: {} of its runs have no row in these tables", joined.runs, joined.missing));
  return joined;
}

Table exceedance(const Table& table, const ExceedanceOptions& options) {
  Table out;
  if (!options.by.empty()) out.columns.push_back(table.columns[table.column(options.by)]);
  out.columns.push_back({"level", table.columns[table.column(options.of)].unit});
  for (const char* name : {"p", "error", "low", "high", "above", "n", "censored"})
    out.columns.push_back({name, "-"});
  // A body that has left, or moves still, would have gone on.
  constexpr std::array<std::string_view, 4> grow{"reach", "path", "drop", "tStop"};
  const bool mayEnd = std::ranges::find(grow, options.of) != grow.end() && table.has("end");
  const std::size_t end = mayEnd ? table.column("end") : 0;
  const std::size_t of = table.column(options.of);
  const bool curves = !options.by.empty();
  const std::size_t by = curves ? table.column(options.by) : 0;
  struct Curve {
    Cell name;
    std::vector<Draw> draws;
  };
  std::vector<Curve> all;
  std::map<std::string, std::size_t> curveOf;
  for (const Row& row : table.rows) {
    if (const auto* word = std::get_if<std::string>(&row[of]))
      throw ModelError(fmt::format("{}: column '{}' holds '{}', expected numbers", table.source,
                                   options.of, *word));
    const double value = numberOf(row[of]);
    const auto [place, isNew] =
        curveOf.emplace(curves ? keyOf(row[by]) : std::string(), all.size());
    if (isNew) all.push_back({curves ? row[by] : Cell(std::string()), {}});
    if (!std::isnan(value))
      all[place->second].draws.push_back({value, mayEnd && keyOf(row[end]) != "rest"});
  }
  for (Curve& curve : all) {
    const std::vector<double> levels = levelsOf(options, curve.draws);
    std::ranges::sort(curve.draws, std::greater<>(), &Draw::value);
    const auto censored = std::ranges::count_if(curve.draws, &Draw::censored);
    const std::vector<Share> shares = survival(curve.draws, levels);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const Share& share = shares[k];
      const auto [low, high] =
          interval(share.p, share.error, static_cast<double>(curve.draws.size()));
      const auto above = std::ranges::partition_point(
                             curve.draws, [&](const Draw& d) { return d.value > levels[k]; }) -
                         curve.draws.begin();
      Row row;
      if (curves) row.push_back(curve.name);
      for (const double number : {levels[k], share.p, share.error, low, high})
        row.emplace_back(number);
      for (const auto count : {above, std::ssize(curve.draws), censored})
        row.emplace_back(static_cast<std::int64_t>(count));
      out.rows.push_back(std::move(row));
    }
  }
  return out;
}

}  // namespace scree::sim
