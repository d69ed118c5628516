// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of an ensemble against measurements: distances of distributions, likelihood, profiles.
#include "kind_parts.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/measure/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace scree::sim {
namespace {

/// A quantity that runs and measurements have.
struct ScoredQuantity {
  Column column;
  std::size_t own, other;            ///< places in the table of runs and in that of measurements
  std::optional<double> error = {};  ///< s.d. of a measurement
};
using ScoredRows = std::vector<std::vector<double>>;  ///< by row, by quantity

/// A point of the plan: the runs that have the same parameters.
struct PlanPoint {
  Row parameters;
  ScoredRows values = {};
};

/// "A=B" as A and B; "A" as A twice.
std::pair<std::string, std::string> pairFrom(const std::string& text) {
  const auto equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals == std::string::npos ? 0 : equals + 1)};
}

std::vector<ScoredQuantity> quantitiesOf(const Table& runs, const Table& measured,
                                         const ScoreOptions& options) {
  for (const auto* names : {&options.by, &options.columns})
    if (std::set(names->begin(), names->end()).size() < names->size())
      throw UsageError("--by and --column: a name stands there twice");
  std::vector<std::string> wanted = options.columns;
  if (wanted.empty())
    for (const auto& [name, unit] : runs.columns)
      if (name != "run" && measured.has(name) && std::ranges::count(options.by, name) == 0)
        wanted.push_back(name);
  if (wanted.empty())
    throw ModelError(fmt::format("{} and {} have no column in common; name them by --column",
                                 runs.source, measured.source));
  std::vector<ScoredQuantity> all;
  for (const std::string& text : wanted) {
    const auto [own, other] = pairFrom(text);
    all.push_back({runs.columns[runs.column(own)], runs.column(own), measured.column(other)});
  }
  for (const std::string& text : options.errors) {
    const auto [name, number] = pairFrom(text);
    const auto own =
        std::ranges::find(all, name, [](const ScoredQuantity& q) { return q.column.name; });
    const double value = parseNumber(number).value_or(notKnown);
    if (own == all.end() || !(value > 0.0) || !std::isfinite(value))
      throw UsageError(fmt::format(
          "--error: expected COLUMN=S of a compared column, S above 0, found '{}'", shown(text)));
    own->error = value;
  }
  if (!(options.outliers >= 0.0 && options.outliers < 1.0) ||
      (options.outliers > 0.0 && options.errors.empty()))
    throw UsageError("--outliers: expected a share from 0 to below 1, beside --error");
  return all;
}

/// Adds the quantities of a row, unless one of them is not known.
bool take(ScoredRows& values, const Row& row, const std::vector<ScoredQuantity>& quantities,
          std::size_t ScoredQuantity::*place) {
  std::vector<double> own;
  for (const ScoredQuantity& q : quantities) own.push_back(numberOf(row[q.*place]));
  if (!std::ranges::all_of(own, [](double v) { return std::isfinite(v); })) return false;
  values.push_back(std::move(own));
  return true;
}

std::vector<double> sortedColumn(const ScoredRows& rows, std::size_t column) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row[column]);
  std::ranges::sort(values);
  return values;
}

/// A value to sort by: what is not known comes last.
double lastIfUnknown(double value) { return std::isnan(value) ? HUGE_VAL : value; }

/// Mean and standard deviation of a sample.
std::pair<double, double> momentsOf(const std::vector<double>& sample) {
  const double n = static_cast<double>(sample.size());
  if (n < 2.0) return {sample.empty() ? notKnown : sample[0], notKnown};
  double sum = 0.0, squares = 0.0;
  for (const double x : sample) sum += x;
  for (const double x : sample) squares += (x - sum / n) * (x - sum / n);
  return {sum / n, std::sqrt(squares / (n - 1.0))};
}

