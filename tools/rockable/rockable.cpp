// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "run_tool.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/resumption.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace scree::tools {
namespace {

int keepLast(const std::string& keep) {
  if (keep.empty()) return 0;
  if (keep.compare(0, 5, "last:") == 0)
    if (const auto n = parseInteger(std::string_view(keep).substr(5));
        n && *n > 0 && *n < 1'000'000'000)
      return static_cast<int>(*n);
  throw UsageError(fmt::format("--keep: expected last:N with N above 0, found '{}'", keep));
}

/// Refuses an empty value, as a script passes it that names a variable without a value.
const CLI::Validator notEmpty(
    [](const std::string& value) {
      return value.empty() ? std::string("expected a value, found ''") : std::string();
    },
    "");

/// Writes the file of --done, of the run that has left its run.json in the folder of outputs.
void writeDone(const RockableOptions& options, const sim::RunRecord& record) {
  if (options.run.doneFile.empty()) return;
  writeFile(options.run.doneFile, sim::doneText(record), Existing::replace);
}

/// Prints the run.json that the run has left, with --json.
void printRecord(const RockableOptions& options) {
  if (options.common.json)
    printResult(readFile((std::filesystem::path(options.run.folder) / "run.json").string()));
}

void printFindings(const std::vector<std::string>& findings, const RockableOptions& options) {
  Diagnostics warnings;
  for (const std::string& finding : findings) warnings.warn(finding);
  printWarnings(warnings, options.common);
}

/// @throws ModelError where the results of a run cannot be used, and under --strict where they are
/// beyond their bounds
void judge(const RockableOptions& options, const sim::RunQuality& quality,
           const std::vector<std::string>& findings, const std::string& fault) {
  if (!fault.empty()) throw ModelError(fmt::format("{}: {}", inputName(options.conf), fault));
  if (!options.common.strict) return;
  if (!findings.empty())
    throw ModelError(fmt::format("{} finding{} about the run, errors under --strict",
                                 findings.size(), findings.size() > 1 ? "s" : ""));
  if (!quality.withinBounds())
    throw ModelError(
        fmt::format("the run exceeds its bounds, an error under --strict: {}", describe(quality)));
}

/// --resume of a run that is done: the same checks as of one that is not, and its results.
void reportDone(const sim::Resumption& earlier, const sim::Conf& conf,
                const RockableOptions& options, Diagnostics& diagnostics) {
  const sim::RunRecord& record = earlier.record();
  earlier.checkDone(conf, diagnostics);
  sim::RunOptions run;
  run.folder = options.run.folder;
  run.input = options.conf;
  run.inputs = record.inputs;
  run.doneFile = options.run.doneFile;
  run.existing = options.common.existing();
  std::error_code ignored;
  const bool isThere = std::filesystem::is_regular_file(options.run.doneFile, ignored) &&
                       readFile(options.run.doneFile) == sim::doneText(record);
  if (!isThere) sim::checkDoneFile(run, record);
  printWarnings(diagnostics, options.common);
  say(options.common, fmt::format("{}: the run is done; nothing to resume", options.run.folder));
  printFindings(record.findings, options);
  printRecord(options);
  if (!options.check && !isThere) writeDone(options, record);
  judge(options, record.quality, record.findings, record.fault);
}

/// @throws UsageError for values that the parser does not refuse
sim::RunOptions runOptions(const RockableOptions& options) {
  sim::RunOptions run = options.run;
  if (run.until && !std::isfinite(*run.until)) throw UsageError("--until: expected a finite time");
  if (!(run.checkpoint >= 0.0) || !std::isfinite(run.checkpoint))
    throw UsageError(fmt::format("--checkpoint: expected a number of seconds, 0 or more, found {}",
                                 run.checkpoint));
  if (run.folder == "-" || run.folder.empty())
    throw UsageError(fmt::format("-o: expected the name of a folder, found '{}'", run.folder));
  run.input = inputName(options.conf);
  run.existing = options.common.existing();
  if (options.untilRest || !options.rest.empty())
    run.rest = options.rest.empty() ? sim::RestRule() : sim::restRule(options.rest);
  run.keepLast = keepLast(options.keep);
  run.tell = [&options](const std::string& message) { say(options.common, message); };
  return run;
}

void check(sim::Simulation& simulation, const sim::RunOptions& run, const sim::RunRecord& earlier,
           const sim::CriticalStep& critical, const RockableOptions& options) {
  sim::checkTables(run, simulation);
  sim::checkInputs(run, simulation);
  sim::checkShapeFile(run, simulation);
  sim::checkDoneFile(run, earlier);
  const CheckReport report = checkReport(simulation, critical, options, run.extractors);
  printResult(report.text);
  if (report.failure.empty()) return;
  Diagnostics failed(options.common.strict);
  failed.warn(
      fmt::format("{}: a test run has failed: {}", inputName(options.conf), report.failure));
  printWarnings(failed, options.common);
}

/// Tells how a run has ended. @returns the exit code
int finish(const sim::Simulation& simulation, const sim::RunSummary& summary,
           const RockableOptions& options) {
  const double perStep =
      summary.steps ? 1e6 * summary.wallSeconds / static_cast<double>(summary.steps) : 0.0;
  say(options.common, fmt::format("{} steps in {:.2f} s ({:.2f} microseconds per step), t = {} in "
                                  "the unit of the conf-file, state {:016x}",
                                  summary.steps, summary.wallSeconds, perStep,
                                  tableTime(simulation.time()), simulation.stateHash()));
  say(options.common, describe(summary.quality));
  printFindings(summary.findings, options);
  printRecord(options);
  if (summary.end == sim::RunEnd::stopped) {
    say(options.common,
        "stopped before tmax; --resume in place of --until and --steps continues the run");
    if (stopRequested().load()) return stoppedResumable;
  } else {
    if (summary.end == sim::RunEnd::extractor)
      say(options.common, fmt::format("ended before tmax by {}", summary.endedBy));
    else if (summary.end == sim::RunEnd::rest)
      say(options.common, fmt::format("at rest: {}", summary.endedBy));
    else if (summary.rest)
      say(options.common, fmt::format("tmax reached before rest: {}", describe(*summary.rest)));
    if (!summary.restartFile.empty())
      say(options.common,
          fmt::format("no conf-file holds the last state at full precision: {} holds it",
                      summary.restartFile));
    if (!options.run.doneFile.empty()) writeDone(options, sim::earlierRun(options.run.folder));
  }
  judge(options, summary.quality, summary.findings, summary.fault);
  return 0;
}

}  // namespace

void addOptions(CLI::App& app, RockableOptions& options) {
  addCommonOptions(
      app, options.common,
      "  rockable conf0                      run it here, on all cores\n"
      "  rockable case.conf -o out -j 2      outputs into folder out, two threads\n"
      "  rockable --check case.conf          print what would run, and warnings\n"
      "  rockable case.conf -o out --resume   continue a stopped run\n"
      "  rockable case.conf -o out --compress   conf-files of half the size, conf0.zst ...\n"
      "  rockable --replay out/run.json      run it again and confirm the result");
  app.add_option("CONF", options.conf, "Conf-file to run; - is standard input")
      ->check(notEmpty)
      ->capture_default_str();
  app.add_option("-o,--output", options.run.folder, "Folder for all outputs")
      ->capture_default_str();
  app.add_flag("--check", options.check,
               "Read and check all files, print what would run, and exit");
  app.add_flag("--dry-run", options.check, "The same as --check");
  CLI::Option* steps = app.add_option("--steps", options.run.steps,
                                      "Stop after this many steps and save restart.conf")
                           ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 60));
  app.add_option("--until", options.run.until,
                 "Stop at this time, in the unit of the conf-file, and save restart.conf")
      ->excludes(steps);
  app.add_flag(
      "--until-rest", options.untilRest,
      "Also end the run once all bodies are at rest (see --rest); it never goes beyond tmax");
  app.add_option("--rest", options.rest,
                 "Two limits of rest, and the time for which they must hold "
                 "(default: 1e-3,1e-3 for 1000 steps). UNBALANCED is mean resultant over mean "
                 "contact force, "
                 "ENERGY kinetic over "
                 "elastic energy. Implies --until-rest")
      ->check(notEmpty)
      ->option_text("UNBALANCED,ENERGY,SECONDS");
  app.add_flag("--resume", options.resume,
               "Continue from the newest state in the output folder to the tmax of CONF. If "
               "the run is done, only checks that it is one of CONF");
  app.add_option("--checkpoint", options.run.checkpoint,
                 "SECONDS between states at full precision, saved as restart.conf for --resume "
                 "after a crash; 0: never")
      ->capture_default_str();
  app.add_option("--seed", options.seed,
                 "Seed of the random numbers that commands of the conf-file draw")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 53))
      ->default_str("0");
  app.add_option("--replay", options.replay,
                 "Repeat the run of this run.json without outputs, and compare inputs and states. "
                 "Exit code 3 if they differ")
      ->check(notEmpty)
      ->option_text("RUN.json");
  app.add_option("--done", options.run.doneFile,
                 "Write this file last, when the run is complete (tmax, rest or extractor)")
      ->check(notEmpty)
      ->option_text("FILE");
  app.add_option("--keep", options.keep, "Keep only the last N conf-files, and that of the start")
      ->check(notEmpty)
      ->option_text("last:N");
  app.add_flag("--compress", options.run.compress,
               "Write conf-files compressed with zstd, as conf<N>.zst; all tools read them");
  app.add_option("--compat", options.compat,
                 "Reproduce the results of Rockable, its errors included")
      ->check(CLI::IsMember({"rockable"}));
  app.add_option(
         "--list", options.list,
         "Print laws, keywords, state (the #scree lines), servos, extractors, integrators or "
         "commands, and exit")
      ->check(notEmpty)
      ->option_text("WHAT");
}

