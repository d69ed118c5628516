// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.hpp"

#include "compare.hpp"
#include "diff.hpp"
#include "exceedance.hpp"
#include "inputs.hpp"
#include "join.hpp"
#include "outputs.hpp"
#include "postpro.hpp"
#include "read_table.hpp"
#include "run_tool.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace scree::tools {
namespace {

/// `extract diff A B`: 3 where they differ, as `rockable --replay`.
int runDiff(const KindEntry& entry, const ExtractOptions& options, const CommonOptions& common) {
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
  for (const std::string& word : {wanted.a, wanted.b})
    checkNotInputs(filesWritten(options), confFilesNow({word}));
  const auto table = tableFor({entry.name, entry.plot}, differenceColumns(), options, common);
  Diagnostics diagnostics(common.strict);
  DiffOutcome outcome = diff(wanted, diagnostics);
  const bool same = outcome.rows.empty();
  table->take(std::move(outcome.rows));
  table->finish(diagnostics);
  printWarnings(diagnostics, common);
  if (!outcome.alone.empty())
    say(common, fmt::format("{} conf-files are in only one of the folders, such as {}",
                            outcome.alone.size(), outcome.alone.front()));
  if (outcome.stepsRerun > 0)
    say(common, fmt::format("{} steps of each run were computed again", outcome.stepsRerun));
  return same ? 0 : 3;
}

std::vector<std::string> tablesOf(const ExtractOptions& options) {
  const auto paths = pathsOf({options.words.begin() + 1, options.words.end()});
  if (paths.empty()) throw UsageError(fmt::format("{}: no tables given", options.words.front()));
  checkNotInputs(filesWritten(options), paths);
  return paths;
}

int runJoin(const ExtractOptions& options, const CommonOptions& common) {
  JoinOptions wanted;
  wanted.tables = tablesOf(options);
  wanted.runs = KindOptions(options.parameters).text("runs", "");
  Diagnostics diagnostics(common.strict);
  JoinedTable joined = joinTables(wanted, diagnostics);
  checkNotInputs(filesWritten(options), {joined.runs});
  const auto table = tableFor({"", {}}, joined.columns, options, common);
  table->take(std::move(joined.rows));
  table->finish(diagnostics);
  printWarnings(diagnostics, common);
  return 0;
}

int runExceedance(const KindEntry& entry, const ExtractOptions& options,
                  const CommonOptions& common) {
  const KindOptions own(options.parameters);
  ExceedanceOptions wanted;
  wanted.of = own.text("of", "");
  wanted.by = own.text("by", "");
  wanted.together = own.text("together", "");
  wanted.bins = own.integer("bins", 0, 1, 1'000'000);
  if (own.has("levels")) {
    if (own.has("bins")) throw UsageError("--levels and --bins exclude each other");
    const std::string levels = own.text("levels", "");
    wanted.levels =
        own.numbers("levels", static_cast<std::size_t>(std::ranges::count(levels, ',')) + 1);
  }
  if (wanted.of.empty()) throw UsageError("exceedance needs --of: the column of the quantity");
  ReadTable all;
  for (const std::string& path : tablesOf(options)) {
    ReadTable table = readTable(path);
    if (all.columns.empty()) {
      all = std::move(table);
      continue;
    }
    for (const std::string& name : {wanted.of, wanted.by, wanted.together})
      if (!name.empty()) table.column(name);
    if (!std::ranges::equal(table.columns, all.columns, {}, &sim::Column::name, &sim::Column::name))
      throw ModelError(fmt::format("{} has other columns than {}", path, all.source));
    all.rows.insert(all.rows.end(), std::make_move_iterator(table.rows.begin()),
                    std::make_move_iterator(table.rows.end()));
  }
  const Exceedance exceedance(wanted);
  PlotColumns plot = entry.plot;
  plot.by = wanted.by;
  const auto table = tableFor({entry.name, plot}, exceedance.columns(all), options, common);
  table->take(exceedance.rows(all));
  Diagnostics diagnostics(common.strict);
  table->finish(diagnostics);
  printWarnings(diagnostics, common);
  return 0;
}

/// The conf-files that a command file selects by number, among those of the command line or of the
/// current folder.
std::vector<std::string> selectedFiles(const PostproCommands& commands,
                                       const std::vector<std::string>& words) {
  std::map<std::int64_t, std::string> files;
  for (const std::string& path :
       sim::confSeries(words.empty() ? std::vector<std::string>{"."} : pathsOf(words)))
    if (const auto number = sim::confNumber(path)) files.emplace(*number, path);
  std::vector<std::string> selected;
  for (std::int64_t k = commands.firstConf; k <= commands.lastConf; k += commands.stepConf) {
    const auto found = files.find(k);
    if (found == files.end())
      throw IoError(
          fmt::format("there is no conf{} among the conf-files, which firstConf {}, "
                      "lastConf {} and stepConf {} name",
                      k, commands.firstConf, commands.lastConf, commands.stepConf));
    selected.push_back(found->second);
  }
  return selected;
}

}  // namespace

