// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/run.hpp"

#include "driving_watch.hpp"
#include "folder_lock.hpp"
#include "run_report.hpp"
#include "run_tables.hpp"
#include "side_files.hpp"

#include "scree/base/background.hpp"
#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <memory>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// States that wait to be written, the one under way included: what bounds the memory they take.
constexpr std::size_t mostPending = 2;

/// More steps than any run can make; keeps huge times within the range of integers.
constexpr double mostSteps = 1e18;

double secondsSince(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

/// Everything a run leaves in its folder. Conf-files, and the run.json after each, are written in
/// the background, one after the other in the order of the run; once this object has gone, nothing
/// is under way.
class Outputs {
 public:
  /// Nothing is written, nor a folder made, before all is known to be in order.
  Outputs(Simulation& simulation, const RunOptions& options)
      : simulation_(simulation), options_(options), sentinel_(simulation), begin_(Clock::now()) {
    checkTables(options.extractors, simulation);
    // The shape-file as it is named from the folder of the outputs.
    const Conf& conf = simulation.input();
    if (!conf.shapeFile.empty())
      shapeFile_ =
          relativeTo(resolvedPath(conf.shapeFile, conf.source == inputName("-") ? "" : conf.source),
                     options.folder);
    lock_.lock(options.folder);
    const RunRecord earlier = earlierRun(options.folder);
    if (options.rest) rest_.emplace(*options.rest, options.resumed ? earlier.calmSince : HUGE_VAL);
    if (options.resumed) {
      listed_ = earlier.outputs;
    } else {
      checkRoom(earlier.outputs);
      makeRoom(earlier.outputs);
    }
    std::error_code code;
    fs::create_directories(options.folder, code);
    if (!fs::is_directory(options.folder))
      throw IoError(fmt::format("{}: cannot make the folder: {}", options.folder, code.message()));
    lock_.lock(options.folder);
    const bool goesOn = options.resumed || options.continues;
    side_.emplace(options.folder, simulation, goesOn);
    tables_.emplace(options.folder, options.extractors, simulation, goesOn);
    if (!sameFile(conf.source, path("restart.conf"))) heldAt_ = simulation.stepIndex();
    for (const ScriptedExtractor& e : options.extractors) list(e.file);
    for (const std::string& name : SideFiles::names()) list(name);
    list("checkplots.txt");
    if (!options.extractors.empty()) {
      writeFile(path("extractedDataDoc.txt"), tablesText(options.extractors), Existing::replace);
      list("extractedDataDoc.txt");
    }
    if (!goesOn && inputNumbered(simulation.input().iconf).empty())
      handOver(simulation.input().iconf);
    else
      report("running");
  }

  std::string path(const std::string& name) const {
    return (fs::path(options_.folder) / name).string();
  }

  /// The next step after `step` that is to be handed to step().
  std::uint64_t nextStep(std::uint64_t step) const {
    return std::min({sentinel_.nextStep(step), tables_->nextStep(step),
                     rest_ ? RestWatch::nextStep(step) : UINT64_MAX});
  }
  std::span<const double> slow() const { return sentinel_.slow(); }
  /// After each step that nextStep() tells and where somebody is not slow(). @returns why an
  /// extractor ends the run; empty: it goes on
  std::string step() {
    sentinel_.step(simulation_);
    tables_->write(simulation_);
    return tables_->endsRun(simulation_);
  }
  /// After step(), where the run is to end once it is at rest.
  bool isAtRest() { return rest_ && rest_->step(simulation_); }
  const std::optional<RestWatch>& rest() const { return rest_; }
  /// Returns when all that was handed over for writing is in the folder.
  /// @throws IoError where it could not be written
  void settle() { writing_.finish(); }
  /// The file that holds the last state found good; it is there once all is settled.
  const std::string& lastState() const { return lastState_.empty() ? options_.input : lastState_; }

  void conf() {
    simulation_.requireFinite();
    simulation_.setIconf(simulation_.input().iconf + 1);
    const int number = simulation_.input().iconf;
    if (const std::string input = inputNumbered(number); !input.empty())
      throw IoError(fmt::format(
          "{}: is the input of this run and would be overwritten; choose another folder with -o",
          input));
    sentinel_.look(simulation_);
    side_->write(simulation_, secondsSince(lastConf_));
    const bool rounded = options_.precision.value_or(simulation_.input().precision) >= 0;
    heldAt_ = rounded ? UINT64_MAX : simulation_.stepIndex();
    if (const std::string name = handOver(number); options_.keepLast > 0) recent_.push_back(name);
    lastConf_ = Clock::now();
  }

  std::string restart() {
    const std::string name = path("restart.conf");
    Conf conf = simulation_.conf();
    conf.shapeFile = shapeFile_;
    conf.precision = -1;
    writeFile(name, confText(conf), Existing::replace);
    list("restart.conf");
    return name;
  }

  /// The run has come to its end. @returns restart.conf where no conf-file holds its state, with
  /// all digits (tmax may lie a step behind the last one); else that goes, and ""
  std::string done() {
    if (heldAt_ == UINT64_MAX || simulation_.stepIndex() - heldAt_ > 1) return restart();
    if (isInput(path("restart.conf"))) return {};
    std::error_code ignored;
    fs::remove(path("restart.conf"), ignored);
    std::erase(listed_, "restart.conf");
    return {};
  }

  void report(const std::string& end) const {
    writeFile(path("run.json"), reportText(end), Existing::replace);
  }

  /// run.json of a run that could not write, if that can be written. Once nothing else is under
  /// way, which would write it, too. What has failed first is what the user is told.
  void fail() {
    for (const bool settled : {false, true}) {
      try {
        if (settled)
          report("failed");
        else
          settle();
      } catch (const IoError&) {
      }
    }
  }

  std::vector<std::string> findings() const { return sentinel_.findings(); }
  std::uint64_t outrunLists() const { return sentinel_.outrunLists(); }

 private:
  bool isInput(const std::string& file) const {
    return sameFile(file, options_.input) ||
           std::any_of(options_.inputs.begin(), options_.inputs.end(),
                       [&](const InputFile& input) { return sameFile(file, input.path); });
  }

  /// The input in this folder that has the name of conf-file `number`, compressed or not; or "".
  std::string inputNumbered(int number) const {
    for (const bool compressed : {false, true})
      if (const std::string file = path(confName(number, compressed)); isInput(file)) return file;
    return {};
  }

  /// What neither an earlier run has left nor is an input must not be in the way.
  void checkRoom(const std::vector<std::string>& earlier) const {
    const auto mayWrite = [&](const std::string& name) {
      if (std::find(earlier.begin(), earlier.end(), name) == earlier.end() && !isInput(path(name)))
        checkMayWrite(path(name), options_.existing);
    };
    for (const std::string& name : SideFiles::names()) mayWrite(name);
    for (const char* name : {"checkplots.txt", "restart.conf"}) mayWrite(name);
    if (!options_.extractors.empty()) mayWrite("extractedDataDoc.txt");
    for (const ScriptedExtractor& e : options_.extractors) {
      if (isInput(path(e.file)))
        throw ParseError(e.where, fmt::format("'{}' is an input of this run and would be "
                                              "overwritten; choose another folder with -o",
                                              path(e.file)));
      mayWrite(e.file);
    }
    std::error_code code;
    if (fs::is_directory(options_.folder, code)) {
      // Conf-files that this run will write, whoever they are from.
      const Conf& conf = simulation_.input();
      const double expected =
          static_cast<double>(stepsUntil(simulation_.time(), conf.tmax, conf.dt)) * conf.dt /
          conf.interConf;
      for (const std::string& file : confSeries({options_.folder})) {
        const std::int64_t number = confNumber(file).value();
        if (number >= conf.iconf && static_cast<double>(number - conf.iconf) < expected + 1.5)
          for (const bool compressed : {false, true}) mayWrite(confName(number, compressed));
      }
    }
  }

  /// An earlier run's outputs make place, the inputs never; where this run continues that one, only
  /// those of later states.
  void makeRoom(const std::vector<std::string>& earlier) {
    const std::int64_t last =
        std::max<std::int64_t>(simulation_.input().iconf, confNumber(options_.input).value_or(0));
    const auto stays = [&](const std::string& name) {
      if (isInput(path(name))) return true;
      if (!options_.continues || name == "restart.conf") return false;
      const std::optional<std::int64_t> number = confNumber(name);
      return !number || *number <= last;
    };
    for (const std::string& name : earlier) {
      if (fs::path(name).has_parent_path()) continue;  // only what stands in this folder
      std::error_code ignored;
      if (stays(name))
        listed_.push_back(name);
      else
        fs::remove(path(name), ignored);
    }
  }

  void list(const std::string& name) {
    if (std::find(listed_.begin(), listed_.end(), name) == listed_.end()) listed_.push_back(name);
  }

  std::string reportText(const std::string& end) const {
    return runJson(simulation_, options_, end, secondsSince(begin_), listed_, sentinel_, rest_);
  }

  /// Hands the state, and run.json as it is with it, over for writing. @returns the file's name
  std::string handOver(int number) {
    writing_.awaitRoom();
    auto conf = std::make_shared<Conf>(simulation_.conf());
    conf->shapeFile = shapeFile_;
    conf->precision = options_.precision.value_or(conf->precision);
    const std::string name = confName(number, options_.compress);
    // Goes once this file is there: an earlier run's of the same number in the other form, and what
    // is not to be kept any longer.
    std::vector<std::string> leaving{confName(number, !options_.compress)};
    if (options_.keepLast > 0 && recent_.size() >= static_cast<std::size_t>(options_.keepLast)) {
      leaving.push_back(recent_.front());
      recent_.pop_front();
    }
    list(name);
    for (std::string& file : leaving) {
      std::erase(listed_, file);
      file = path(file);
    }
    writing_.submit([conf = std::move(conf), leaving = std::move(leaving), file = path(name),
                     existing = options_.resumed ? Existing::replace : options_.existing,
                     reportFile = path("run.json"), report = reportText("running")] {
      writeFile(file, confText(*conf), existing);
      std::error_code ignored;
      for (const std::string& old : leaving) fs::remove(old, ignored);
      writeFile(reportFile, report, Existing::replace);
    });
    lastState_ = path(name);
    return name;
  }

  Simulation& simulation_;
  const RunOptions& options_;
  FolderLock lock_;
  Sentinel sentinel_;
  Clock::time_point begin_, lastConf_ = Clock::now();
  std::string shapeFile_, lastState_;
  std::uint64_t heldAt_ = UINT64_MAX;  ///< the step whose state a conf-file holds, or the input
  std::optional<SideFiles> side_;
  std::optional<RunTables> tables_;
  std::optional<RestWatch> rest_;
  std::vector<std::string> listed_;
  std::deque<std::string> recent_;
  BackgroundJobs writing_{mostPending};  // last: its thread ends before anything else goes
};

}  // namespace

