// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds that a run records, too. `--body` and `--cluster` take lists here: then a column names
// the body or the cluster of a row.
#include "kinds.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace scree::tools {
namespace {

using sim::AnyExtractor;

class RunKind : public Kind {
 public:
  struct Part {
    std::int64_t number = 0;  ///< of the body or the cluster
    AnyExtractor extractor;
  };
  RunKind(std::vector<Part> parts, std::string numbered)
      : parts_(std::move(parts)), numbered_(std::move(numbered)) {}

  std::vector<sim::Column> columns() const override {
    auto columns = sim::columnsOf(parts_.front().extractor);
    if (!numbered_.empty()) columns.insert(columns.begin() + 1, {numbered_, "-"});
    return columns;
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    std::vector<sim::Row> rows;
    for (const Part& part : parts_)
      for (sim::Row& row : sim::rowsOf(part.extractor, instant.snapshot())) {
        if (!numbered_.empty()) {
          row.emplace_back(part.number);
          std::rotate(row.begin() + 1, row.end() - 1, row.end());
        }
        rows.push_back(std::move(row));
      }
    return rows;
  }
  bool needsShapes() const override { return sim::needsShapes(parts_.front().extractor); }
  bool needsContacts() const override {
    return !std::holds_alternative<sim::ClusterAABB>(parts_.front().extractor) &&
           !std::holds_alternative<sim::MeanVelocity>(parts_.front().extractor);
  }

 private:
  std::vector<Part> parts_;
  std::string numbered_;  ///< name of the column with Part::number; empty: none
};

/// The extractor that the options describe: the same reader as that of dataExtractors.txt.
AnyExtractor extractorFrom(const sim::ExtractorKind& kind, const KindOptions& options,
                           const std::string& listed, std::int64_t number) {
  std::string words;
  for (const auto& p : kind.parameters) {
    const std::string name(p.name);
    const std::string value =
        name == listed ? std::to_string(number) : options.text(name, std::string(p.onFiles));
    // Each value is one number; anything else would shift those that follow.
    if (!parseNumber(value))
      throw UsageError(fmt::format("--{}: expected a number, found '{}'", name, shown(value)));
    words += value + ' ';
  }
  try {
    TextReader in("command line", words);
    return kind.read(in);
  } catch (const ParseError& error) {
    const std::string what = error.what();  // without the place: there is no file
    throw UsageError(what.substr(what.find(": ") + 2));
  }
}

std::unique_ptr<Kind> makeRunKind(const sim::ExtractorKind& kind, const KindOptions& options) {
  for (const auto& p : kind.parameters)
    if (p.onFiles.empty() && !options.has(std::string(p.name)))
      throw UsageError(fmt::format("{} needs --{}: the {}", kind.name, p.name, p.help));
  std::string listed;
  for (const auto& p : kind.parameters)
    if (p.name == "body" || p.name == "cluster") listed = p.name;
  std::vector<RunKind::Part> parts;
  if (listed.empty()) {
    parts.push_back({0, extractorFrom(kind, options, "", 0)});
  } else {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const bool negative = listed == "cluster";
    for (const std::int64_t k : options.list(
             listed, negative ? std::numeric_limits<std::int32_t>::min() : std::int64_t{0}, most))
      parts.push_back({k, extractorFrom(kind, options, listed, k)});
  }
  const std::string numbered = parts.size() < 2 ? "" : listed == "body" ? "id" : "cluster";
  return std::make_unique<RunKind>(std::move(parts), numbered);
}

template <std::size_t k>
std::unique_ptr<Kind> makeNth(const KindOptions& options) {
  return makeRunKind(sim::extractorKinds()[k], options);
}

using Maker = std::unique_ptr<Kind> (*)(const KindOptions&);
template <std::size_t... K>
constexpr auto makersOf(std::index_sequence<K...>) {
  return std::array<Maker, sizeof...(K)>{makeNth<K>...};
}
constexpr auto makers =
    makersOf(std::make_index_sequence<std::variant_size_v<sim::AnyExtractor>>{});

/// What `--plot` shows of an extractor.
PlotColumns plotOf(std::string_view name) {
  if (name == "TrackBody" || name == "TrackRockfall")
    return {.x = "t", .y = {"x", "y", "z"}, .by = "id"};
  if (name == "ClusterAABB")
    return {.x = "t", .y = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}, .by = "cluster"};
  if (name == "dnStat") return {.x = "t", .y = {"dnMin", "dnMeanOverlap"}};
  if (name == "DuoBalance") return {.x = "t", .y = {"fn"}, .by = "type", .points = true};
  return {};
}

}  // namespace

std::unique_ptr<Kind> kindOf(const sim::AnyExtractor& extractor) {
  std::vector<RunKind::Part> parts;
  parts.push_back({0, extractor});
  return std::make_unique<RunKind>(std::move(parts), "");
}

std::vector<KindEntry> runKinds() {
  std::vector<KindEntry> kinds;
  for (std::size_t k = 0; k < sim::extractorKinds().size() && k < makers.size(); ++k) {
    const sim::ExtractorKind& kind = sim::extractorKinds()[k];
    KindEntry entry{kind.name, kind.help, {}, makers[k], plotOf(kind.name)};
    for (const auto& p : kind.parameters) {
      const bool listed = p.name == "body" || p.name == "cluster";
      entry.options.push_back({p.name, listed ? "LIST" : "N", p.help, p.onFiles.empty()});
    }
    kinds.push_back(std::move(entry));
  }
  return kinds;
}

}  // namespace scree::tools
