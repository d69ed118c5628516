// SPDX-License-Identifier: GPL-3.0-or-later
// Verbs that compare two files, or read tables; and the command files of Rockable's postpro.
#include "extract.hpp"
#include "inputs.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/ensemble.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/run_input.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

std::map<std::int64_t, std::string> filesByNumber(const std::vector<std::string>& paths) {
  std::map<std::int64_t, std::string> files;
  for (const std::string& path : sim::confSeries(paths))
    if (const auto number = sim::confNumber(path)) files.emplace(*number, path);
  return files;
}

/// Resumes a run from one of its files, with the drives of its first input.
std::unique_ptr<sim::Simulation> runFrom(const std::string& folder, const std::string& file,
                                         int threads, Diagnostics& diagnostics) {
  const sim::RunRecord record = sim::earlierRun(folder);
  sim::Conf conf = sim::readConfFromFile(file, diagnostics);
  std::vector<std::string> confFiles{file};
  for (const sim::InputFile& input : record.inputs)
    if (input.role == "conf" || input.role == "redirection") confFiles.push_back(input.path);
  sim::RunInput input = sim::readRunInput(std::move(conf), confFiles, diagnostics);
  return std::make_unique<sim::Simulation>(
      std::move(input.conf), std::move(input.shapes), std::move(input.drives),
      sim::SimulationOptions(threads, record.compat == "rockable"), diagnostics);
}

/// The first step after a common state at which two runs differ; at most `most` of them.
std::vector<Row> firstDifference(sim::Simulation& a, sim::Simulation& b, double tolerance,
                                 std::uint64_t most, std::uint64_t& made) {
  for (made = 1; made <= most; ++made) {
    a.step();
    b.step();
    // The hash covers all of the state but accelerations and parameters, which act a step later.
    if (tolerance == 0.0 && a.stateHash() == b.stateHash()) continue;
    std::vector<Row> rows = sim::differences(a.conf(), b.conf(), tolerance);
    if (!rows.empty()) return rows;
  }
  made = most;
  return {};
}

/// Differences of two files or of two runs.
struct Difference {
  std::vector<Row> rows;           ///< of sim::differenceColumns()
  std::uint64_t stepsRerun = 0;    ///< of each run, with `first`
  std::vector<std::string> alone;  ///< files that one run alone has
};

/// Compares the conf-files of two runs by their numbers.
/// @param first  only the first difference, with the step at which it is: both runs are repeated
/// from the last conf-file in which they agree
Difference compareRuns(const std::string& folderA, const std::string& folderB, double tolerance,
                       bool first, int threads, Diagnostics& diagnostics) {
  Difference out;
  const auto inA = filesByNumber({folderA}), inB = filesByNumber({folderB});
  for (const auto& [own, other] : {std::pair(&inA, &inB), std::pair(&inB, &inA)})
    for (const auto& [number, path] : *own)
      if (!other->contains(number)) out.alone.push_back(path);
  std::optional<std::int64_t> equal;  // number of the last files that agree
  bool compared = false;
  for (const auto& [number, path] : inA) {
    const auto other = inB.find(number);
    if (other == inB.end()) continue;
    compared = true;
    const sim::Conf a = sim::readConfFromFile(path, diagnostics),
                    b = sim::readConfFromFile(other->second, diagnostics);
    std::vector<Row> rows = sim::differences(a, b, tolerance);
    if (rows.empty()) {
      equal = number;
      continue;
    }
    std::ranges::move(rows, std::back_inserter(out.rows));
    if (!first) continue;
    if (!equal || !a.state().runState) return out;
    const auto runA = runFrom(folderA, inA.at(*equal), threads, diagnostics),
               runB = runFrom(folderB, inB.at(*equal), threads, diagnostics);
    rows = firstDifference(*runA, *runB, tolerance, a.state().runState->step - runA->stepIndex(),
                           out.stepsRerun);
    if (rows.empty())  // somebody changed a file, or another program wrote it
      diagnostics.warn(
          fmt::format("{} and {} differ, but the runs from {} agree when repeated: another program "
                      "wrote one of these files, or it was changed after its run",
                      path, other->second, inA.at(*equal)));
    else
      out.rows = std::move(rows);
    return out;
  }
  if (!compared)
    throw ModelError(
        fmt::format("diff: {} and {} have no conf-file of the same number", folderA, folderB));
  return out;
}

