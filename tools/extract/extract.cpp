// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"

#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/extract/extractors.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>

namespace scree::tools {
namespace {

using sim::AnyExtractor;

/// Kinds that the command line names and later versions have.
constexpr std::array<std::string_view, 17> planned{
    "bodies",    "contacts", "energy", "balance", "coordination", "forces",
    "stress",    "fabric",   "walls",  "profile", "porosity",     "gr",
    "fragments", "sieve",    "runout", "impacts", "reach"};
constexpr std::array<std::string_view, 3> plannedToo{"macro", "diff", "join"};

std::string listText() {
  std::string text;
  for (const sim::ExtractorKind& kind : sim::extractorKinds()) {
    std::string options;
    for (const auto& p : kind.parameters)
      options +=
          p.onFiles.empty() ? fmt::format(" --{} N", p.name) : fmt::format(" [--{} N]", p.name);
    text += fmt::format("{:<28} {}\n", fmt::format("{}{}", kind.name, options), kind.help);
  }
  return text;
}

std::string listJson() {
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("kinds").beginArray();
  for (const sim::ExtractorKind& kind : sim::extractorKinds()) {
    json.newLine().beginObject().key("name").value(kind.name).key("options").beginArray();
    for (const auto& parameter : kind.parameters) json.value(parameter.name);
    json.end().key("help").value(kind.help).end();
  }
  return json.newLine().end().end().take() + '\n';
}

const sim::ExtractorKind& kindNamed(const std::string& name) {
  if (const sim::ExtractorKind* kind = sim::findExtractorKind(name)) return *kind;
  std::vector<std::string_view> have, all;
  for (const sim::ExtractorKind& kind : sim::extractorKinds()) have.push_back(kind.name);
  all = have;
  all.insert(all.end(), planned.begin(), planned.end());
  all.insert(all.end(), plannedToo.begin(), plannedToo.end());
  if (std::find(all.begin(), all.end(), name) != all.end())
    throw UsageError(
        fmt::format("{} is not available yet; kinds are {}", name, fmt::join(have, " ")));
  throw UsageError(fmt::format("unknown kind '{}'{}; kinds are {}", name, suggestion(name, all),
                               fmt::join(have, " ")));
}

/// The extractor that the options describe: the same reader as that of dataExtractors.txt.
AnyExtractor extractorFrom(const sim::ExtractorKind& kind, const ExtractOptions& options) {
  std::string words;
  std::set<std::string_view> own;
  for (const auto& p : kind.parameters) {
    own.insert(p.name);
    const auto given = options.parameters.find(std::string(p.name));
    if (given == options.parameters.end() && p.onFiles.empty())
      throw UsageError(fmt::format("{} needs --{}: the {}", kind.name, p.name, p.help));
    const std::string value(given == options.parameters.end() ? p.onFiles : given->second);
    // Each value is one number; anything else would shift those that follow.
    if (!parseNumber(value))
      throw UsageError(fmt::format("--{}: expected a number, found '{}'", p.name, value));
    words += value + ' ';
  }
  for (const auto& [name, value] : options.parameters)
    if (!own.contains(name))
      throw UsageError(fmt::format("{} has no option --{}", kind.name, name));
  try {
    TextReader in("command line", words);
    return kind.read(in);
  } catch (const ParseError& error) {
    const std::string what = error.what();  // without the place: there is no file
    throw UsageError(what.substr(what.find(": ") + 2));
  }
}

struct AddedColumn {
  sim::Column column;
  sim::Cell value;
};

std::vector<AddedColumn> addedColumns(const ExtractOptions& options) {
  std::vector<AddedColumn> added;
  for (const std::string& text : options.add) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto good = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    if (equals == std::string::npos || name.empty() || !std::all_of(name.begin(), name.end(), good))
      throw UsageError(fmt::format(
          "--add '{}': expected NAME=VALUE, NAME of letters, digits, '_' and '.'", text));
    const std::string value = text.substr(equals + 1);
    if (const auto integer = parseInteger(value))
      added.push_back({{name, ""}, *integer});
    else if (const auto number = parseNumber(value))
      added.push_back({{name, ""}, *number});
    else
      added.push_back({{name, ""}, value});
  }
  return added;
}

/// Shapes of a library, read once for all files that name it with the same shapes.
class ShapeStore {
 public:
  std::shared_ptr<const std::vector<shape::Shape>> of(const sim::Conf& conf,
                                                      Diagnostics& diagnostics) {
    if (conf.particles.empty()) return std::make_shared<const std::vector<shape::Shape>>();
    std::string key =
        sim::resolvedPath(conf.shapeFile, conf.source == inputName("-") ? "" : conf.source);
    for (const std::string& name : conf.shapeNames) key += '\n' + name;
    const std::scoped_lock lock(mutex_);
    auto& shapes = kept_[key];
    if (!shapes)
      shapes = std::make_shared<const std::vector<shape::Shape>>(sim::shapesOf(conf, diagnostics));
    return shapes;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const std::vector<shape::Shape>>> kept_;
};

/// Conf-files in the order of their numbers; standard input stands for itself.
std::vector<std::string> seriesOf(const std::vector<std::string>& paths) {
  if (paths.empty()) throw UsageError("no conf-files given");
  if (paths.size() == 1 && paths.front() == "-") return paths;
  if (std::find(paths.begin(), paths.end(), "-") != paths.end())
    throw UsageError("'-' stands for one conf-file; give no others beside it");
  auto series = sim::confSeries(paths);
  if (series.empty())
    throw IoError(fmt::format("{}: there is no conf-file in it", fmt::join(paths, " ")));
  return series;
}

/// Rows of each extractor, in the order of the files.
std::vector<std::vector<sim::Row>> measured(const std::vector<AnyExtractor>& extractors,
                                            const std::vector<std::string>& files,
                                            const CommonOptions& common, Diagnostics& diagnostics) {
  const bool shapesWanted = std::any_of(extractors.begin(), extractors.end(), sim::needsShapes);
  ShapeStore store;
  std::vector<std::vector<std::vector<sim::Row>>> rows(files.size());  // by file, by extractor
  std::vector<Diagnostics> said(files.size(), Diagnostics(common.strict));
  const Progress progress = progressBar(common, "extract");
  std::mutex progressMutex;
  std::size_t done = 0;
  const auto measureFile = [&](std::size_t k) {
    const sim::Conf conf = sim::readConfFromFile(files[k], said[k], threadCount(common.jobs));
    std::shared_ptr<const std::vector<shape::Shape>> shapes;
    if (shapesWanted || !conf.boundaryTouches.empty()) shapes = store.of(conf, said[k]);
    const std::vector<double> weights = sim::partnershipWeights(conf);
    const auto known =
        shapes ? std::span<const shape::Shape>(*shapes) : std::span<const shape::Shape>();
    const auto atBoundaries = sim::boundaryContacts(conf, known);
    sim::Snapshot snapshot = sim::snapshotOf(conf, known, weights);
    snapshot.atBoundaries = atBoundaries;
    for (const AnyExtractor& e : extractors) rows[k].push_back(sim::rowsOf(e, snapshot));
    if (progress) {
      const std::scoped_lock lock(progressMutex);
      progress(static_cast<double>(++done) / static_cast<double>(files.size()));
    }
  };
  // The first alone: what it says about shapes is then said once, by the same file each time.
  measureFile(0);
  parallelJobs(threadCount(common.jobs), files.size() - 1,
               [&](std::size_t k) { measureFile(k + 1); });

  std::vector<std::vector<sim::Row>> joined(extractors.size());
  for (std::size_t k = 0; k < files.size(); ++k) {
    for (const std::string& warning : said[k].warnings()) diagnostics.warn(warning);
    for (std::size_t e = 0; e < extractors.size(); ++e)
      joined[e].insert(joined[e].end(), rows[k][e].begin(), rows[k][e].end());
  }
  return joined;
}

std::string tableOf(const AnyExtractor& extractor, std::vector<sim::Row> rows,
                    sim::TableFormat format, const std::vector<AddedColumn>& added,
                    const std::string& command) {
  sim::TableHeader header{fmt::format("extract {} (Scree)", version()), command,
                          sim::columnsOf(extractor)};
  for (const AddedColumn& a : added) {
    for (const sim::Column& c : header.columns)
      if (c.name == a.column.name)
        throw UsageError(fmt::format("--add {}: there is a column of this name already", c.name));
    header.columns.push_back(a.column);
    for (sim::Row& row : rows) row.push_back(a.value);
  }
  return sim::tableText(format, std::move(header), rows);
}

int extractScript(const ExtractOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  if (!options.parameters.empty())
    throw UsageError(
        fmt::format("--{} and --script exclude each other", options.parameters.begin()->first));
  const auto format = sim::tableFormat(options.format.empty() ? "txt" : options.format);
  const auto added = addedColumns(options);
  const auto files = seriesOf(options.words);
  TextReader in = TextReader::fromFile(options.script);
  const auto lines = sim::readDataExtractors(in, diagnostics);
  if (lines.empty())
    diagnostics.warn(fmt::format("{}: there is no extractor in it", options.script));

  const std::filesystem::path folder = options.output.empty() ? "." : options.output;
  std::vector<AnyExtractor> extractors;
  std::vector<std::string> outputs;
  for (const auto& line : lines) {
    extractors.push_back(line.extractor);
    outputs.push_back(
        (options.output.empty() ? std::filesystem::path(line.file) : folder / line.file).string());
    checkMayWrite(outputs.back(), common.existing());
  }
  const auto rows = measured(extractors, files, common, diagnostics);
  for (std::size_t k = 0; k < extractors.size(); ++k)
    writeFile(outputs[k], tableOf(extractors[k], rows[k], format, added, options.command),
              common.existing());
  printWarnings(diagnostics, common);
  return 0;
}

}  // namespace

int extract(const ExtractOptions& options, const CommonOptions& common) {
  if (options.list) {
    printResult(common.json ? listJson() : listText());
    return 0;
  }
  if (!options.script.empty()) return extractScript(options, common);
  if (options.words.empty()) throw UsageError("no kind given; extract --list shows the kinds");

  const sim::ExtractorKind& kind = kindNamed(options.words.front());
  const AnyExtractor extractor = extractorFrom(kind, options);
  if (common.json && !options.format.empty() && options.format != "json")
    throw UsageError("--json and --format exclude each other");
  const auto format = sim::tableFormat(!options.format.empty() ? options.format
                                       : common.json           ? "json"
                                                               : "csv");
  const auto added = addedColumns(options);
  const std::string output = options.output.empty() ? "-" : options.output;
  checkMayWrite(output, common.existing());
  const auto files = seriesOf({options.words.begin() + 1, options.words.end()});

  Diagnostics diagnostics(common.strict);
  auto rows = measured({extractor}, files, common, diagnostics);
  writeFile(output, tableOf(extractor, std::move(rows.front()), format, added, options.command),
            common.existing());
  printWarnings(diagnostics, common);
  return 0;
}

}  // namespace scree::tools