int runVerb(const KindEntry& entry, const ExtractOptions& options, const CommonOptions& common) {
  if (options.append || options.follow)
    throw UsageError(fmt::format("--append and --follow: {} reads no series", entry.name));
  if (entry.name == "join") return runJoin(options, common);
  if (entry.name == "exceedance") return runExceedance(entry, options, common);
  return runDiff(entry, options, common);
}

int extractPostpro(const ExtractOptions& options, const CommonOptions& common) {
  if (!options.parameters.empty())
    throw UsageError(
        fmt::format("--{} and --postpro exclude each other", options.parameters.begin()->first));
  if (options.append || options.follow || !options.plot.empty())
    throw UsageError("--append, --follow and --plot do not go with --postpro");
  const bool asRockable = options.compat == "rockable";
  TextReader in = TextReader::fromFile(options.postpro);
  const PostproCommands commands = readPostproCommands(in);
  const bool stress = commands.processor == PostproCommands::Processor::particleStress;
  Diagnostics diagnostics(common.strict);
  const TableShape shape(postproColumns(commands), options.add, options.columns, options.digits);
  const auto format = sim::tableFormat(options.format.empty() ? "txt" : options.format);
  const std::filesystem::path folder = options.output.empty() ? "." : options.output;
  std::vector<sim::Column> ofTotals{{"t", "s"}, {"conf", "-"}};
  for (const char* name : {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"})
    ofTotals.push_back({name, "Pa"});
  std::vector<sim::Row> totals;
  for (const std::string& file : selectedFiles(commands, options.words)) {
    const sim::Conf conf = sim::readConfFromFile(file, diagnostics, threadCount(common.jobs));
    const auto shapes = sim::shapesOf(conf, diagnostics);
    const sim::Instant instant(conf, shapes);
    const std::string name = fmt::format("{}-conf{}.txt", nameOf(commands.processor), conf.iconf);
    const std::string path = (folder / name).string();
    checkNotInputs({path}, {options.postpro, file});
    TableFile table(path, headerOf(shape, options), {format, common.existing(), false});
    for (sim::Row& row : postproRows(commands, instant, asRockable))
      table.row(shape(std::move(row)));
    table.finish();
    if (!stress) continue;
    const Mat3 total = postproTotal(commands, instant, asRockable);
    sim::Row row{conf.t, std::int64_t{conf.iconf}};
    for (int c = 0; c < 9; ++c) row.emplace_back(total(c / 3, c % 3));
    totals.push_back(std::move(row));
  }
  if (stress)
    printResult(sim::tableText(common.json ? sim::TableFormat::json : sim::TableFormat::csv,
                               {headerOf(shape, options).program, options.command, ofTotals},
                               totals));
  printWarnings(diagnostics, common);
  return 0;
}

}  // namespace scree::tools
