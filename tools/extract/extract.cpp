// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"

#include "compare.hpp"
#include "diff.hpp"
#include "error_lines.hpp"
#include "inputs.hpp"
#include "kind.hpp"
#include "kinds/kinds.hpp"
#include "series.hpp"
#include "table_file.hpp"
#include "table_shape.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/extract/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

/// Kinds that the command line names and later versions have.
constexpr std::array<std::string_view, 4> planned{"surface", "field", "exceedance", "join"};

std::string optionText(const KindOption& o) {
  const std::string text =
      o.value.empty() ? fmt::format("--{}", o.name) : fmt::format("--{} {}", o.name, o.value);
  return o.needed ? ' ' + text : fmt::format(" [{}]", text);
}

std::string listText() {
  std::string text;
  for (const KindEntry& kind : allKinds()) {
    std::string options;
    for (const KindOption& o : kind.options) options += optionText(o);
    text += fmt::format("{:<28} {}\n", fmt::format("{}{}", kind.name, options), kind.help);
  }
  return text;
}

std::string listJson() {
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("kinds").beginArray();
  for (const KindEntry& kind : allKinds()) {
    json.newLine().beginObject().key("name").value(kind.name).key("options").beginArray();
    for (const KindOption& o : kind.options) json.value(o.name);
    json.end().key("help").value(kind.help).end();
  }
  return json.newLine().end().end().take() + '\n';
}

const KindEntry& kindNamed(const std::string& name) {
  std::vector<std::string_view> have, all;
  for (const KindEntry& kind : allKinds()) {
    if (kind.name == name) return kind;
    have.push_back(kind.name);
  }
  all = have;
  all.insert(all.end(), planned.begin(), planned.end());
  if (std::find(all.begin(), all.end(), name) != all.end())
    throw UsageError(
        fmt::format("{} is not available yet; kinds are {}", name, fmt::join(have, " ")));
  throw UsageError(fmt::format("unknown kind '{}'{}; kinds are {}", name, suggestion(name, all),
                               fmt::join(have, " ")));
}

void checkOptions(const KindEntry& entry, const ExtractOptions& options) {
  for (const auto& [name, value] : options.parameters)
    if (std::ranges::none_of(entry.options, [&](const KindOption& o) { return o.name == name; }))
      throw UsageError(fmt::format("{} has no option --{}", entry.name, name));
  for (const KindOption& o : entry.options)
    if (o.needed && !options.parameters.contains(std::string(o.name)))
      throw UsageError(fmt::format("{} needs --{}: {}", entry.name, o.name, o.help));
}

sim::TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common) {
  if (common.json && !options.format.empty() && options.format != "json")
    throw UsageError("--json and --format exclude each other");
  return sim::tableFormat(!options.format.empty() ? options.format : common.json ? "json" : "csv");
}

std::unique_ptr<Kind> makeKind(const KindEntry& entry, const ExtractOptions& options) {
  auto values = options.parameters;
  if (!options.columns.empty()) values["columns"] = options.columns;  // `bodies` computes no others
  return entry.make(KindOptions(std::move(values)));
}

sim::TableHeader headerOf(const TableShape& shape, const ExtractOptions& options) {
  return {fmt::format("extract {} (Scree)", version()), options.command, shape.columns()};
}

/// Measures `files` into one table for each kind. @returns the exit code
int writeTables(const std::vector<const Kind*>& kinds, const std::vector<TableShape>& shapes,
                const std::vector<std::unique_ptr<TableFile>>& tables,
                const std::vector<std::string>& files, const ExtractOptions& options,
                const CommonOptions& common, Diagnostics& diagnostics) {
  std::vector<std::vector<sim::Row>> raw(kinds.size());
  const auto write = [&](std::size_t k, std::vector<sim::Row> rows) {
    for (sim::Row& row : rows) tables[k]->row(shapes[k](std::move(row)));
  };
  SeriesOptions series{threadCount(common.jobs), {}, progressBar(common, "extract")};
  if (options.append && tables.front()->lastTime())
    series.skip = [last = *tables.front()->lastTime()](double t) { return !(t > last); };
  const SeriesOutcome outcome = measureSeries(
      kinds, files, series, diagnostics, [&](std::size_t k, std::vector<sim::Row> rows) {
        if (!kinds[k]->joins()) return write(k, std::move(rows));
        raw[k].insert(raw[k].end(), std::make_move_iterator(rows.begin()),
                      std::make_move_iterator(rows.end()));
      });
  printErrors("extract", outcome.damaged, common);
  if (outcome.measured == 0 && outcome.ofMachine)
    throw IoError(fmt::format("none of the {} conf-files can be measured", files.size()));
  if (outcome.measured == 0)
    throw ModelError(fmt::format("none of the {} conf-files can be measured", files.size()));
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k]->joins()) write(k, kinds[k]->joined(std::move(raw[k])));
    tables[k]->finish();
  }
  printWarnings(diagnostics, common);
  if (!outcome.damaged.empty())
    say(common, fmt::format("{} of {} conf-files passed over, the rest is measured",
                            outcome.damaged.size(), files.size()));
  if (outcome.ofMachine) return 4;
  return outcome.damaged.empty() ? 0 : 3;
}

