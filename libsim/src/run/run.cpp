// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/run.hpp"

#include "engine/engine.hpp"
#include "run_outputs.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

namespace scree::sim {
namespace {

/// More steps than any run can make; keeps huge times within the range of integers.
constexpr double mostSteps = 1e18;

std::string firstFileOf(const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files)
    if (std::filesystem::is_regular_file(file, ignored)) return file;
  return {};
}

/// Checks whether drivingSystem.txt was edited during a run, and reads it again then.
class DrivingWatch {
 public:
  /// @param files  where it may stand; the first that exists counts
  DrivingWatch(const std::vector<std::string>& files,
               const std::function<void(const std::string&)>& tell)
      : files_(files), tell_(tell), text_(read()) {}

  /// Reads the file again where it has changed. A file with a mistake is reported once, and the run
  /// keeps its drives: a slip in an editor must not end a long run. So it does for a missing file.
  void look(Simulation& simulation);

 private:
  /// Empty where there is no file, or none that can be read: an editor may be about to replace it.
  std::string read() const {
    try {
      const std::string file = firstFileOf(files_);
      return file.empty() ? file : readFile(file);
    } catch (const IoError&) {
      return {};
    }
  }

  const std::vector<std::string>& files_;
  const std::function<void(const std::string&)>& tell_;
  std::string text_;
};

void DrivingWatch::look(Simulation& simulation) {
  std::string text = read();
  if (text.empty() || text == text_) return;
  text_ = std::move(text);
  const std::string name = firstFileOf(files_);
  const auto say = [this](const std::string& message) {
    if (tell_) tell_(message);
  };
  try {
    TextReader in(name, text_);
    Diagnostics diagnostics;
    simulation.setDrives(
        readDriving(in, simulation.bodies().driven, simulation.bodies().size(), diagnostics));
    for (const std::string& warning : diagnostics.warnings()) say(warning);
    say(fmt::format("{}: has changed and acts from t = {} on", name, simulation.time()));
  } catch (const Error& error) {
    say(fmt::format("{}; the previous drives stay in force", error.what()));
  }
}

}  // namespace

std::uint64_t stepsUntil(double t, double tmax, double dt) {
  const double n = std::ceil((tmax - t) / dt - 1e-6);
  return n > 0.0 ? static_cast<std::uint64_t>(std::min(n, mostSteps)) : 0;
}

std::string statusOf(RunEnd end) {
  constexpr std::array names{"tmax", "stopped", "extractor", "rest"};  // as RunEnd
  return names[static_cast<std::size_t>(end)];
}

std::string faultOf(const Simulation& simulation, const RunQuality& quality, bool ended) {
  // Where contacts live by list the budget need not close, and the work of a Tempo is not in it.
  const bool closes = !engineOf(simulation).rules().byList && simulation.input().tempos.empty();
  if (const double residual = quality.energyResidual.value_or(0.0);
      closes && residual > RunQuality::largestResidual)
    return fmt::format(
        "the energy residual is {:.3g} % of the energy exchanged: the results are wrong; lower dt",
        100.0 * residual);
  const std::size_t free = simulation.bodies().size() - simulation.bodies().driven;
  if (ended && free > 0 && endlessFalls(simulation).size() == free)
    return "all free bodies fall for ever: no driven body is below them";
  return {};
}

RunSummary run(Simulation& simulation, const RunOptions& options) {
  const auto begin = WallClock::now();
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

  RunOutputs outputs(simulation, options);
  DrivingWatch driving(options.drivingFiles, options.tell);
  std::uint64_t nextConf = nextOutputStep(first, conf.interConf, dt);
  const auto nextProgress = [&](std::uint64_t at) {
    return options.progress ? at + std::max<std::uint64_t>(1, (last - first) / 1000) : UINT64_MAX;
  };
  std::uint64_t progressAt = nextProgress(first);
  // A clock that is a sum of steps: they are made while the sum has not passed the end.
  const bool summed = engineOf(simulation).rules().summedClock;
  const double end = options.until ? *options.until - 1e-6 * dt : HUGE_VAL;
  const auto goesOn = [&] {
    return summed ? simulation.time() <= tmax && simulation.time() < end &&
                        simulation.stepIndex() < most
                  : simulation.stepIndex() < stopAt;
  };
  bool interrupted = false;
  RunSummary summary;
  Ending ending = outputs.ending();
  try {
    while (ending.by.empty() && goesOn()) {
      if (options.stop && options.stop->load(std::memory_order_relaxed)) {
        interrupted = true;
        break;
      }
      // Steps between two looks at the state are made together, unless a summed clock counts them.
      const std::uint64_t at = simulation.stepIndex(),
                          until = std::min({stopAt, nextConf, outputs.nextStep(at), progressAt});
      simulation.steps(summed ? 1 : until - at, {outputs.slow(), options.stop});
      ending = outputs.step();
      if (!ending.by.empty()) {
        outputs.lastConf(ending);
        break;
      }
      if (summed ? simulation.confIsDue() : simulation.stepIndex() == nextConf) {
        outputs.conf();
        driving.look(simulation);
        nextConf = nextOutputStep(nextConf, conf.interConf, dt);
      }
      outputs.checkpoint();
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
      throw IoError(fmt::format("{}; also, the run has failed: {}", lost.what(), error.what()));
    }
    outputs.report("failed");
    if (options.tell) options.tell("until it failed: " + describe(outputs.quality()));
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
  if (outputs.rest()) summary.rest = outputs.rest()->ratios();
  orFail([&] {
    const bool stopped =
        ending.by.empty() && (summed ? simulation.time() <= tmax : simulation.stepIndex() < last);
    summary.end = stopped ? RunEnd::stopped : ending.by.empty() ? RunEnd::tmax : ending.how;
    summary.endedBy = ending.by;
    summary.restartFile = stopped ? outputs.stopped() : outputs.done();
    outputs.report(statusOf(summary.end));
  });
  // The last state has been looked at as it was written.
  summary.findings = outputs.findings();
  summary.quality = outputs.quality();
  summary.fault = faultOf(simulation, summary.quality, summary.end == RunEnd::tmax);
  return summary;
}

}  // namespace scree::sim
