// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/kinds.hpp"

#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace scree::sim {
namespace {

constexpr double int32Highest = std::numeric_limits<std::int32_t>::max();

UsageError expected(std::string_view name, std::string_view what, std::string_view found) {
  return UsageError(fmt::format("--{}: expected {}, found '{}'", name, what, shown(found)));
}

std::vector<std::string> partsOf(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const auto end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// Whole numbers and ranges, `3,4,7-9`, in the order given, each once.
std::vector<double> listOf(const KindOption& option, std::string_view text) {
  constexpr std::int64_t mostItems = 1'000'000;
  std::vector<double> items;
  std::set<std::int64_t> seen;
  for (const std::string& piece : partsOf(text, ',')) {
    // A sign may stand in front, so the dash of a range is the first one behind a digit.
    const auto dash = piece.find('-', 1);
    const auto first = parseInteger(piece.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parseInteger(piece.substr(dash + 1));
    if (!first || !last || static_cast<double>(*first) < option.least ||
        static_cast<double>(*last) > option.most || *last < *first || *last - *first >= mostItems)
      throw expected(option.name,
                     fmt::format("whole numbers from {} on, such as 3,4,7-9", option.least), text);
    for (std::int64_t k = *first; k <= *last; ++k)
      if (seen.insert(k).second) items.push_back(static_cast<double>(k));
  }
  return items;
}

std::vector<double> valuesOf(const KindOption& option, const std::string& text) {
  using Type = KindOption::Type;
  const auto number = [](const std::string& piece) {
    const auto value = parseNumber(piece);
    return value && std::isfinite(*value) ? *value : notKnown;
  };
  switch (option.type) {
    case Type::word:
      if (const auto words = partsOf(option.value, '|');
          std::ranges::find(words, text) == words.end())
        throw expected(option.name, fmt::format("one of {}", fmt::join(words, " ")), text);
      return {};
    case Type::number:
    case Type::positive: {
      const double value = number(text);
      if (!(option.type == Type::number ? std::isfinite(value) : value > 0.0))
        throw expected(option.name, option.type == Type::number ? "a number" : "a number above 0",
                       text);
      return {value};
    }
    case Type::whole: {
      const auto value = parseInteger(text);
      if (!value || static_cast<double>(*value) < option.least ||
          static_cast<double>(*value) > option.most)
        throw expected(option.name,
                       fmt::format("a whole number from {} to {}", option.least, option.most),
                       text);
      return {static_cast<double>(*value)};
    }
    case Type::numbers: {
      std::vector<double> values;
      for (const std::string& piece : partsOf(text, ',')) values.push_back(number(piece));
      const auto count =
          option.value.ends_with("...") ? values.size() : partsOf(option.value, ',').size();
      if (values.size() != count ||
          std::ranges::any_of(values, [](double v) { return std::isnan(v); }))
        throw expected(option.name,
                       fmt::format("numbers with commas between them, {}", option.value), text);
      return values;
    }
    case Type::list:
      return listOf(option, text);
    default:
      return {};
  }
}

// The kinds that a run records, too. `--body` and `--cluster` take lists here: then a column names
// the body or the cluster of a row.

bool isListed(const ExtractorParameter& p) { return p.name == "body" || p.name == "cluster"; }

std::vector<KindOption> optionsOf(const ExtractorKind& kind) {
  std::vector<KindOption> options;
  for (const ExtractorParameter& p : kind.parameters) {
    KindOption option{p.name, "N", p.help, KindOption::Type::number, p.onFiles};
    option.least = static_cast<double>(p.least);
    option.most = int32Highest;
    if (p.isWhole) option.type = KindOption::Type::whole;
    if (isListed(p)) {
      option.type = KindOption::Type::list;
      option.value = "LIST";
    }
    options.push_back(p.onFiles.empty() ? option.needed() : option);
  }
  return options;
}

Measure measureFrom(const ExtractorKind& kind, const KindOptions& options) {
  Extractor one{&kind, {}};
  for (const ExtractorParameter& p : kind.parameters) one.values.push_back(options.number(p.name));
  if (kind.parameters.empty() || !isListed(kind.parameters[0])) return measureOf(one);
  const std::vector<double>& numbers = options.numbers(kind.parameters[0].name);
  Measure measure = measureOf(one);
  if (numbers.size() == 1) return measure;
  measure.columns.insert(measure.columns.begin() + 1,
                         {one.is("ClusterAABB") ? "cluster" : "id", "-"});
  measure.rows = [one, numbers](const Instant& instant) {
    std::vector<Row> rows;
    Extractor part = one;
    for (const double number : numbers) {
      part.values[0] = number;
      for (Row& row : part.rows(instant)) {
        row.insert(row.begin() + 1, static_cast<std::int64_t>(number));
        rows.push_back(std::move(row));
      }
    }
    return rows;
  };
  return measure;
}

PlotColumns plotOf(std::string_view name) {
  if (name == "TrackBody" || name == "TrackRockfall")
    return {.x = "t", .y = {"x", "y", "z"}, .by = "id"};
  if (name == "ClusterAABB")
    return {.x = "t", .y = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}, .by = "cluster"};
  if (name == "dnStat") return {.x = "t", .y = {"dnMin", "dnMeanOverlap"}};
  if (name == "DuoBalance") return {.x = "t", .y = {"fn"}, .by = "type", .points = true};
  return {};
}

std::vector<Kind> allKinds() {
  std::vector<Kind> all;
  for (const ExtractorKind& kind : extractorKinds())
    if (kind.onFiles)
      all.push_back({kind.name, kind.help, optionsOf(kind),
                     [&kind](const KindOptions& o) { return measureFrom(kind, o); },
                     plotOf(kind.name)});
  for (auto* some :
       {stateKinds, tensorKinds, spaceKinds, fieldKinds, forceKinds, breakageKinds, rockfallKinds})
    for (Kind& kind : some()) all.push_back(std::move(kind));
  all.push_back(
      {"diff",
       "differences between two conf-files, or those of two runs, largest first",
       {{"tolerance", "T", "relative difference that is ignored", KindOption::Type::number, "0"},
        flag("first", "the first step that differs, found by running again")},
       nullptr,
       {.x = "body", .y = {"difference"}, .points = true}});
  all.push_back(
      {"exceedance",
       "share of the rows of tables in which a quantity exceeds a level, with its standard error",
       {text("of", "COLUMN", "the quantity").needed(),
        text("by", "COLUMN", "a curve for each of its values"),
        numbers("levels", "A,B,...", "the levels (all values that occur)").without("bins"),
        whole("bins", "equal steps from the smallest to the largest value", {}, 1, 1e6)},
       nullptr,
       {.x = "level", .y = {"p"}}});
  all.push_back({"quality",
                 "a row for each run: how it ended, its figures of quality, its findings",
                 {},
                 nullptr,
                 {.x = "t", .y = {"largestOverlap"}, .points = true}});
  all.push_back({"join",
                 "one table from those of an ensemble, with the columns of its runs.csv",
                 {text("runs", "FILE", "the table of runs (runs.csv beside the tables or above)")},
                 nullptr});
  return all;
}

}  // namespace

KindOptions::KindOptions(std::span<const KindOption> options,
                         const std::map<std::string, std::string>& given) {
  for (const auto& [name, value] : given)
    if (std::ranges::find(options, name, &KindOption::name) == options.end())
      throw UsageError(fmt::format("there is no option --{} of this kind", name));
  for (const KindOption& option : options) {
    const auto found = given.find(std::string(option.name));
    Value& value = values_[std::string(option.name)];
    value.isGiven = found != given.end();
    if (option.isNeeded && !value.isGiven)
      throw UsageError(fmt::format("--{} is needed: {}", option.name, option.help));
    value.text = value.isGiven ? found->second : std::string(option.otherwise);
    if (!value.isGiven && option.type == KindOption::Type::word)
      value.text = partsOf(option.value, '|').front();
    if (value.isGiven || !value.text.empty()) value.numbers = valuesOf(option, value.text);
  }
}

const KindOptions::Value& KindOptions::of(std::string_view name) const {
  static const Value none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

Selection KindOptions::selection() const {
  if (!has("select")) return {};
  try {
    return Selection(text("select"));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--select: {}", error.what()));
  }
}

std::any Series::measure(const Track&) const {
  throw UsageError("--track: this kind takes no tracks");
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = allKinds();
  return all;
}

const Kind& kindNamed(std::string_view name) {
  std::vector<std::string_view> have;
  for (const Kind& kind : kinds()) {
    if (kind.name == name) return kind;
    have.push_back(kind.name);
  }
  throw UsageError(fmt::format("unknown kind '{}'{}; kinds are {}", shown(name),
                               suggestion(name, have), fmt::join(have, " ")));
}

Measure measureOf(const Extractor& extractor) {
  return {.columns = extractor.columns(),
          .rows = [extractor](const Instant& instant) { return extractor.rows(instant); },
          .needsShapes = extractor.kind->needsShapes,
          .needsContacts = extractor.kind->needsContacts};
}

Table measured(std::string_view kind, const std::map<std::string, std::string>& options,
               const std::vector<const Instant*>& series) {
  const Kind& entry = kindNamed(kind);
  if (!entry.make) throw UsageError(fmt::format("{} measures no conf-files", kind));
  auto own = options;
  const auto columns = own.extract("columns");
  KindOptions values(entry.options, own);
  if (!columns.empty()) values.columns = partsOf(columns.mapped(), ',');
  const Measure measure = entry.make(values);
  Table table{std::string(kind), measure.columns, {}};
  for (const Instant* instant : series) {
    if (measure.series) {
      measure.series->take(measure.series->measure(*instant));
      continue;
    }
    for (Row& row : measure.rows(*instant)) table.rows.push_back(std::move(row));
  }
  if (measure.series) table.rows = measure.series->table();
  return table;
}

std::vector<char> chosenBodies(const Instant& instant, const Selection& selection, bool driven) {
  std::vector<char> chosen = selection.of(instant.conf(), instant.shapes());
  for (std::size_t k = 0; !driven && k < chosen.size() && instant.isDriven(k); ++k) chosen[k] = 0;
  return chosen;
}

double ballDiameter(double volume) { return portablePow(6.0 * volume / pi, 1.0 / 3.0); }

Vec3 upFrom(const Vec3& gravity) {
  const double size = gravity.norm();
  return size > 0.0 ? Vec3(-gravity / size) : Vec3(Vec3::UnitZ());
}

MapAxes::MapAxes(const Vec3& gravity) {
  Eigen::Index axis = 2;
  if (gravity.norm() > 0.0) gravity.cwiseAbs().maxCoeff(&axis);
  up = static_cast<int>(axis);
  sign = gravity[axis] > 0.0 ? -1.0 : 1.0;
  u = up == 0 ? 1 : 0;
  v = up == 2 ? 1 : 2;
}

}  // namespace scree::sim