int extractScript(const ExtractOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  if (!options.parameters.empty())
    throw UsageError(
        fmt::format("--{} and --script exclude each other", options.parameters.begin()->first));
  const auto format = sim::tableFormat(options.format.empty() ? "txt" : options.format);
  const auto files = conffilesOf(options.words);
  TextReader in = TextReader::fromFile(options.script);
  const auto lines = sim::readDataExtractors(in, diagnostics);
  if (lines.empty())
    diagnostics.warn(fmt::format("{}: there is no extractor in it", options.script));

  const std::filesystem::path folder = options.output.empty() ? "." : options.output;
  std::vector<std::unique_ptr<Kind>> kinds;
  std::vector<const Kind*> pointers;
  std::vector<TableShape> shapes;
  std::vector<std::unique_ptr<TableFile>> tables;
  for (const auto& line : lines) {
    kinds.push_back(kindOf(line.extractor));
    pointers.push_back(kinds.back().get());
    shapes.emplace_back(kinds.back()->columns(), options.add, options.columns, options.digits);
    tables.push_back(std::make_unique<TableFile>(
        (options.output.empty() ? std::filesystem::path(line.file) : folder / line.file).string(),
        headerOf(shapes.back(), options),
        TableFile::Options{format, common.existing(), options.append}));
  }
  return writeTables(pointers, shapes, tables, files, options, common, diagnostics);
}

/// `extract diff A B`: 3 where they differ, as `rockable --replay`.
int extractDiff(const ExtractOptions& options, const CommonOptions& common) {
  if (options.words.size() != 3)
    throw UsageError("diff: expected two conf-files or two folders of runs");
  const KindOptions own(options.parameters);
  DiffOptions wanted;
  wanted.a = options.words[1];
  wanted.b = options.words[2];
  wanted.tolerance = own.number("tolerance", 0.0);
  if (wanted.tolerance < 0.0) throw UsageError("--tolerance: expected a number of at least 0");
  wanted.first = own.has("first");
  wanted.threads = threadCount(common.jobs);
  const TableShape shape(differenceColumns(), options.add, options.columns, options.digits);
  TableFile table(options.output.empty() ? "-" : options.output, headerOf(shape, options),
                  {formatOf(options, common), common.existing(), false});
  Diagnostics diagnostics(common.strict);
  const DiffOutcome outcome = diff(wanted, diagnostics);
  for (const sim::Row& row : outcome.rows) table.row(shape(row));
  table.finish();
  printWarnings(diagnostics, common);
  if (!outcome.alone.empty())
    say(common, fmt::format("{} conf-files stand in one of the folders alone, such as {}",
                            outcome.alone.size(), outcome.alone.front()));
  if (outcome.stepsRerun > 0)
    say(common, fmt::format("{} steps of each run were computed again", outcome.stepsRerun));
  return outcome.rows.empty() ? 0 : 3;
}

}  // namespace

int extract(const ExtractOptions& options, const CommonOptions& common) {
  if (options.list) {
    printResult(common.json ? listJson() : listText());
    return 0;
  }
  if (!options.script.empty()) return extractScript(options, common);
  if (options.words.empty()) throw UsageError("no kind given; extract --list shows the kinds");

  const KindEntry& entry = kindNamed(options.words.front());
  checkOptions(entry, options);
  if (entry.make == nullptr) return extractDiff(options, common);
  const std::unique_ptr<Kind> kind = makeKind(entry, options);
  if (options.append && kind->joins())
    throw UsageError(fmt::format("--append: {} needs the whole series at once", entry.name));
  const auto format = formatOf(options, common);
  std::vector<TableShape> shapes;
  shapes.emplace_back(kind->columns(), options.add, options.columns, options.digits);
  const auto files = conffilesOf({options.words.begin() + 1, options.words.end()});
  std::vector<std::unique_ptr<TableFile>> tables;
  tables.push_back(std::make_unique<TableFile>(
      options.output.empty() ? "-" : options.output, headerOf(shapes.front(), options),
      TableFile::Options{format, common.existing(), options.append}));
  Diagnostics diagnostics(common.strict);
  return writeTables({kind.get()}, shapes, tables, files, options, common, diagnostics);
}

}  // namespace scree::tools
