// SPDX-License-Identifier: GPL-3.0-or-later
#include "exceedance.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace scree::tools {
namespace {

struct Draw {
  double value = 0.0;
  std::size_t together = 0;  ///< number of the draw it belongs to
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

/// Counts of rows above a level that falls, kept as sums: O(rows) for all levels of a curve.
class Above {
 public:
  /// @param draws  by falling value
  Above(const std::vector<Draw>& draws, std::size_t groups)
      : draws_(draws), rows_(groups, 0.0), above_(groups, 0.0) {
    for (const Draw& d : draws) rows_[d.together] += 1.0;
    for (const double n : rows_) squaredRows_ += n * n;
  }
  void fallTo(double level) {
    for (; count_ < draws_.size() && draws_[count_].value > level; ++count_) {
      const std::size_t c = draws_[count_].together;
      squared_ += 2.0 * above_[c] + 1.0;
      mixed_ += rows_[c];
      above_[c] += 1.0;
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  double share() const { return static_cast<double>(count_) / static_cast<double>(draws_.size()); }
  /// Of the share; nan for a single draw.
  double error() const {
    const double c = static_cast<double>(rows_.size()), n = static_cast<double>(draws_.size()),
                 p = share();
    if (!(c > 1.0)) return std::numeric_limits<double>::quiet_NaN();
    const double scatter = squared_ - 2.0 * p * mixed_ + p * p * squaredRows_;
    return std::sqrt(c / (c - 1.0) * std::max(0.0, scatter)) / n;
  }

 private:
  const std::vector<Draw>& draws_;
  std::vector<double> rows_, above_;  // n_c and k_c
  std::size_t count_ = 0;
  double squared_ = 0.0, mixed_ = 0.0, squaredRows_ = 0.0;  // Σk², Σkn, Σn²
};

}  // namespace

std::vector<sim::Column> Exceedance::columns(const ReadTable& table) const {
  std::vector<sim::Column> columns;
  if (!options_.by.empty()) columns.push_back(table.columns[table.column(options_.by)]);
  columns.push_back({"level", table.columns[table.column(options_.of)].unit});
  for (const char* name : {"p", "error", "above", "n"}) columns.push_back({name, "-"});
  return columns;
}

std::vector<sim::Row> Exceedance::rows(const ReadTable& table) const {
  const std::size_t of = table.column(options_.of);
  const bool curves = !options_.by.empty(), grouped = !options_.together.empty();
  const std::size_t by = curves ? table.column(options_.by) : 0,
                    together = grouped ? table.column(options_.together) : 0;
  struct Curve {
    sim::Cell name;
    std::vector<Draw> draws;
    std::map<std::string, std::size_t> numbers;  // of draws, by key
  };
  std::vector<Curve> all;
  std::map<std::string, std::size_t> curveOf;
  for (const sim::Row& row : table.rows) {
    if (const auto* word = std::get_if<std::string>(&row[of]))
      throw ModelError(fmt::format("{}: column '{}' holds '{}', expected numbers", table.source,
                                   options_.of, *word));
    const double value = numberOf(row[of]);
    const auto [place, isNew] =
        curveOf.emplace(curves ? keyOf(row[by]) : std::string(), all.size());
    if (isNew) all.push_back({curves ? row[by] : sim::Cell(std::string()), {}, {}});
    if (std::isnan(value)) continue;
    Curve& curve = all[place->second];
    const std::size_t number =
        grouped ? curve.numbers.emplace(keyOf(row[together]), curve.numbers.size()).first->second
                : curve.draws.size();
    curve.draws.push_back({value, number});
  }
  std::vector<sim::Row> rows;
  for (Curve& curve : all) {
    const std::vector<double> levels = levelsOf(options_, curve.draws);
    std::ranges::sort(curve.draws, std::greater<>(), &Draw::value);
    Above above(curve.draws, grouped ? curve.numbers.size() : curve.draws.size());
    const std::size_t begin = rows.size();
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      above.fallTo(*level);
      sim::Row row;
      if (curves) row.push_back(curve.name);
      for (const double number : {*level, above.share(), above.error()}) row.emplace_back(number);
      row.emplace_back(above.count());
      row.emplace_back(static_cast<std::int64_t>(curve.draws.size()));
      rows.push_back(std::move(row));
    }
    std::reverse(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.end());
  }
  return rows;
}

}  // namespace scree::tools
