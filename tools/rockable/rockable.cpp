// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/commands/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/io/driving_file.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

constexpr int stoppedResumable = 75;

std::atomic<bool> stopRequested{false};

/// A first signal asks the run to save and stop; a second one ends the program at once.
void onSignal(int signal) {
  stopRequested.store(true);
  std::signal(signal, SIG_DFL);
}

/// Where a file named by convention may stand: beside the conf-file, then in the current folder.
std::vector<std::string> companionPlaces(const std::string& name, const std::string& conf) {
  return {(fs::path(conf == "-" ? "" : conf).parent_path() / name).string(), name};
}
/// The first of them that exists; empty where there is none.
std::string companion(const std::string& name, const std::string& conf) {
  std::error_code ignored;
  for (const std::string& place : companionPlaces(name, conf))
    if (fs::exists(place, ignored)) return place;
  return {};
}

int keepLast(const std::string& keep) {
  if (keep.empty()) return 0;
  if (keep.compare(0, 5, "last:") == 0)
    if (const auto n = parseInteger(std::string_view(keep).substr(5));
        n && *n > 0 && *n < 1'000'000'000)
      return static_cast<int>(*n);
  throw UsageError(fmt::format("--keep: expected last:N with N above 0, found '{}'", keep));
}

void writeDone(const std::string& file, const sim::Simulation& simulation) {
  if (file.empty()) return;
  writeFile(
      file,
      fmt::format(
          "{{\"schema\":1,\"end\":\"tmax\",\"steps\":{},\"time\":{},\"stateHash\":\"{:016x}\"}}\n",
          simulation.stepIndex(), simulation.time(), simulation.stateHash()),
      Existing::replace);
}

}  // namespace

void addOptions(CLI::App& app, RockableOptions& options) {
  addCommonOptions(app, options.common,
                   "  rockable conf0                      run it here, on all cores\n"
                   "  rockable case.conf -o out -j 2      outputs into folder out, two threads\n"
                   "  rockable --check case.conf          say what would run, and what looks odd\n"
                   "  rockable case.conf -o out --resume   go on where a stopped run left off");
  app.add_option("CONF", options.conf, "Conf-file to run; - is standard input")
      ->capture_default_str();
  app.add_option("-o,--output", options.folder, "Folder for all outputs")->capture_default_str();
  app.add_flag("--check", options.check, "Read and check all files, print what would run, and end");
  app.add_flag("--dry-run", options.dryRun, "The same as --check");
  app.add_option("--steps", options.steps, "Make at most so many steps, then save restart.conf")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 60));
  app.add_option("--until", options.until, "Run at most to this time, then save restart.conf");
  app.add_flag("--resume", options.resume,
               "Go on from the newest state in the output folder; nothing where the run is done");
  app.add_option("--done", options.doneFile,
                 "Write this file last, once the run has come to its end");
  app.add_option("--keep", options.keep, "last:N keeps only the last N conf-files");
  app.add_option("--compat", options.compat,
                 "rockable: depart from right physics where that program does (not available yet)");
  app.add_option("--list", options.list,
                 "Print laws, keywords, servos, extractors, integrators or commands, and end");
}

int rockable(const RockableOptions& options) {
  if (!options.list.empty()) {
    printResult(listOf(options.list));
    return 0;
  }
  if (!options.compat.empty()) throw UsageError("--compat: not available in this version");
  if (options.until && options.steps) throw UsageError("--until and --steps exclude each other");

  if (options.until && !std::isfinite(*options.until))
    throw UsageError("--until: expected a finite time");
  sim::RunOptions run;
  run.folder = options.folder;
  run.input = options.conf == "-" ? "<stdin>" : options.conf;
  run.existing = options.common.existing();
  if (options.steps) run.steps = static_cast<std::uint64_t>(*options.steps);
  run.until = options.until;
  run.keepLast = keepLast(options.keep);
  run.drivingFiles = companionPlaces("drivingSystem.txt", options.conf);
  run.tell = [&options](const std::string& message) { say(options.common, message); };

  Diagnostics diagnostics(options.common.strict);
  sim::Conf conf = sim::readConfFromFile(options.conf, diagnostics);
  if (options.resume) {
    if (sim::runIsDone(options.folder, conf.tmax, conf.dt)) {
      say(options.common, fmt::format("{}: the run is done; nothing to resume", options.folder));
      return 0;
    }
    if (const std::string state = sim::newestState(options.folder); !state.empty()) {
      const double tmax = conf.tmax,
                   interConf = conf.interConf;  // the input may ask for more by now
      conf = sim::readConfFromFile(state, diagnostics);
      conf.tmax = tmax;
      conf.interConf = interConf;
      run.resumed = true;
      say(options.common, fmt::format("resuming from {} at t = {}", state, conf.t));
    }
  }
  std::vector<shape::Shape> shapes = sim::shapesOf(conf, diagnostics);
  sim::runCommands(conf, shapes, diagnostics);  // may change what drives and tables refer to
  sim::Drives drives;
  if (const std::string file = companion("drivingSystem.txt", options.conf); !file.empty()) {
    TextReader in = TextReader::fromFile(file);
    drives = sim::readDriving(in, conf.nDriven, conf.particles.size(), diagnostics);
  }
  if (const std::string file = companion("dataExtractors.txt", options.conf); !file.empty()) {
    TextReader in = TextReader::fromFile(file);
    run.extractors = sim::readDataExtractors(in, diagnostics);
  }
  sim::Simulation simulation(std::move(conf), std::move(shapes), std::move(drives),
                             threadCount(options.common.jobs), diagnostics);
  printWarnings(diagnostics, options.common);
  run.warnings = diagnostics.warnings();

  if (options.check || options.dryRun) {
    printResult(checkReport(simulation, options));
    return 0;
  }

  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  run.stop = &stopRequested;
  run.progress = progressBar(options.common, "rockable");
  const sim::RunSummary summary = sim::run(simulation, run);
  const double perStep =
      summary.steps ? 1e6 * summary.wallSeconds / static_cast<double>(summary.steps) : 0.0;
  say(options.common,
      fmt::format("{} steps in {:.2f} s ({:.2f} microseconds a step), t = {}, state {:016x}",
                  summary.steps, summary.wallSeconds, perStep, simulation.time(),
                  simulation.stateHash()));
  if (options.common.json) printResult(readFile((fs::path(options.folder) / "run.json").string()));
  if (summary.end == sim::RunEnd::stopped) {
    say(options.common, fmt::format("stopped before tmax; resume with: rockable {} -o {} --resume",
                                    options.conf, options.folder));
    return stopRequested.load() ? stoppedResumable : 0;
  }
  writeDone(options.doneFile, simulation);
  return 0;
}

}  // namespace scree::tools