/// The folder of a run itself, else all folders of runs below it; a file as it is.
std::vector<std::string> runsBelow(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  if (const fs::path own = fs::path(path) / "run.json"; fs::exists(own)) return {own.string()};
  std::vector<std::string> runs;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.path().filename() == "run.json") runs.push_back(entry.path().string());
  if (runs.empty()) throw IoError(fmt::format("{}: there is no run.json in or below it", path));
  std::ranges::sort(runs);
  return runs;
}

Table qualityOf(const std::vector<std::string>& paths) {
  std::vector<std::string> runs;
  for (const std::string& path : paths)
    std::ranges::move(runsBelow(path), std::back_inserter(runs));
  std::vector<std::string> names = runNames(runs);
  std::error_code code;
  if (runs.size() == 1)
    names[0] = fs::weakly_canonical(runs[0], code).parent_path().filename().string();
  Table table{"",
              columnsFrom("run status t:s steps withinBounds energyResidual energyGain "
                          "largestOverlap skinViolations findings text"),
              {}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const sim::RunRecord r = sim::readRunRecord(runs[k]);
    table.rows.push_back({names[k], r.status, r.time, static_cast<std::int64_t>(r.steps),
                          std::int64_t{r.quality.withinBounds()},
                          r.quality.energyResidual.value_or(sim::notKnown),
                          r.quality.energyGain.value_or(sim::notKnown), r.quality.largestOverlap,
                          static_cast<std::int64_t>(r.quality.skinViolations),
                          static_cast<std::int64_t>(r.findings.size()),
                          fmt::format("{}", fmt::join(r.findings, "; "))});
  }
  return table;
}

/// The rows of several tables with the same columns.
Table together(const std::vector<std::string>& paths) {
  Table all;
  for (const std::string& path : paths) {
    Table table = readTable(path);
    if (all.columns.empty())
      all.columns = table.columns;
    else if (!std::ranges::equal(table.columns, all.columns, {}, &Column::name, &Column::name))
      throw ModelError(fmt::format("{} has other columns than {}", path, paths.front()));
    all.source = table.source;
    std::ranges::move(table.rows, std::back_inserter(all.rows));
  }
  return all;
}

Difference differenceOf(const ExtractOptions& options, const sim::KindOptions& own,
                        const CommonOptions& common, Diagnostics& diagnostics) {
  const double tolerance = own.number("tolerance");
  if (options.inputs.size() != 2 || tolerance < 0.0)
    throw UsageError(
        "diff: expected two conf-files or two folders of runs, and a tolerance of at least 0");
  const std::string &a = options.inputs[0], &b = options.inputs[1];
  for (const std::string& word : {a, b}) {
    if (word != "-" && !isThere(word)) throw IoError(fmt::format("{}: no such file", word));
    checkNotInputs(options.written(), confFilesNow({word}));
  }
  const bool folders = isFolder(a);
  if (folders != isFolder(b))
    throw UsageError("diff: expected two conf-files or two folders, found one of each");
  const int threads = threadCount(common.jobs);
  if (folders) return compareRuns(a, b, tolerance, own.has("first"), threads, diagnostics);
  const sim::Conf first = sim::readConfFromFile(a, diagnostics),
                  second = sim::readConfFromFile(b, diagnostics);
  Difference found;
  found.rows = sim::differences(first, second, tolerance);
  if (own.has("first") && found.rows.size() > 1) found.rows.resize(1);
  return found;
}

}  // namespace

