// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of an ensemble of runs: joined with the table of runs, and shares above levels.
#include "scree/sim/measure/ensemble.hpp"

#include "kind_parts.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>
#include <variant>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

/// A table with its units. Tables of a run have those of the kind that has the same columns.
Table readWithUnits(const std::string& path) {
  Table table =
      readTable(path, [](const Table& t, std::size_t k) { return t.columns[k].name == "run"; });
  for (const Kind* kind : extractorKinds()) {
    const std::vector<Column> known =
        kind->columns.empty() ? std::vector<Column>() : columnsFrom(kind->columns);
    if (std::ranges::equal(known, table.columns, {}, &Column::name, &Column::name))
      table.columns = known;
  }
  return table;
}

/// runs.csv beside the table or in one of the two folders above; empty where there is none.
std::string runsBeside(const std::string& table) {
  fs::path folder = fs::absolute(table).parent_path();
  for (int level = 0; level < 3; ++level, folder = folder.parent_path())
    if (isRegularFile(folder / "runs.csv")) return (folder / "runs.csv").string();
  return {};
}

struct Draw {
  double value = 0.0;
  bool censored = false;  ///< the true value is larger
};

/// Levels of a curve: those given, even steps from the least to the largest value, or the values.
std::vector<double> levelsOf(const ExceedanceOptions& options, const std::vector<Draw>& draws) {
  std::vector<double> levels = options.levels;
  if (levels.empty())
    for (const Draw& d : draws) levels.push_back(d.value);
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  if (options.bins == 0 || levels.empty() || !options.levels.empty()) return levels;
  const double low = levels.front(), high = levels.back(), n = static_cast<double>(options.bins);
  levels.clear();
  for (std::int64_t k = 0; k <= options.bins; ++k)
    levels.push_back(low + (high - low) * (static_cast<double>(k) / n));
  return levels;
}

/// Share of draws above a level, its standard error, and how many uncensored draws have that error.
struct Share {
  double p = notKnown, error = notKnown, draws = 0.0;
};

/// Shares after Kaplan and Meier: the product of 1 - d/n over the values up to the level, where d
/// of the n draws from a value on end there. The error is that of Greenwood, with n/(n - 1); for
/// draws that all end its square is p(1 - p)/(n - 1). Beyond a largest censored value: nan.
/// @param draws   by falling value
/// @param levels  rising
std::vector<Share> survival(const std::vector<Draw>& draws, const std::vector<double>& levels) {
  std::vector<Share> shares;
  const double n = static_cast<double>(draws.size());
  double left = n;  // draws from the next value on
  // The factors since the last censored draw are one quotient, so that K of N draws give K/N.
  double before = 1.0, leftBefore = left, p = left > 0.0 ? 1.0 : notKnown, scatter = 0.0;
  double alike = n;  // draws without censoring that have the error of p
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
      if (p == 1.0) alike = left;
      if (p > 0.0 && p < 1.0) alike = (1.0 - p) / (p * scatter);
    }
    if (draws.empty() || (level > draws.front().value && p > 0.0))
      shares.push_back({});
    else
      shares.push_back({p, n > 1.0 ? p * std::sqrt(scatter * n / (n - 1.0)) : notKnown, alike});
  }
  return shares;
}

/// The 95 % interval of a share of n draws (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927).
std::pair<double, double> interval(double p, double n) {
  if (std::isnan(p)) return {0.0, 1.0};
  if (!(n > 0.0)) return {notKnown, notKnown};
  constexpr double z = 1.959963984540054;
  const double middle = (p + 0.5 * z * z / n) / (1.0 + z * z / n),
               half = z / (1.0 + z * z / n) * std::sqrt(p * (1.0 - p) / n + 0.25 * z * z / (n * n));
  return {p > 0.0 ? std::max(0.0, middle - half) : 0.0,
          p < 1.0 ? std::min(1.0, middle + half) : 1.0};
}

}  // namespace