int rockable(const RockableOptions& options) {
  if (!options.list.empty()) {
    printResult(options.common.json ? listJson(options.list) : listOf(options.list));
    return 0;
  }
  if (!options.replay.empty()) return replay(options);
  sim::RunOptions run = runOptions(options);
  if (!options.check) endOnSignals(options.common.verbosity == 0);
  const int threads = threadCount(options.common.jobs);
  Diagnostics diagnostics(options.common.strict);
  sim::Conf conf = sim::readConfFromFile(options.conf, diagnostics, threads);
  const sim::Resumption earlier(
      {options.run.folder, options.conf, threads, !options.compat.empty(), options.seed, run.tell});
  conf.seed =
      options.resume ? earlier.seed() : static_cast<std::uint64_t>(options.seed.value_or(0));
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, options.conf);
  if (options.resume) {
    if (earlier.isDone(conf.tmax, conf.dt)) {
      reportDone(earlier, conf, options, diagnostics);
      return 0;
    }
    earlier.continueFrom(conf, run, diagnostics);
  }
  run.start.continues =
      !run.start.resumed && std::ranges::any_of(confFiles, [&](const std::string& file) {
        return file != "-" && sim::isOutput(file, earlier.record());
      });
  if (run.start.continues && !options.check && conf.runState && !conf.summedClock &&
      sim::stepsUntil(conf.t, conf.tmax, conf.dt) == 0) {
    say(options.common, fmt::format("{}: t = {} has reached tmax = {}; nothing to run",
                                    options.conf, tableTime(conf.t), conf.tmax));
    printRecord(options);
    return 0;
  }
  // A run goes on with the mechanics that it began with, also where it begins again.
  const bool asRockable =
      !options.compat.empty() || (run.start.beginsAgain && earlier.record().compat == "rockable");
  sim::RunInput input = sim::readRunInput(std::move(conf), confFiles, diagnostics, asRockable);
  run.drivingFiles = std::move(input.drivingFiles);
  if (input.conf.drewLots) run.seed = input.conf.seed;
  run.extractors = std::move(input.extractors);
  run.inputs = std::move(input.files);
  if (run.start.resumed) earlier.keepInputs(run, input.conf.t, diagnostics);
  sim::Simulation simulation(std::move(input.conf), std::move(input.shapes),
                             std::move(input.drives), {threads, asRockable}, diagnostics);
  if (options.run.until && simulation.time() - *options.run.until > 1.5 * simulation.timeStep())
    throw UsageError(fmt::format("--until: {} is before t = {}: nothing to run", *options.run.until,
                                 tableTime(simulation.time())));
  const sim::CriticalStep critical = sim::checkStart(simulation, !run.start.resumed, diagnostics);
  if (simulation.input().tmax < simulation.time())
    diagnostics.warn(simulation.input().errorAt(
        "tmax", fmt::format("tmax = {} is before t = {}: nothing to run", simulation.input().tmax,
                            tableTime(simulation.time()))));
  if (run.start.resumed) sim::checkResumedTables(run, simulation);
  printWarnings(diagnostics, options.common);
  run.warnings = onceEach(diagnostics.warnings());
  if (options.check) {
    check(simulation, run, earlier.record(), critical, options);
    return 0;
  }
  run.stop = &stopRequested();
  run.progress = progressBar(options.common, "rockable");
  saveOnSignals();
  const sim::RunSummary summary = sim::run(simulation, run);
  return finish(simulation, summary, options);
}

}  // namespace scree::tools
