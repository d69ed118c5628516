// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

namespace scree::tools {
namespace {

struct RockableOptions {
  CommonOptions common;
  sim::RunOptions run;  ///< folder, steps, until, checkpoint, compress and doneFile as given
  std::string conf = "conf0";
  bool check = false, resume = false, untilRest = false;
  std::string rest;  ///< UNBALANCED,ENERGY,SECONDS
  std::optional<std::int64_t> seed;
  std::string keep, compat, list, replay;
};

int keepLast(const std::string& keep) {
  if (keep.empty()) return 0;
  if (keep.compare(0, 5, "last:") == 0)
    if (const auto n = parseInteger(std::string_view(keep).substr(5));
        n && *n > 0 && *n < 1'000'000'000)
      return static_cast<int>(*n);
  throw UsageError(fmt::format("--keep: expected last:N with N above 0, found '{}'", keep));
}

/// @throws ModelError where results cannot be used, or with --strict are beyond their bounds
void judge(const sim::RunRecord& record, bool strict) {
  if (!record.fault.empty()) throw ModelError(fmt::format("{}: {}", record.input, record.fault));
  if (!strict) return;
  if (const std::size_t findings = record.findings.size(); findings > 0)
    throw ModelError(
        fmt::format("{} about the run, errors under --strict", counted(findings, "finding")));
  if (!record.quality.withinBounds())
    throw ModelError(fmt::format("the run exceeds its bounds, an error under --strict: {}",
                                 describe(record.quality)));
}

/// Prints what the record of a run says: its findings, and with --json all of it.
void print(const sim::RunRecord& record, const CommonOptions& common) {
  Diagnostics warnings;
  for (const std::string& finding : record.findings) warnings.warn(finding);
  printWarnings(warnings, common);
  if (common.json) printResult(runJson(record));
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

void check(sim::Simulation& simulation, const sim::Drives& drives,
           const sim::CriticalStep& critical, const sim::RunOptions& run,
           const CommonOptions& common) {
  sim::checkOutputs(run, simulation);
  const CheckReport report = checkReport(simulation, drives, critical, common.json);
  printResult(report.text);
  if (report.failure.empty()) return;
  Diagnostics failed(common.strict);
  failed.warn(fmt::format("{}: a test run has failed: {}", run.input, report.failure));
  printWarnings(failed, common);
}

/// Tells how a run has ended. @returns the exit code
int finish(const sim::RunSummary& summary, const CommonOptions& common) {
  const sim::RunRecord& record = summary.record;
  const double perStep =
      summary.steps ? 1e6 * summary.wallSeconds / static_cast<double>(summary.steps) : 0.0;
  say(common, fmt::format("{} steps in {:.2f} s ({:.2f} microseconds per step), t = {} in the unit "
                          "of the conf-file, state {}",
                          summary.steps, summary.wallSeconds, perStep, tableTime(record.time),
                          record.stateHash));
  say(common, describe(record.quality));
  print(record, common);
  if (record.status == "stopped") {
    say(common, "stopped before tmax; --resume continues the run, without --until and --steps");
    if (stopRequested().load()) return stoppedResumable;
  } else {
    if (record.status == "extractor")
      say(common, fmt::format("ended before tmax by {}", record.ending.by));
    else if (record.status == "rest")
      say(common, fmt::format("at rest: {}", record.ending.by));
    else if (std::isfinite(record.rest.unbalanced))
      say(common, fmt::format("tmax reached before rest: {}", describe(record.rest)));
    if (!summary.restartFile.empty())
      say(common, fmt::format("no conf-file holds the last state at full precision: {} holds it",
                              summary.restartFile));
    if (!record.doneFile.empty())
      writeFile(record.doneFile, sim::doneText(record), Existing::replace);
  }
  judge(record, common.strict);
  return 0;
}

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
  app.add_option("--list", options.list,
                 "Print laws, keywords, servos, extractors, integrators or commands, and exit")
      ->check(notEmpty)
      ->option_text("WHAT");
}

/// Runs, checks or lists, as the options say. @returns the exit code
int rockable(const RockableOptions& options) {
  const CommonOptions& common = options.common;
  if (!options.list.empty()) {
    printResult(common.json ? listJson(options.list) : listOf(options.list));
    return 0;
  }
  if (!options.replay.empty()) return replay(options.replay, common);
  sim::RunOptions run = runOptions(options);
  if (!options.check) endOnSignals(common.verbosity == 0);
  const int threads = threadCount(common.jobs);
  Diagnostics diagnostics(common.strict);
  sim::Conf conf = sim::readConfFromFile(options.conf, diagnostics);
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, options.conf);
  run.earlier = std::make_shared<const sim::RunRecord>(sim::earlierRun(run.folder));
  conf.seed = options.seed.value_or(0);
  bool asRockable = !options.compat.empty();
  if (options.resume &&
      !continueRun(conf, run, {options.conf, asRockable, options.seed}, diagnostics)) {
    printWarnings(diagnostics, common);
    say(common, fmt::format("{}: the run is done; nothing to resume", run.folder));
    print(*run.earlier, common);
    if (!run.doneFile.empty() && !options.check) {
      const std::string text = sim::doneText(*run.earlier);
      if (!isRegularFile(run.doneFile) || readFile(run.doneFile) != text)
        writeFile(run.doneFile, text, Existing::refuse);
    }
    judge(*run.earlier, common.strict);
    return 0;
  }
  // A run goes on with the mechanics that it began with, also where it begins again.
  asRockable |= run.beginsAgain && run.earlier->compat == "rockable";
  sim::RunInput input = sim::readRunInput(std::move(conf), confFiles, diagnostics, asRockable);
  run.drivingFile = std::move(input.drivingFile);
  if (input.conf.drewLots) run.seed = input.conf.seed;
  run.extractors = std::move(input.extractors);
  if (run.resumed) run.impacts = input.conf.state().impacts;
  run.inputs = std::move(input.files);
  if (run.resumed) keepInputs(run, input.conf.t, diagnostics);
  sim::Simulation simulation(std::move(input.conf), std::move(input.shapes), input.drives,
                             {threads, asRockable}, diagnostics);
  if (run.until && simulation.time() - *run.until > 1.5 * simulation.timeStep())
    throw UsageError(fmt::format("--until: {} is before t = {}: nothing to run", *run.until,
                                 tableTime(simulation.time())));
  const sim::CriticalStep critical = sim::checkStart(simulation, !run.resumed, diagnostics);
  printWarnings(diagnostics, common);
  run.warnings = onceEach(diagnostics.warnings());
  if (options.check) {
    check(simulation, input.drives, critical, run, common);
    return 0;
  }
  run.stop = &stopRequested();
  run.progress = progressBar(common, "rockable");
  stopOnSignals();
  return finish(sim::run(simulation, run), common);
}

}  // namespace
}  // namespace scree::tools

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Run a conf-file: simulate bodies of real shape by the discrete element method.",
               "rockable"};
  RockableOptions options;
  addOptions(app, options);
  return runTool(app, argc, argv, options.common, [&] { return rockable(options); });
}
