// SPDX-License-Identifier: GPL-3.0-or-later
// Values that vary in a study: read from options, and drawn for each run.
#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/study/study.hpp"

#include <boost/random/sobol.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace scree::sim {
namespace {

constexpr std::int64_t mostRuns = 1'000'000;

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

Texts textsOf(const Numbers& numbers) {
  Texts texts;
  for (const double number : numbers) texts.push_back(fmt::format("{}", number));
  return texts;
}

Variation oneOf(Texts names, std::vector<Texts> rows) {
  const std::size_t n = rows.size();
  return {std::move(names), n, 1, [rows = std::move(rows)](std::span<const double> u) {
            const auto k = static_cast<std::size_t>(u[0] * static_cast<double>(rows.size()));
            return rows[std::min(k, rows.size() - 1)];
          }};
}

Variation uniform(const Texts& names, const Numbers& low, const Numbers& high) {
  return {names, 0, low.size(), [low, high](std::span<const double> u) {
            Numbers x;
            for (std::size_t k = 0; k < low.size(); ++k)
              x.push_back(low[k] + u[k] * (high[k] - low[k]));
            return textsOf(x);
          }};
}

/// The number below which a standard normal number is with probability p: bisection of the series
/// φ(x) (x + x³/3 + x⁵/(3 5) + ...), of error 1e-16 / φ(x).
double normalQuantile(double p) {
  double low = -9.0, high = 9.0;
  for (int step = 0; step < 60; ++step) {
    const double x = 0.5 * (low + high);
    double term = x, sum = 0.0;
    for (int k = 3; std::abs(term) > 1e-17 * std::abs(sum); k += 2) {
      sum += term;
      term *= x * x / k;
    }
    (0.5 + portableExp(-0.5 * x * x) / std::sqrt(2.0 * pi) * sum < p ? low : high) = x;
  }
  return 0.5 * (low + high);
}

/// Values between separators that are all numbers; else nothing.
Numbers numbersOf(const std::string& text, char separator) {
  Numbers numbers;
  for (const std::string& part : partsOf(text, separator)) {
    const auto number = parseNumber(part);
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// Columns of a table: those of these names; without any all but `run`.
Variation fromTable(const std::string& path, Texts names = {}) {
  const Table table = readTable(path, [](const Table&, std::size_t) { return true; });
  if (names.empty())
    for (const Column& column : table.columns)
      if (column.name != "run") names.push_back(column.name);
  std::vector<Texts> rows(table.rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const std::string& name : names)
      rows[r].push_back(std::get<std::string>(table.cell(r, name)));
  if (rows.empty() || names.empty())
    throw ModelError(fmt::format("{}: expected a table with a row for each point", path));
  return oneOf(std::move(names), std::move(rows));
}

/// Number of runs of a plan. @throws UsageError
std::size_t countOf(const StudyPlan& plan, bool isGrid) {
  double n = isGrid ? 1.0 : static_cast<double>(plan.runs.value_or(0));
  if (!isGrid && !plan.runs)
    throw UsageError("--runs N: how many runs are to be drawn? A grid needs --vary with values");
  for (const Variation& v : plan.variations) {
    if (isGrid && v.points == 0)
      throw UsageError(fmt::format("{}: a grid has no distributions; --plan random or sobol has",
                                   v.names.front()));
    if (isGrid) n *= static_cast<double>(v.points);
  }
  if (isGrid && plan.runs && static_cast<double>(*plan.runs) != n)
    throw UsageError(fmt::format("--runs {}: the grid has {} points", *plan.runs, n));
  if (!(n >= 1.0 && n <= static_cast<double>(mostRuns)))
    throw UsageError(fmt::format("--runs: expected 1 to {} runs, found {:g}", mostRuns, n));
  return static_cast<std::size_t>(n);
}

}  // namespace

Variation variationFrom(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos && text.ends_with(".csv")) return fromTable(text);
  const Texts name{text.substr(0, equals)};
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1),
                    word = value.substr(0, value.find(':') + 1);
  const auto refuse = [&](const std::string& expected) {
    return UsageError(fmt::format("--vary {}: expected {}", text, expected));
  };
  if (name[0].empty() || value.empty())
    throw refuse("NAME=FROM:TO:N, NAME=normal:MEAN,SD, NAME=uniform:A,B, NAME=A,B,... or FILE.csv");
  if (word == "uniform:" || word == "normal:") {
    const Numbers v = numbersOf(value.substr(word.size()), ',');
    if (v.size() != 2 || !(v[1] > (word == "normal:" ? 0.0 : v[0])))
      throw refuse(word == "normal:" ? "a mean and a standard deviation above 0" : "A below B");
    if (word == "uniform:") return uniform(name, {v[0]}, {v[1]});
    return {name, 0, 1, [v](std::span<const double> u) {
              return textsOf({v[0] + v[1] * normalQuantile(u[0])});
            }};
  }
  std::vector<Texts> rows;
  if (const Numbers v = numbersOf(value, ':'); v.size() == 3) {
    if (!(v[2] >= 1.0 && v[2] <= static_cast<double>(mostRuns) && v[2] == std::floor(v[2])))
      throw refuse(fmt::format("1 to {} values", mostRuns));
    for (double k = 0.0; k < v[2]; ++k) {
      const double share = k / std::max(v[2] - 1.0, 1.0);
      rows.push_back(textsOf({share == 1.0 ? v[1] : tableTime(v[0] + share * (v[1] - v[0]))}));
    }
  } else {
    for (const std::string& part : partsOf(value, ',')) rows.push_back({part});
  }
  return oneOf(name, std::move(rows));
}

