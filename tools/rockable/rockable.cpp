// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "ending.hpp"
#include "resume.hpp"
#include "run_tool.hpp"
#include "signals.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Whether the run begins from a conf-file that an earlier run has left in the folder of outputs.
bool beginsFromOutput(const RockableOptions& options, const std::vector<std::string>& confFiles) {
  return std::any_of(confFiles.begin(), confFiles.end(), [&](const std::string& file) {
    return file != "-" && sim::isOutput(file, options.folder);
  });
}

/// What makes a stopped run go on as it was begun.
std::string resumeCommand(const RockableOptions& options) {
  std::string command =
      fmt::format("rockable {} -o {} --resume", shellFile(options.conf), shellFile(options.folder));
  if (!options.keep.empty()) command += " --keep " + options.keep;
  if (!options.rest.empty())
    command += " --rest " + shellWord(options.rest);
  else if (options.untilRest)
    command += " --until-rest";
  if (options.compress) command += " --compress";
  if (options.checkpoint != sim::RunOptions{}.checkpoint)
    command += fmt::format(" --checkpoint {}", options.checkpoint);
  if (!options.doneFile.empty()) command += " --done " + shellFile(options.doneFile);
  if (options.common.jobs > 0) command += fmt::format(" -j {}", options.common.jobs);
  return command;
}

/// Refuses an empty value, as a script passes it that names a variable without a value. Such an
/// option would else count as not given.
const CLI::Validator notEmpty(
    [](const std::string& value) {
      return value.empty() ? std::string("expected a value, found ''") : std::string();
    },
    "");