int runTables(const KindCall& call, const ExtractOptions& options, const CommonOptions& common) {
  const sim::KindOptions own = call.options();
  Diagnostics diagnostics(common.strict);
  sim::PlotColumns show = call.kind.plot;
  Table table;
  int code = 0;
  if (call.kind.name == "diff") {
    Difference found = differenceOf(options, own, common, diagnostics);
    table = {"", sim::differenceColumns(), std::move(found.rows)};
    if (!table.rows.empty()) code = 3;
    if (!found.alone.empty())
      diagnostics.note(fmt::format("{} in only one of the folders, such as {}",
                                   counted(found.alone.size(), "conf-file"), found.alone.front()));
    if (found.stepsRerun > 0)
      diagnostics.note(fmt::format("{} steps of each run were computed again", found.stepsRerun));
  } else {
    const auto paths = pathsOf(options.inputs);
    if (paths.empty()) throw UsageError(fmt::format("{}: no tables given", call.kind.name));
    checkNotInputs(options.written(), paths);
    const auto list = [&own](const char* name) {
      return own.has(name) ? sim::partsOf(own.text(name), ',') : std::vector<std::string>();
    };
    if (call.kind.name == "quality") {
      table = qualityOf(paths);
    } else if (call.kind.name == "join") {
      sim::JoinedTable joined = sim::joinTables({paths, own.text("runs")}, diagnostics);
      checkNotInputs(options.written(), {joined.runs});
      table = std::move(joined.table);
    } else if (call.kind.name == "score") {
      checkNotInputs(options.written(), {own.text("against")});
      table = sim::score(
          together(paths), readTable(own.text("against")),
          {list("by"), list("column"), list("error"), own.number("outliers"), own.text("profile")},
          diagnostics);
      show = {.x = own.has("profile") ? own.text("profile") : list("by").front(),
              .y = {table.has("weight") ? "weight" : "distance"},
              .points = !own.has("profile")};
    } else {
      table = sim::exceedance(together(paths),
                              {own.text("of"), own.text("by"), own.numbers("levels"),
                               own.whole("bins"), static_cast<std::size_t>(own.whole("total"))},
                              diagnostics);
      show.by = own.text("by");
    }
  }
  TablePlan plan = planOf(call.kind, table.columns, options, common);
  plan.show = show;
  Output output(std::move(plan), options, common);
  output.take(std::move(table.rows));
  output.finish(diagnostics);
  printWarnings(diagnostics, common);
  return code;
}

int runPostpro(const ExtractOptions& options, const CommonOptions& common) {
  TextReader in = TextReader::fromFile(options.postpro);
  const sim::PostproCommands commands = sim::readPostproCommands(in);
  Diagnostics diagnostics(common.strict);
  const auto format = tableFormat(options.format.empty() ? "txt" : options.format);
  const fs::path folder = options.output.empty() ? "." : options.output;
  requireOneRun(options.inputs, "--postpro");
  const auto files = filesByNumber(options.inputs.empty() ? std::vector<std::string>{"."}
                                                          : pathsOf(options.inputs));
  Table totals{
      "", columnsFrom("t:s conf xx:Pa xy:Pa xz:Pa yx:Pa yy:Pa yz:Pa zx:Pa zy:Pa zz:Pa"), {}};
  for (std::int64_t k = commands.firstConf; k <= commands.lastConf; k += commands.stepConf) {
    const auto found = files.find(k);
    if (found == files.end())
      throw IoError(fmt::format("there is no conf{}, which {} names", k, options.postpro));
    const sim::Conf conf = sim::readConfFromFile(found->second, diagnostics);
    const auto shapes = sim::shapesOf(conf, diagnostics);
    const sim::Instant instant(conf, shapes);
    const std::string path =
        (folder / fmt::format("{}-conf{}.txt", commands.processor, conf.iconf)).string();
    checkNotInputs({path}, {options.postpro, found->second});
    sim::PostproTable own = sim::postproTable(commands, instant);
    Output table({path, format, std::move(own.table.columns)}, options, common);
    table.take(std::move(own.table.rows));
    table.finish(diagnostics);
    Row& row = totals.rows.emplace_back(Row{conf.t, std::int64_t{conf.iconf}});
    for (int c = 0; c < 9; ++c) row.emplace_back(own.total(c / 3, c % 3));
  }
  if (commands.isStress())
    printResult(tableText(common.json ? TableFormat::json : TableFormat::csv,
                          {programText(), options.command, totals.columns}, totals.rows));
  printWarnings(diagnostics, common);
  return 0;
}

}  // namespace scree::tools