Variation valuesFrom(const std::string& option, const std::string& text, const Texts& names,
                     std::uint64_t seed) {
  const bool rotations = names.size() == 4;
  const auto rotation = [](const Quat& q) { return textsOf({q.w(), q.x(), q.y(), q.z()}); };
  if (rotations && text == "random")
    return {names, 0, 3, [rotation](std::span<const double> u) {
              return rotation(rotationOf(u[0], u[1], u[2]));
            }};
  std::vector<Texts> rows;
  if (const auto n = parseInteger(text); rotations && n) {
    if (*n < 1 || *n > mostRuns)
      throw UsageError(fmt::format("{} {}: expected 1 to {}", option, *n, mostRuns));
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(*n); ++k)
      rows.push_back(rotation(Rng(mixedSeed(seed, {k, 3})).orientation()));
    return oneOf(names, std::move(rows));
  }
  if (!rotations && text.starts_with("box:")) {
    const Numbers v = numbersOf(text.substr(4), ',');
    if (v.size() != 6)
      throw UsageError(fmt::format("{} {}: expected box:X1,Y1,Z1,X2,Y2,Z2", option, shown(text)));
    return uniform(names, {v[0], v[1], v[2]}, {v[3], v[4], v[5]});
  }
  Variation given = numbersOf(text, ',').size() == names.size() ? oneOf(names, {partsOf(text, ',')})
                                                                : fromTable(text, names);
  if (rotations)  // those of a user may have few digits, and --strict asks for unit quaternions
    given.at = [rotation, at = std::move(given.at)](std::span<const double> u) {
      const Texts texts = at(u);
      const Numbers v = numbersOf(fmt::format("{}", fmt::join(texts, " ")), ' ');
      const Quat q = v.size() == 4 ? Quat(v[0], v[1], v[2], v[3]) : Quat(0, 0, 0, 0);
      // Others are refused where the conf-file is read.
      return q.norm() > 1e-6 ? rotation(q.normalized()) : texts;
    };
  return given;
}

Table runsOf(const StudyPlan& request) {
  const auto& variations = request.variations;
  const bool points =
      !variations.empty() &&
      std::ranges::none_of(variations, [](const Variation& v) { return v.points == 0; });
  const Plan plan = request.plan.value_or(points ? Plan::grid : Plan::random);
  const std::size_t n = countOf(request, plan == Plan::grid);
  Table table{"runs.csv", {{"run", ""}, {"seed", ""}}, {}};
  std::set<std::string> seen{"run"};
  std::size_t dimensions = 0;
  for (const Variation& v : variations) {
    dimensions += v.coordinates;
    for (const std::string& name : v.names) {
      if (name.find_first_of("@,\"\n") != std::string::npos || !seen.insert(name).second)
        throw UsageError(fmt::format("--vary: '{}' varies twice, or is no name", shown(name)));
      if (name != "seed") table.columns.push_back({name, ""});
    }
  }
  boost::random::sobol sobol(std::max<std::size_t>(dimensions, 1));
  Numbers point(dimensions);
  for (std::size_t run = 0; run < n; ++run) {
    Row& row = table.rows.emplace_back();
    row.emplace_back(fmt::format("{:04}", run + 1));
    row.emplace_back(std::to_string(mixedSeed(request.seed, {run, 0}) >> 11));
    Rng rng(mixedSeed(request.seed, {run, 1}));
    for (std::size_t k = 0; k < dimensions; ++k) {
      const std::uint64_t bits = plan == Plan::sobol && run > 0 ? sobol() : 0;  // it begins at 0
      point[k] = plan == Plan::sobol
                     ? static_cast<double>((bits ^ mixedSeed(request.seed, {k, 2})) >> 11) * 0x1p-53
                     : rng.uniform();
    }
    std::span<const double> u = point;
    std::size_t period = n, rest = run;
    for (const Variation& v : variations) {
      if (plan == Plan::grid) {
        period /= v.points;
        point[0] = (static_cast<double>(rest / period) + 0.5) / static_cast<double>(v.points);
        rest %= period;
      }
      const Texts texts = v.at(plan == Plan::grid ? std::span<const double>(point) : u);
      u = u.subspan(v.coordinates);
      for (std::size_t k = 0; k < texts.size(); ++k) {
        if (texts[k].empty() || texts[k].find_first_of("\n\r@") != std::string::npos)
          throw UsageError(
              fmt::format("--vary {}: expected a value, found '{}'", v.names[k], shown(texts[k])));
        (v.names[k] == "seed" ? row[1] : row.emplace_back()) = texts[k];
      }
    }
  }
  return table;
}

}  // namespace scree::sim