/// Log-likelihood of measurements whose density is the mean of normal densities about the results
/// of the runs, but for a share of outliers, which are uniform over their range; and its standard
/// error, which the number of runs leaves.
std::pair<double, double> likelihood(const std::vector<ScoredQuantity>& quantities,
                                     const ScoredRows& runs, const ScoredRows& measured,
                                     double outliers) {
  if (runs.empty()) return {notKnown, notKnown};
  const double n = static_cast<double>(runs.size());
  double sum = 0.0, squares = 0.0, scale = portableLog((1.0 - outliers) / n),
         uniform = outliers > 0.0 ? portableLog(outliers) : -HUGE_VAL;
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    if (!quantities[k].error) continue;
    const std::vector<double> sorted = sortedColumn(measured, k);
    scale -= portableLog(*quantities[k].error * std::sqrt(2.0 * pi));
    uniform -= portableLog(sorted.back() - sorted.front());
  }
  std::vector<double> density(runs.size()), pull(runs.size(), 0.0);
  for (const auto& m : measured) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      density[i] = 0.0;
      for (std::size_t k = 0; k < quantities.size(); ++k) {
        const double off = (m[k] - runs[i][k]) / quantities[k].error.value_or(HUGE_VAL);
        density[i] -= 0.5 * off * off;
      }
    }
    // Relative to the largest term: far from all runs all are 0.
    const double most = std::max(std::ranges::max(density), uniform - scale);
    double total = portableExp(uniform - scale - most);
    for (double& d : density) total += d = portableExp(d - most);
    sum += most + portableLog(total) + scale;
    double mean = 0.0;
    for (const double d : density) mean += d / n;
    for (std::size_t i = 0; i < runs.size(); ++i) pull[i] += n * (density[i] - mean) / total;
  }
  for (const double p : pull) squares += p * p;
  return {sum, std::sqrt(squares / (n * (n - 1.0)))};
}

/// The best row of each value of a parameter, by rising value, with the weight of all its rows.
void reduceToProfile(Table& table, const std::string& name) {
  const std::size_t at = table.column(name), weight = table.columns.size() - 1;
  std::vector<Row> best;
  for (const Row& row : table.rows) {
    const auto same =
        std::ranges::find(best, keyOf(row[at]), [&](const Row& other) { return keyOf(other[at]); });
    if (same == best.end())
      best.push_back(row);
    else if (table.has("weight"))
      (*same)[weight] = numberOf((*same)[weight]) + numberOf(row[weight]);
  }
  std::ranges::stable_sort(best, {},
                           [&](const Row& row) { return lastIfUnknown(numberOf(row[at])); });
  table.rows = std::move(best);
}

}  // namespace

double wassersteinDistance(const std::vector<double>& a, const std::vector<double>& b) {
  double distance = a.empty() || b.empty() ? notKnown : 0.0, last = 0.0;
  double gap = 0.0;  // between the distribution functions, from the last value on
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const double next = j == b.size() || (i < a.size() && a[i] < b[j]) ? a[i] : b[j];
    distance += gap * (next - last);
    while (i < a.size() && a[i] == next) ++i;
    while (j < b.size() && b[j] == next) ++j;
    gap = std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                   static_cast<double>(j) / static_cast<double>(b.size()));
    last = next;
  }
  return distance;
}