JoinedTable joinTables(const JoinOptions& options, Diagnostics& diagnostics) {
  JoinedTable joined;
  joined.runs = !options.runs.empty() ? options.runs : runsBeside(options.tables.front());
  Table runs;
  if (!joined.runs.empty()) {
    runs = readTable(joined.runs, [](const Table& t, std::size_t k) {
      return k == (t.has("run") ? t.column("run") : 0);
    });
    // The key comes first.
    const auto key = static_cast<std::ptrdiff_t>(runs.has("run") ? runs.column("run") : 0);
    std::rotate(runs.columns.begin(), runs.columns.begin() + key, runs.columns.begin() + key + 1);
    for (Row& row : runs.rows) std::rotate(row.begin(), row.begin() + key, row.begin() + key + 1);
  }
  std::map<std::string, const Row*> rowOf;
  std::set<std::string> used;
  for (const Row& row : runs.rows)
    if (!rowOf.emplace(keyOf(row[0]), &row).second)
      throw ModelError(
          fmt::format("{}: there are two rows for run '{}'", joined.runs, keyOf(row[0])));
  Table first;
  for (const std::string& path : options.tables) {
    const Table table = readWithUnits(path);
    if (first.columns.empty()) {
      first.columns = table.columns;
      joined.table.columns.push_back({"run", "-"});
      for (const Column& c : table.columns)
        if (c.name != "run") joined.table.columns.push_back(c);
      for (std::size_t k = 1; k < runs.columns.size(); ++k) {
        const Column& c = runs.columns[k];  // a name that the tables have, too, gets a prefix
        joined.table.columns.push_back({table.has(c.name) ? "run_" + c.name : c.name, c.unit});
      }
    } else if (!std::ranges::equal(table.columns, first.columns, {}, &Column::name,
                                   &Column::name)) {
      throw ModelError(fmt::format("{} has other columns than {}", path, options.tables.front()));
    }
    const std::size_t key = table.has("run") ? table.column("run") : table.columns.size();
    const fs::path place = fs::absolute(path);
    const std::string folder = place.parent_path().filename().string();
    const Cell named = rowOf.contains(keyOf(folder)) ? folder : place.stem().string();
    for (const Row& own : table.rows) {
      Row& row = joined.table.rows.emplace_back(Row{key < own.size() ? own[key] : named});
      for (std::size_t k = 0; k < own.size(); ++k)
        if (k != key) row.push_back(own[k]);
      if (joined.runs.empty()) continue;
      const auto found = rowOf.find(keyOf(row.front()));
      if (found == rowOf.end())
        throw ModelError(
            fmt::format("{}: there is no row for run '{}', to which the table {} belongs",
                        joined.runs, std::get<std::string>(row.front()), path));
      used.insert(found->first);
      row.front() = found->second->front();
      row.insert(row.end(), found->second->begin() + 1, found->second->end());
    }
  }
  if (used.size() < rowOf.size())
    diagnostics.warn(fmt::format("{}: {} of its runs have no row in these tables", joined.runs,
                                 rowOf.size() - used.size()));
  return joined;
}

Table exceedance(const Table& table, const ExceedanceOptions& options, Diagnostics& diagnostics) {
  Table out;
  if (!options.by.empty()) out.columns.push_back(table.columns[table.column(options.by)]);
  out.columns.push_back({"level", table.columns[table.column(options.of)].unit});
  for (const char* name : {"p", "error", "low", "high", "above", "n", "censored"})
    out.columns.push_back({name, "-"});
  // A body that has left, or moves still, would have gone on.
  constexpr std::array<std::string_view, 4> grow{"reach", "path", "drop", "tStop"};
  const bool grows = std::ranges::find(grow, options.of) != grow.end(),
             mayEnd = grows && table.has("end");
  if (grows && !mayEnd)
    diagnostics.warn(fmt::format(
        "{}: no column 'end': bodies that left, or moved still, count as if they had stopped",
        table.source));
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
  std::size_t unknown = 0;
  for (const Row& row : table.rows) {
    if (const auto* word = std::get_if<std::string>(&row[of]))
      throw ModelError(fmt::format("{}: column '{}' holds '{}', expected numbers", table.source,
                                   options.of, *word));
    const double value = numberOf(row[of]);
    const auto [place, isNew] =
        curveOf.emplace(curves ? keyOf(row[by]) : std::string(), all.size());
    if (isNew) all.push_back({curves ? row[by] : Cell(std::string()), {}});
    if (std::isnan(value))
      ++unknown;
    else
      all[place->second].draws.push_back({value, mayEnd && keyOf(row[end]) != "rest"});
  }
  if (unknown > 0)
    diagnostics.warn(fmt::format("{}: {} of {} rows have no value of '{}' and do not count",
                                 table.source, unknown, table.rows.size(), options.of));
  for (Curve& curve : all) {
    const std::vector<double> levels = levelsOf(options, curve.draws);
    if (options.total > 0 && curve.draws.size() > options.total)
      throw ModelError(fmt::format("{}: {} rows are more than --total {}", table.source,
                                   curve.draws.size(), options.total));
    curve.draws.resize(std::max(options.total, curve.draws.size()), {-HUGE_VAL, false});
    std::ranges::sort(curve.draws, std::greater<>(), &Draw::value);
    const auto censored = std::ranges::count_if(curve.draws, &Draw::censored);
    const std::vector<Share> shares = survival(curve.draws, levels);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const Share& share = shares[k];
      const auto [low, high] = interval(share.p, share.draws);
      const auto above = std::ranges::partition_point(
                             curve.draws, [&](const Draw& d) { return d.value > levels[k]; }) -
                         curve.draws.begin();
      out.rows.push_back(rowOf(curves ? Row{curve.name} : Row{}, levels[k], share.p, share.error,
                               low, high, above, curve.draws.size(), censored));
    }
  }
  return out;
}

}  // namespace scree::sim