std::uint64_t stepsUntil(double t, double tmax, double dt) {
  const double n = std::ceil((tmax - t) / dt - 1e-6);
  return n > 0.0 ? static_cast<std::uint64_t>(std::min(n, mostSteps)) : 0;
}

std::uint64_t nextOutputStep(std::uint64_t step, double period, double dt) {
  const double perOutput = period / dt, now = static_cast<double>(step);
  if (perOutput <= 1.0) return step + 1;
  // The multiple that `step` has reached, less one for safety; then the first one due after it.
  const double reached = std::floor((now + 0.5) / perOutput);
  for (int more = -1; more <= 2; ++more) {
    const double k = reached + more;
    const double due = std::min(std::ceil(k * perOutput - 0.5 - 1e-9), 2.0 * mostSteps);
    if (due > now && k > 0.0) return static_cast<std::uint64_t>(due);
  }
  return step + 1;  // so many steps that a double no longer tells them apart
}

RunSummary run(Simulation& simulation, const RunOptions& options) {
  const auto begin = Clock::now();
  const Conf& conf = simulation.input();
  const double dt = conf.dt, tmax = conf.tmax;
  const std::uint64_t first = simulation.stepIndex();
  const std::uint64_t last = first + stepsUntil(simulation.time(), tmax, dt);
  std::uint64_t stopAt = last;
  if (options.until)
    stopAt = std::min(stopAt, first + stepsUntil(simulation.time(), *options.until, dt));
  const std::uint64_t most =
      options.steps ? first + std::min(*options.steps, UINT64_MAX - first) : UINT64_MAX;
  stopAt = std::min(stopAt, most);

  Outputs outputs(simulation, options);
  DrivingWatch driving(options.drivingFiles, options.tell);
  std::uint64_t nextConf = nextOutputStep(first, conf.interConf, dt);
  const auto nextProgress = [&](std::uint64_t at) {
    return options.progress ? at + std::max<std::uint64_t>(1, (last - first) / 1000) : UINT64_MAX;
  };
  std::uint64_t progressAt = nextProgress(first);
  // The count of Rockable: steps are made while the sum of dt has not passed the end.
  const double end = options.until ? *options.until - 1e-6 * dt : HUGE_VAL;
  const auto goesOn = [&] {
    return simulation.compat() ? simulation.time() <= tmax && simulation.time() < end &&
                                     simulation.stepIndex() < most
                               : simulation.stepIndex() < stopAt;
  };
  bool interrupted = false, atRest = false;
  RunSummary summary;
  try {
    while (goesOn()) {
      if (options.stop && options.stop->load(std::memory_order_relaxed)) {
        interrupted = true;
        break;
      }
      // Nobody asks for the state before that step; what Rockable counts is looked at each step.
      const std::uint64_t at = simulation.stepIndex(),
                          until = std::min({stopAt, nextConf, outputs.nextStep(at), progressAt});
      simulation.steps(simulation.compat() ? 1 : until - at, {outputs.slow(), options.stop});
      summary.endedBy = outputs.step();
      if (summary.endedBy.empty() && outputs.isAtRest()) {
        atRest = true;
        summary.endedBy = describe(outputs.rest()->ratios());
      }
      if (simulation.compat() ? simulation.confIsDue() : simulation.stepIndex() == nextConf) {
        outputs.conf();
        driving.look(simulation);
        nextConf = nextOutputStep(nextConf, conf.interConf, dt);
      } else if (!summary.endedBy.empty()) {
        outputs.conf();  // the state at the end
      }
      if (!summary.endedBy.empty()) break;
      if (simulation.stepIndex() >= progressAt) {
        options.progress(static_cast<double>(simulation.stepIndex() - first) /
                         static_cast<double>(last - first));
        progressAt = nextProgress(simulation.stepIndex());
      }
    }
  } catch (const ModelError& error) {
    try {
      outputs.settle();
    } catch (const IoError& lost) {
      outputs.fail();
      throw IoError(fmt::format("{}; besides, the run has failed: {}", lost.what(), error.what()));
    }
    outputs.report("failed");
    throw ModelError(
        fmt::format("{}. The last good state is {}", error.what(), outputs.lastState()));
  } catch (const IoError&) {
    outputs.fail();
    throw;
  }
  const auto orFail = [&outputs](auto&& write) {
    try {
      write();
    } catch (const IoError&) {
      outputs.fail();
      throw;
    }
  };
  orFail([&] { outputs.settle(); });
  if (options.progress && !interrupted) options.progress(1.0);

  summary.steps = simulation.stepIndex() - first;
  summary.wallSeconds = secondsSince(begin);
  summary.findings = outputs.findings();
  if (outputs.rest()) summary.rest = outputs.rest()->ratios();
  if (const std::uint64_t outruns = outputs.outrunLists(); outruns > 0 && options.tell)
    options.tell(fmt::format(
        "in {} period{} interVerlet bodies moved further than DVerlet and dVerlet allow; {}",
        outruns, outruns > 1 ? "s" : "",
        simulation.compat() ? "lists were made by that period all the same"
                            : "lists go by motion, so no contact was missed"));
  orFail([&] {
    if (!summary.endedBy.empty()) {
      summary.end = atRest ? RunEnd::rest : RunEnd::extractor;
      summary.restartFile = outputs.done();
      outputs.report(atRest ? "rest" : "extractor");
    } else if (simulation.compat() ? simulation.time() <= tmax : simulation.stepIndex() < last) {
      summary.end = RunEnd::stopped;
      summary.restartFile = outputs.restart();
      outputs.report("stopped");
    } else {
      summary.restartFile = outputs.done();
      outputs.report("tmax");
    }
  });
  return summary;
}

}  // namespace scree::sim
