// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "shell_word.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/commands/commands.hpp"
#include "scree/sim/diagnosis.hpp"
#include "scree/sim/extract/table.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

constexpr int stoppedResumable = 75;

std::atomic<bool> stopRequested{false};

/// A first signal requests that the run saves and stops; a second INT or TERM ends the program at
/// once.
void onSignal(int signal) {
  stopRequested.store(true);
  // A closing terminal, or a scheduler, may send its signal twice.
  if (signal == SIGINT || signal == SIGTERM) (void)std::signal(signal, SIG_DFL);
}

/// From here on the signals of terminals and schedulers save the run.
void catchSignals() {
  (void)std::signal(SIGINT, onSignal);
  (void)std::signal(SIGTERM, onSignal);
  (void)std::signal(SIGUSR1, onSignal);
  // nohup and the like have it ignored.
  if (std::signal(SIGHUP, onSignal) == SIG_IGN) (void)std::signal(SIGHUP, SIG_IGN);
}

int keepLast(const std::string& keep) {
  if (keep.empty()) return 0;
  if (keep.compare(0, 5, "last:") == 0)
    if (const auto n = parseInteger(std::string_view(keep).substr(5));
        n && *n > 0 && *n < 1'000'000'000)
      return static_cast<int>(*n);
  throw UsageError(fmt::format("--keep: expected last:N with N above 0, found '{}'", keep));
}

/// The file of --done, of the run that has left its run.json in the folder of outputs.
void writeDone(const RockableOptions& options) {
  if (options.doneFile.empty()) return;
  const sim::RunRecord record = sim::earlierRun(options.folder);
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("end").value(record.end);
  json.key("steps").value(record.steps).key("time").value(record.time);
  json.key("stateHash").value(record.stateHash).end();
  writeFile(options.doneFile, json.take() + '\n', Existing::replace);
}

/// Whether the conf-file is still the one that the run in the folder of outputs began from.
bool isAsItWas(const RockableOptions& options) {
  const sim::RunRecord record = sim::earlierRun(options.folder);
  return options.conf != "-" &&
         std::any_of(record.inputs.begin(), record.inputs.end(), [&](const sim::InputFile& f) {
           return f.role == "conf" && f.hash == sim::fileHash(options.conf);
         });
}

/// How bodies differ in what a run never changes; "" where they do not.
std::string otherBodies(const sim::Conf& input, const sim::Conf& state) {
  const auto &a = input.particles, &b = state.particles;
  if (a.size() != b.size()) return fmt::format("{} bodies, not {}", a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (input.shapeNameOf(a[k]) != state.shapeNameOf(b[k]) || a[k].group != b[k].group ||
        a[k].cluster != b[k].cluster)
      return fmt::format("another body {}", k);
  return {};
}

/// The case of the conf-file as a run begins it: commands may add bodies or change clusters.
sim::Conf begun(sim::Conf conf, const RockableOptions& options) {
  if (conf.commands.empty()) return conf;
  Diagnostics ignored;
  const std::vector<shape::Shape> shapes = sim::shapesOf(conf, ignored);
  sim::runCommands(conf, shapes, ignored, !options.compat.empty());
  return conf;
}

/// The run that left its files in the folder of outputs had these shapes.
void warnOfShapes(const RockableOptions& options, bool done, Diagnostics& diagnostics) {
  for (const sim::InputFile& file : sim::earlierRun(options.folder).inputs) {
    std::error_code ignored;
    if (file.role == "shapes" && fs::exists(file.path, ignored) &&
        sim::fileHash(file.path) != file.hash)
      diagnostics.warn(fmt::format(
          "{} has changed since this run began: {}", file.path,
          done ? "its results are of the earlier shapes" : "it continues with other shapes"));
  }
}

/// The state in the folder of outputs that the run goes on from, or "". Of a run that is done, any
/// of its states tells which case it was.
std::string stateOf(const RockableOptions& options, bool done, Diagnostics& diagnostics) {
  const std::string state =
      sim::newestState(options.folder, diagnostics, threadCount(options.common.jobs));
  if (!state.empty() || !done) return state;
  const std::vector<std::string> series = sim::confSeries({options.folder});
  return series.empty() ? "" : series.back();
}

/// @throws ModelError where the run in the folder of outputs cannot be one of `conf` up to its
/// tmax. What the run does not take from the file warns.
void checkSameCase(const sim::Conf& conf, const sim::Conf& saved, const std::string& state,
                   bool done, const RockableOptions& options, Diagnostics& diagnostics) {
  if (const std::string other = otherBodies(begun(conf, options), saved); !other.empty())
    throw ModelError(fmt::format(
        "{}: differs from the case of {}: {}; name the conf-file that the run began from, or "
        "another folder with -o",
        options.conf, state, other));
  if (saved.t - conf.tmax > 1.5 * saved.dt)  // the last step may pass tmax
    throw ModelError(fmt::format("{}: tmax = {} is before t = {} of {}: nothing to run; raise tmax",
                                 options.conf, conf.tmax, sim::tableTime(saved.t), state));
  warnOfShapes(options, done, diagnostics);
  const auto changed = sim::changedParameters(conf, saved);
  if (!changed.empty() && !isAsItWas(options))
    diagnostics.warn(fmt::format("{} has changed since this run began, in {}: {} the values of {}",
                                 options.conf, fmt::join(changed, ", "),
                                 done ? "its results are of" : "the run continues with",
                                 done ? state
                                      : state + "; only tmax, interConf and precision are read "
                                                "from the file"));
}

/// @throws ModelError where --compat is given and the run in the folder of outputs began without
void checkSameMechanics(const RockableOptions& options, bool asRockable) {
  if (options.compat.empty() || asRockable) return;
  throw ModelError(
      fmt::format("{}: this run began without --compat rockable; resume it without this option, or "
                  "run the case with it into another folder with -o",
                  options.folder));
}

/// The state in the folder of outputs that the run goes on from, in place of `conf`; whether there
/// is one.
bool takeUp(sim::Conf& conf, const RockableOptions& options, Diagnostics& diagnostics) {
  const std::string state = stateOf(options, false, diagnostics);
  const sim::RunRecord record = sim::earlierRun(options.folder);
  if (state.empty()) {
    if (!record.path.empty() && record.end != "starting")
      checkSameMechanics(options, record.compat == "rockable");
    say(options.common, fmt::format("{}: no state at full precision to resume from; the "
                                    "run starts again from {}",
                                    options.folder, inputName(options.conf)));
    return false;
  }
  sim::Conf saved = sim::readConfFromFile(state, diagnostics, threadCount(options.common.jobs));
  checkSameMechanics(options, saved.summedClock.has_value());
  checkSameCase(conf, saved, state, false, options, diagnostics);
  saved.tmax = conf.tmax;  // the input may ask for more by now
  saved.interConf = conf.interConf;
  conf = std::move(saved);
  say(options.common, fmt::format("resuming from {} at t = {}, in the unit of the file", state,
                                  sim::tableTime(conf.t)));
  return true;
}

/// The run.json that the run has left, with --json.
void printRecord(const RockableOptions& options) {
  if (options.common.json) printResult(readFile((fs::path(options.folder) / "run.json").string()));
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
      fmt::format("rockable {} -o {} --resume", shellWord(options.conf), shellWord(options.folder));
  if (!options.keep.empty()) command += " --keep " + options.keep;
  if (!options.rest.empty())
    command += " --rest " + shellWord(options.rest);
  else if (options.untilRest)
    command += " --until-rest";
  if (options.compress) command += " --compress";
  if (options.checkpoint != sim::RunOptions{}.checkpoint)
    command += fmt::format(" --checkpoint {}", options.checkpoint);
  if (!options.doneFile.empty()) command += " --done " + shellWord(options.doneFile);
  if (options.common.jobs > 0) command += fmt::format(" -j {}", options.common.jobs);
  return command;
}

/// @throws ModelError under --strict where a run went wrong
/// @param findings  number of lines about it
void refuseUnderStrict(const RockableOptions& options, const sim::RunQuality& quality,
                       std::size_t findings) {
  if (!options.common.strict) return;
  if (findings > 0)
    throw ModelError(fmt::format("{} finding{} about the run, errors under --strict", findings,
                                 findings > 1 ? "s" : ""));
  if (!quality.withinBounds())
    throw ModelError(
        fmt::format("the run exceeds its bounds, an error under --strict: {}", describe(quality)));
}

/// --resume of a run that is done: the same checks as of one that is not, and what it ended with.
void reportDone(const sim::Conf& conf, const RockableOptions& options, Diagnostics& diagnostics) {
  const sim::RunRecord record = sim::earlierRun(options.folder);
  checkSameMechanics(options, record.compat == "rockable");
  const std::string state = stateOf(options, true, diagnostics);
  if (!state.empty())
    checkSameCase(conf, sim::readConfFromFile(state, diagnostics, threadCount(options.common.jobs)),
                  state, true, options, diagnostics);
  else if (!isAsItWas(options))
    throw ModelError(fmt::format(
        "{}: no conf-file of the run is left that shows whether it is a run of {}; choose another "
        "folder with -o",
        options.folder, options.conf));
  printWarnings(diagnostics, options.common);
  say(options.common, fmt::format("{}: the run is done; nothing to resume", options.folder));
  printRecord(options);
  std::error_code ignored;
  if (!options.check && !options.dryRun && !fs::exists(options.doneFile, ignored))
    writeDone(options);
  refuseUnderStrict(options, record.quality, record.findings);
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
      ->capture_default_str();
  app.add_option("-o,--output", options.folder, "Folder for all outputs")->capture_default_str();
  app.add_flag("--check", options.check,
               "Read and check all files, print what would run, and exit");
  app.add_flag("--dry-run", options.dryRun, "The same as --check");
  app.add_option("--steps", options.steps, "Stop after this many steps and save restart.conf")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 60));
  app.add_option("--until", options.until, "Stop at this time and save restart.conf");
  app.add_flag(
      "--until-rest", options.untilRest,
      "Also end the run once all bodies are at rest (see --rest); it never goes beyond tmax");
  app.add_option(
      "--rest", options.rest,
      "UNBALANCED,ENERGY,SECONDS: two limits of rest, and the time for which they must hold "
      "(default: 1e-3,1e-3 for 1000 steps). UNBALANCED is mean resultant over mean contact force, "
      "ENERGY kinetic over "
      "elastic energy. Implies --until-rest");
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
      ->capture_default_str();
  app.add_option("--replay", options.replay,
                 "Repeat the run of this run.json without outputs, and compare inputs and states. "
                 "Exit code 3 if they differ");
  app.add_option("--done", options.doneFile, "Write this file last, once the run has ended");
  app.add_option("--keep", options.keep,
                 "last:N: keep only the last N conf-files, and that of the start");
  app.add_flag("--compress", options.compress,
               "Write conf-files compressed with zstd, as conf<N>.zst; all tools read them");
  app.add_option("--compat", options.compat,
                 "rockable: reproduce the results of Rockable, its errors included");
  app.add_option(
      "--list", options.list,
      "Print laws, keywords, state (the #scree lines), servos, extractors, integrators or "
      "commands, and exit");
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
  sim::RunOptions run;
  run.checkpoint = options.checkpoint;
  run.folder = options.folder;
  run.input = inputName(options.conf);
  run.existing = options.common.existing();
  if (options.steps) run.steps = static_cast<std::uint64_t>(*options.steps);
  run.until = options.until;
  if (options.untilRest || !options.rest.empty())
    run.rest = options.rest.empty() ? sim::RestRule() : sim::restRule(options.rest);
  run.keepLast = keepLast(options.keep);
  run.compress = options.compress;
  run.tell = [&options](const std::string& message) { say(options.common, message); };

  const bool check = options.check || options.dryRun;
  if (!check) catchSignals();  // a signal that comes while files are read counts, too
  Diagnostics diagnostics(options.common.strict);
  sim::Conf conf =
      sim::readConfFromFile(options.conf, diagnostics, threadCount(options.common.jobs));
  conf.seed = static_cast<std::uint64_t>(options.seed);
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, options.conf);
  if (options.resume) {
    if (sim::runIsDone(options.folder, conf.tmax, conf.dt)) {
      reportDone(conf, options, diagnostics);
      return 0;
    }
    run.precision = conf.precision;
    run.firstConf = conf.iconf;
    run.resumed = takeUp(conf, options, diagnostics);
    run.beginsAgain = !run.resumed;
  }
  run.continues = !run.resumed && beginsFromOutput(options, confFiles);
  if (run.continues && !check && conf.runState && !conf.summedClock &&
      sim::stepsUntil(conf.t, conf.tmax, conf.dt) == 0) {
    say(options.common, fmt::format("{}: t = {} has reached tmax = {}; nothing to run",
                                    options.conf, sim::tableTime(conf.t), conf.tmax));
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
    sim::RunRecord record = sim::earlierRun(options.folder);
    run.seed = record.seed;
    if (!record.inputs.empty()) run.inputs = std::move(record.inputs);
  }
  const sim::Drives drives = check ? input.drives : sim::Drives();
  sim::Simulation simulation(std::move(input.conf), std::move(input.shapes),
                             std::move(input.drives),
                             {threadCount(options.common.jobs), asRockable}, diagnostics);
  if (options.until && simulation.time() - *options.until > 1.5 * simulation.timeStep())
    throw UsageError(fmt::format("--until: {} is before t = {}: nothing to run", *options.until,
                                 sim::tableTime(simulation.time())));
  sim::checkStart(simulation, !run.resumed, diagnostics);
  if (simulation.input().tmax < simulation.time())
    diagnostics.warn(simulation.input().errorAt(
        "tmax", fmt::format("tmax = {} is before t = {}: nothing to run", simulation.input().tmax,
                            sim::tableTime(simulation.time()))));
  printWarnings(diagnostics, options.common);
  run.warnings = onceEach(diagnostics.warnings());

  if (check) {
    sim::checkTables(run, simulation);
    printResult(checkReport(simulation, drives, options, run.extractors));
    return 0;
  }

  if (const int cores = availableThreads(); simulation.threads() > cores)
    say(options.common,
        fmt::format("{} threads share {} core{}: results are the same, but threads wait "
                    "for each other",
                    simulation.threads(), cores, cores > 1 ? "s" : ""));
  run.stop = &stopRequested;
  run.progress = progressBar(options.common, "rockable");
  const sim::RunSummary summary = sim::run(simulation, run);
  const double perStep =
      summary.steps ? 1e6 * summary.wallSeconds / static_cast<double>(summary.steps) : 0.0;
  say(options.common, fmt::format("{} steps in {:.2f} s ({:.2f} microseconds per step), t = {} in "
                                  "the unit of the conf-file, state {:016x}",
                                  summary.steps, summary.wallSeconds, perStep,
                                  sim::tableTime(simulation.time()), simulation.stateHash()));
  say(options.common, describe(summary.quality));
  Diagnostics findings;
  for (const std::string& finding : summary.findings) findings.warn(finding);
  printWarnings(findings, options.common);
  printRecord(options);
  if (summary.end == sim::RunEnd::stopped) {
    say(options.common,
        fmt::format("stopped before tmax; resume with: {}", resumeCommand(options)));
    if (stopRequested.load()) return stoppedResumable;
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
  refuseUnderStrict(options, summary.quality, summary.findings.size());
  return 0;
}

}  // namespace scree::tools
