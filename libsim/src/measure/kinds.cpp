// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/kinds.hpp"

#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

UsageError expected(std::string_view name, std::string_view what, std::string_view found) {
  return UsageError(fmt::format("--{}: expected {}, found '{}'", name, what, shown(found)));
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
    default:
      return {};
  }
}

/// A kind whose rows follow from one file each.
class FileByFile : public Series {
 public:
  FileByFile(decltype(Kind::rows) rows, const KindOptions& options)
      : rows_(rows), options_(options) {}
  using Series::measure;
  std::any measure(const Instant& instant) const override { return rows_(instant, options_); }
  std::vector<Row> take(std::any& measured) override {
    return std::move(std::any_cast<std::vector<Row>&>(measured));
  }

 private:
  decltype(Kind::rows) rows_;
  KindOptions options_;
};

/// Kinds that read tables, or compare files: tools run them.
std::vector<Kind> tableKinds() {
  return {
      {.name = "diff",
       .help = "differences between two conf-files, or those of two runs, largest first",
       .options = {{"tolerance", "T", "relative difference that is ignored",
                    KindOption::Type::number, "0"},
                   flag("first", "the first step that differs, found by running again")},
       .plot = {.x = "body", .y = {"difference"}, .points = true}},
      {.name = "exceedance",
       .help = "share of the rows of tables in which a quantity exceeds a level, with its standard "
               "error",
       .options =
           {text("of", "COLUMN", "the quantity").needed(),
            text("by", "COLUMN", "a curve for each of its values"),
            numbers("levels", "A,B,...", "the levels (all values that occur)").without("bins"),
            whole("bins", "equal steps from the smallest to the largest value", {}, 1, 1e6),
            whole("total", "draws in all: those without a row exceed no level", {}, 1, 1e9)
                .without("by")},
       .plot = {.x = "level", .y = {"p"}}},
      {.name = "quality",
       .help = "a row for each run: how it ended, its figures of quality, its findings",
       .plot = {.x = "t", .y = {"largestOverlap"}, .points = true}},
      {.name = "join",
       .help = "one table from those of an ensemble, with the columns of its runs.csv",
       .options = {text("runs", "FILE",
                        "the table of runs (runs.csv beside the tables or above)")}},
      {.name = "score",
       .help = "runs of an ensemble against measurements: a row for each point of the plan, the "
               "best one first",
       .options = {
           text("against", "FILE", "the table of measurements").needed(),
           text("by", "COLUMN,...", "the parameters that tell the points of the plan apart")
               .needed(),
           text("column", "COLUMN[=MEASURED],...", "what is compared (all columns in common)"),
           text("error", "COLUMN=S,...",
                "standard deviation of a measurement, in the unit of the column, for likelihoods"),
           {"outliers", "SHARE", "measurements that no run explains, uniform over their range",
            KindOption::Type::number, "0"},
           text("profile", "COLUMN", "a row for each value of this parameter: its best point")}}};
}

}  // namespace

std::vector<std::string> partsOf(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const auto end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

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
  if (!has("select")) return;
  try {
    selection_ = Selection(text("select"));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--select: {}", error.what()));
  }
}

const KindOptions::Value& KindOptions::of(std::string_view name) const {
  static const Value none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::any Series::measure(const Track&) const {
  throw UsageError("--track: this kind takes no tracks");
}

std::shared_ptr<Series> Kind::over(const KindOptions& o) const {
  if (series != nullptr) return series(o);
  return std::make_shared<FileByFile>(rows, o);
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> made;
    for (auto* some : {runKinds, stateKinds, tensorKinds, spaceKinds, fieldKinds, forceKinds,
                       breakageKinds, rockfallKinds, tableKinds})
      for (Kind& kind : some()) made.push_back(std::move(kind));
    return made;
  }();
  return all;
}

const Kind& kindNamed(std::string_view name) {
  for (const Kind& kind : kinds())
    if (kind.name == name) return kind;
  const std::vector<std::string_view> have = namesOf(kinds());
  throw UsageError(fmt::format("unknown kind '{}'{}; kinds are {}", shown(name),
                               suggestion(name, have), fmt::join(have, " ")));
}

Table measured(std::string_view name, const std::map<std::string, std::string>& given,
               const std::vector<const Instant*>& instants) {
  const Kind& kind = kindNamed(name);
  if (!kind.measures()) throw UsageError(fmt::format("{} measures no conf-files", name));
  auto own = given;
  const auto columns = own.extract("columns");
  KindOptions options(kind.options, own);
  if (!columns.empty()) options.columns = partsOf(columns.mapped(), ',');
  Table table{std::string(name), kind.columnsFor(options), {}};
  const auto series = kind.over(options);
  for (const Instant* instant : instants) {
    std::any measured = series->measure(*instant);
    std::ranges::move(series->take(measured), std::back_inserter(table.rows));
  }
  std::ranges::move(series->finish(), std::back_inserter(table.rows));
  return table;
}

std::vector<char> chosenBodies(const Instant& instant, const KindOptions& options) {
  std::vector<char> chosen = options.selection().of(instant.conf(), instant.shapes());
  if (!options.has("driven"))
    std::fill_n(chosen.begin(), std::min<std::size_t>(instant.conf().nDriven, chosen.size()), 0);
  return chosen;
}

std::vector<char> freeBodies(const Instant& instant) {
  return chosenBodies(instant, KindOptions({}, {}));
}

bool actsOn(const Link& link, const std::vector<char>& chosen) {
  return (link.touches() || link.kind == Link::Kind::bond) &&
         (chosen[link.i] || (link.j != Link::none && chosen[link.j]));
}

std::string tensorColumns(std::string_view unit) {
  return fmt::format("xx:{0} xy:{0} xz:{0} yx:{0} yy:{0} yz:{0} zx:{0} zy:{0} zz:{0}", unit);
}

double ballDiameter(double volume) { return portablePow(6.0 * volume / pi, 1.0 / 3.0); }

double meanDiameter(const Instant& instant, const std::vector<char>& chosen) {
  double sum = 0.0, count = 0.0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    sum += ballDiameter(instant.volumes()[k]);
    count += 1.0;
  }
  return sum / count;
}

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
  north = up == 1 ? -sign : sign;
}

}  // namespace scree::sim