Table score(const Table& runs, const Table& measurements, const ScoreOptions& options,
            Diagnostics& diagnostics) {
  const std::vector<ScoredQuantity> quantities = quantitiesOf(runs, measurements, options);
  Table out;
  std::vector<std::size_t> by;
  for (const std::string& name : options.by) by.push_back(runs.column(name));
  ScoredRows measured;
  std::size_t lost = 0, missing = 0, moving = 0;
  for (const Row& row : measurements.rows)
    lost += !take(measured, row, quantities, &ScoredQuantity::other);
  std::vector<PlanPoint> points;
  std::map<std::string, std::size_t> placeOf;
  for (const Row& row : runs.rows) {
    std::string key;
    for (const std::size_t k : by) key += keyOf(row[k]) + '\n';
    const auto [place, isNew] = placeOf.emplace(key, points.size());
    if (isNew) {
      points.emplace_back();
      for (const std::size_t k : by) points.back().parameters.push_back(row[k]);
    }
    missing += !take(points[place->second].values, row, quantities, &ScoredQuantity::own);
    moving += runs.has("end") && keyOf(row[runs.column("end")]) != "rest";
  }
  if (points.size() < 2)
    throw ModelError(
        fmt::format("{}: the runs do not differ in {}", runs.source, fmt::join(options.by, ", ")));
  const auto warn = [&](const Table& table, std::size_t count, const char* what) {
    if (count > 0)
      diagnostics.warn(
          fmt::format("{}: {} of {} rows {}", table.source, count, table.rows.size(), what));
  };
  warn(measurements, lost, "lack a value and do not count");
  warn(runs, missing, "lack a value and do not count");
  warn(runs, moving, "have an 'end' other than rest: their values count as they are");

  for (const std::size_t k : by) out.columns.push_back(runs.columns[k]);
  const auto column = [&](const std::string& name, const std::string& unit = "-") {
    out.columns.push_back({name, unit});
  };
  column("runs");
  std::vector<std::vector<double>> sorted;  // measurements by quantity
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const auto& [name, unit] = quantities[k].column;
    sorted.push_back(sortedColumn(measured, k));
    if (measured.size() < 2 || sorted[k].front() == sorted[k].back())
      throw ModelError(fmt::format("{}: expected two different measurements of '{}' or more",
                                   measurements.source, name));
    for (const char* figure : {"mean", "sd", "wasserstein"})
      column(fmt::format("{}.{}", name, figure), unit);
  }
  column("distance");
  const bool likely = !options.errors.empty();
  if (likely)
    for (const char* name : {"logLikelihood", "error", "weight"}) column(name);
  for (const PlanPoint& p : points) {
    Row& row = out.rows.emplace_back(rowOf(p.parameters, p.values.size()));
    double distance = 0.0;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      const std::vector<double> own = sortedColumn(p.values, k);
      const auto [mean, deviation] = momentsOf(own);
      const double apart = wassersteinDistance(own, sorted[k]);
      put(row, rowOf(mean, deviation, apart));
      distance += apart / momentsOf(sorted[k]).second;
    }
    row.emplace_back(distance / static_cast<double>(quantities.size()));
    if (!likely) continue;
    const auto [logLikelihood, error] =
        likelihood(quantities, p.values, measured, options.outliers);
    put(row, rowOf(logLikelihood, error, 0.0));
  }

  // The best one first.
  const std::size_t rank = out.column(likely ? "logLikelihood" : "distance");
  std::ranges::stable_sort(out.rows, {}, [&](const Row& row) {
    return lastIfUnknown((likely ? -1.0 : 1.0) * numberOf(row[rank]));
  });
  if (likely) {
    double total = 0.0;
    for (Row& row : out.rows) {
      const double off = numberOf(row[rank]) - numberOf(out.rows.front()[rank]),
                   weight = std::isnan(off) ? 0.0 : portableExp(off);
      row.back() = weight;
      total += weight;
    }
    for (Row& row : out.rows) row.back() = numberOf(row.back()) / total;
    for (std::size_t k = 0; k < by.size(); ++k) {
      double mean = 0.0, square = 0.0;
      for (const Row& row : out.rows) {
        mean += numberOf(row.back()) * numberOf(row[k]);
        square += numberOf(row.back()) * numberOf(row[k]) * numberOf(row[k]);
      }
      diagnostics.note(fmt::format("{}: {:.4g} +- {:.2g} by the weights", options.by[k], mean,
                                   std::sqrt(std::max(square - mean * mean, 0.0))));
    }
  }
  if (options.profile.empty()) return out;
  if (std::ranges::count(options.by, options.profile) == 0)
    throw UsageError(fmt::format("--profile: expected one of {}", fmt::join(options.by, " ")));
  reduceToProfile(out, options.profile);
  return out;
}

}  // namespace scree::sim
