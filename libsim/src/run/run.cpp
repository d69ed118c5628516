// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/run.hpp"

#include "engine/engine.hpp"
#include "run_outputs.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::sim {
namespace {

/// More steps than any run can make; keeps huge times within the range of integers.
constexpr double mostSteps = 1e18;

/// Reads drivingSystem.txt again where it was edited during a run. A file with a mistake is
/// reported once, and the run keeps its drives: a slip in an editor must not end a long run.
class DrivingWatch {
 public:
  explicit DrivingWatch(const RunOptions& options)
      : file_(options.drivingFile), tell_(options.tell), text_(read()) {}

  void look(Simulation& simulation) {
    std::string text = read();
    if (text.empty() || text == text_) return;
    text_ = std::move(text);
    std::vector<std::string> messages;
    try {
      TextReader in(file_, text_);
      Diagnostics diagnostics;
      simulation.setDrives(
          readDriving(in, simulation.bodies().driven, simulation.bodies().size(), diagnostics));
      messages = diagnostics.warnings();
      messages.push_back(
          fmt::format("{}: has changed and acts from t = {} on", file_, simulation.time()));
    } catch (const Error& error) {
      messages = {fmt::format("{}; the previous drives stay in force", error.what())};
    }
    for (const std::string& message : messages)
      if (tell_) tell_(message);
  }

 private:
  /// Empty where there is no file, or none that can be read: an editor may be about to replace it.
  std::string read() const {
    try {
      return file_.empty() ? "" : readFile(file_);
    } catch (const IoError&) {
      return {};
    }
  }

  std::string file_;
  std::function<void(const std::string&)> tell_;
  std::string text_;
};

}  // namespace

std::uint64_t stepsUntil(double t, double tmax, double dt) {
  const double n = std::ceil((tmax - t) / dt - 1e-6);
  return n > 0.0 ? static_cast<std::uint64_t>(std::min(n, mostSteps)) : 0;
}

std::string faultOf(const Simulation& simulation, const RunQuality& quality, bool ended) {
  // Where contacts live by list the budget need not close, and the work of a Tempo is not in it.
  const bool closes = !engineOf(simulation).rules().byList && simulation.input().tempos.empty();
  const double residual = quality.energyResidual.value_or(0.0);
  if (closes && residual > RunQuality::largestResidual)
    return fmt::format(
        "the energy residual is {:.3g} % of the energy exchanged: the results are wrong; lower dt",
        100.0 * residual);
  const std::size_t free = simulation.bodies().size() - simulation.bodies().driven;
  if (ended && free > 0 && endlessFalls(simulation).size() == free)
    return "all free bodies fall for ever: nothing below can stop them";
  return {};
}

RunSummary run(Simulation& simulation, const RunOptions& given) {
  RunOptions options = given;
  if (!options.earlier)
    options.earlier = std::make_shared<const RunRecord>(earlierRun(options.folder));
  const auto begin = WallClock::now();
  const double dt = simulation.timeStep(), tmax = simulation.input().tmax,
               interConf = simulation.input().interConf;
  const std::uint64_t first = simulation.stepIndex();
  const std::uint64_t last = first + stepsUntil(simulation.time(), tmax, dt);
  const std::uint64_t most =
      options.steps ? first + std::min(*options.steps, UINT64_MAX - first) : UINT64_MAX;
  std::uint64_t stopAt = std::min(last, most);
  if (options.until)
    stopAt = std::min(stopAt, first + stepsUntil(simulation.time(), *options.until, dt));

  RunOutputs outputs(simulation, options);
  DrivingWatch driving(options);
  std::uint64_t nextConf = nextOutputStep(first, interConf, dt);
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
  RunSummary summary;
  Ending ending = outputs.ending();
  try {
    while (ending.by.empty() && goesOn() &&
           !(options.stop && options.stop->load(std::memory_order_relaxed))) {
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
        nextConf = nextOutputStep(nextConf, interConf, dt);
      }
      outputs.checkpoint();
      if (simulation.stepIndex() >= progressAt) {
        options.progress(static_cast<double>(simulation.stepIndex() - first) /
                         static_cast<double>(last - first));
        progressAt = nextProgress(simulation.stepIndex());
      }
    }
    const bool stopped =
        ending.by.empty() && (summed ? simulation.time() <= tmax : simulation.stepIndex() < last);
    if (options.progress && !stopped) options.progress(1.0);
    summary.steps = simulation.stepIndex() - first;
    summary.wallSeconds = secondsSince(begin);
    summary.restartFile = stopped ? outputs.stopped() : outputs.done();
    outputs.report(stopped ? "stopped" : ending.by.empty() ? "tmax" : ending.status);
  } catch (const ModelError& error) {
    outputs.report("failed");
    if (options.tell) options.tell("until it failed: " + describe(outputs.record().quality));
    throw ModelError(
        fmt::format("{}. The last good state is {}", error.what(), outputs.lastState()));
  } catch (const IoError&) {
    outputs.fail();
    throw;
  }
  summary.record = outputs.record();
  return summary;
}

}  // namespace scree::sim