/// Warnings of the checks before and in a run hold times, lengths and stiffnesses.
void sayUnits(bool warned, const RockableOptions& options) {
  if (warned) say(options.common, "values without a unit follow the units of the conf-file");
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
  app.add_option("-o,--output", options.folder, "Folder for all outputs")->capture_default_str();
  app.add_flag("--check", options.check,
               "Read and check all files, print what would run, and exit");
  app.add_flag("--dry-run", options.dryRun, "The same as --check");
  app.add_option("--steps", options.steps, "Stop after this many steps and save restart.conf")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 60));
  app.add_option("--until", options.until,
                 "Stop at this time, in the unit of the conf-file, and save restart.conf");
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
  app.add_option("--checkpoint", options.checkpoint,
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
  app.add_option("--done", options.doneFile,
                 "Write this file last, when the run is complete (tmax, rest or extractor)")
      ->check(notEmpty)
      ->option_text("FILE");
  app.add_option("--keep", options.keep, "Keep only the last N conf-files, and that of the start")
      ->check(notEmpty)
      ->option_text("last:N");
  app.add_flag("--compress", options.compress,
               "Write conf-files compressed with zstd, as conf<N>.zst; all tools read them");
  app.add_option("--compat", options.compat,
                 "Reproduce the results of Rockable, its errors included")
      ->check(notEmpty)
      ->option_text("rockable");
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
  if (!options.compat.empty() && options.compat != "rockable")
    throw UsageError(
        fmt::format("--compat: expected rockable, found '{}'", options.compat.substr(0, 40)));
  if (options.until && options.steps) throw UsageError("--until and --steps exclude each other");

  if (options.until && !std::isfinite(*options.until))
    throw UsageError("--until: expected a finite time");
  if (!(options.checkpoint >= 0.0) || !std::isfinite(options.checkpoint))
    throw UsageError(fmt::format("--checkpoint: expected a number of seconds, 0 or more, found {}",
                                 options.checkpoint));
  if (options.folder == "-")
    throw UsageError(
        "-o -: a run writes a folder of files, which standard output cannot hold; name a folder");
  if (options.folder.empty())
    throw UsageError("-o: expected the name of a folder, found ''; -o . is the current one");
  sim::RunOptions run;
  run.checkpoint = options.checkpoint;
  run.folder = options.folder;
  run.input = inputName(options.conf);
  run.existing = options.common.existing();
  run.doneFile = options.doneFile;
  if (options.steps) run.steps = static_cast<std::uint64_t>(*options.steps);
  run.until = options.until;
  if (options.untilRest || !options.rest.empty())
    run.rest = options.rest.empty() ? sim::RestRule() : sim::restRule(options.rest);
  run.keepLast = keepLast(options.keep);
  run.compress = options.compress;
  run.tell = [&options](const std::string& message) { say(options.common, message); };

  const bool check = options.check || options.dryRun;
  if (!check) endOnSignals(options.common.verbosity == 0);
  Diagnostics diagnostics(options.common.strict);
  sim::Conf conf =
      sim::readConfFromFile(options.conf, diagnostics, threadCount(options.common.jobs));
  conf.seed = seedOf(options);
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, options.conf);
  if (options.resume) {
    if (sim::runIsDone(options.folder, conf.tmax, conf.dt)) {
      reportDone(conf, options, diagnostics);
      return 0;
    }
    run.precision = conf.precision;
    run.firstConf = conf.iconf;
    run.firstTime = conf.t;
    run.firstStep = conf.runState ? conf.runState->step : 0;
    run.resumed = takeUp(conf, run.firstTime, options, diagnostics);
    run.beginsAgain = !run.resumed;
  }
  run.continues = !run.resumed && beginsFromOutput(options, confFiles);
  if (run.continues && !check && conf.runState && !conf.summedClock &&
      sim::stepsUntil(conf.t, conf.tmax, conf.dt) == 0) {
    say(options.common, fmt::format("{}: t = {} has reached tmax = {}; nothing to run",
                                    options.conf, tableTime(conf.t), conf.tmax));
    printRecord(options);
    return 0;
  }
  // A run goes on with the mechanics that it began with, also where it begins again.
  const bool asRockable = !options.compat.empty() ||
                          (run.beginsAgain && sim::earlierRun(options.folder).compat == "rockable");
  sim::RunInput input = sim::readRunInput(std::move(conf), confFiles, diagnostics, asRockable);
  run.drivingFiles = std::move(input.drivingFiles);
  if (input.conf.drewLots) run.seed = input.conf.seed;
  run.extractors = std::move(input.extractors);
  run.inputs = std::move(input.files);
  if (run.resumed) {  // the run is what its first input made it
    warnOfExtractors(run.inputs, input.conf.t, options, diagnostics);
    sim::RunRecord record = sim::earlierRun(options.folder);
    run.seed = record.seed;
    run.resumedWith = run.inputs;
    if (!record.inputs.empty()) run.inputs = inputsOf(std::move(record.inputs), run.resumedWith);
  }
  const sim::Drives drives = check ? input.drives : sim::Drives();
  sim::Simulation simulation(std::move(input.conf), std::move(input.shapes),
                             std::move(input.drives),
                             {threadCount(options.common.jobs), asRockable}, diagnostics);
  if (options.until && simulation.time() - *options.until > 1.5 * simulation.timeStep())
    throw UsageError(fmt::format("--until: {} is before t = {}: nothing to run", *options.until,
                                 tableTime(simulation.time())));
  const std::size_t ofFiles = diagnostics.warnings().size();
  sim::checkStart(simulation, !run.resumed, diagnostics);
  if (simulation.input().tmax < simulation.time())
    diagnostics.warn(simulation.input().errorAt(
        "tmax", fmt::format("tmax = {} is before t = {}: nothing to run", simulation.input().tmax,
                            tableTime(simulation.time()))));
  if (run.resumed) sim::checkResumedTables(run, simulation, diagnostics);
  printWarnings(diagnostics, options.common);
  const bool warned = diagnostics.warnings().size() > ofFiles;
  run.warnings = onceEach(diagnostics.warnings());

  if (check) {
    sim::checkTables(run, simulation);
    sim::checkInputs(run, simulation);
    sim::checkShapeFile(run, simulation);
    sim::checkDoneFile(run, sim::earlierRun(options.folder));
    sayUnits(warned, options);
    const CheckReport report = checkReport(simulation, drives, options, run.extractors);
    printResult(report.text);
    if (!report.failure.empty()) {
      Diagnostics failed(options.common.strict);
      failed.warn(
          fmt::format("{}: a test run has failed: {}", inputName(options.conf), report.failure));
      printWarnings(failed, options.common);
    }
    return 0;
  }

  if (const int cores = availableThreads(); simulation.threads() > cores)
    say(options.common,
        fmt::format("{} threads share {} core{}: results are the same, but threads wait "
                    "for each other",
                    simulation.threads(), cores, cores > 1 ? "s" : ""));
  run.stop = &stopRequested();
  run.progress = progressBar(options.common, "rockable");
  saveOnSignals();
  const sim::RunSummary summary = sim::run(simulation, run);
  const double perStep =
      summary.steps ? 1e6 * summary.wallSeconds / static_cast<double>(summary.steps) : 0.0;
  say(options.common, fmt::format("{} steps in {:.2f} s ({:.2f} microseconds per step), t = {} in "
                                  "the unit of the conf-file, state {:016x}",
                                  summary.steps, summary.wallSeconds, perStep,
                                  tableTime(simulation.time()), simulation.stateHash()));
  say(options.common, describe(summary.quality));
  Diagnostics findings;
  for (const std::string& finding : summary.findings) findings.warn(finding);
  printWarnings(findings, options.common);
  sayUnits(warned || !summary.findings.empty(), options);
  printRecord(options);
  if (summary.end == sim::RunEnd::stopped) {
    say(options.common,
        fmt::format("stopped before tmax; resume with: {}", resumeCommand(options)));
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
    writeDone(options);
  }
  // --quiet hides warnings, but under --strict these are errors.
  refuseUnderStrict(options, summary.quality, summary.findings, options.common.verbosity > 0);
  return 0;
}

}  // namespace scree::tools
