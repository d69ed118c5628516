// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <vector>

namespace scree::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Conf-files after `first` steps up to `last`.
std::uint64_t confFiles(std::uint64_t first, std::uint64_t last, double period, double dt) {
  if (last <= first) return 0;
  const double perOutput = period / dt;
  if (perOutput <= 1.0) return last - first;
  const auto outputs = [&](std::uint64_t step) {
    return std::floor((static_cast<double>(step) + 0.5 + 1e-9) / perOutput);
  };
  return static_cast<std::uint64_t>(outputs(last) - outputs(first));
}

/// Steps that were made to time them.
struct Trial {
  int threads = 1;
  std::uint64_t steps = 0;
  double perStep = 0.0;      ///< [s] mean
  std::string failure = {};  ///< message of the error where steps fail
};

/// Makes up to `most` steps, for up to 0.5 s.
Trial measureSteps(sim::Simulation& simulation, std::uint64_t most) {
  Trial trial{simulation.threads()};
  const auto begin = std::chrono::steady_clock::now();
  double spent = 0.0;
  try {
    while (trial.steps < most && spent < 0.5) {
      trial.steps += simulation.steps(
          std::min<std::uint64_t>({most - trial.steps, 1 + trial.steps / 8, 1000}));
      spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
  } catch (const ModelError& error) {
    trial.failure = error.what();
  }
  if (trial.steps > 0) trial.perStep = spent / static_cast<double>(trial.steps);
  return trial;
}

}  // namespace

CheckReport checkReport(sim::Simulation& simulation, const sim::Drives& drives,
                        const sim::CriticalStep& critical, bool json) {
  const sim::Conf& conf = simulation.input();
  const sim::Bodies& b = simulation.bodies();
  const sim::Overlaps overlaps = sim::overlapsOf(simulation);
  const double contactTime = sim::shortestContactTime(simulation), t = simulation.time();
  const std::uint64_t first = simulation.stepIndex(),
                      steps = sim::stepsUntil(t, conf.tmax, conf.dt);
  Json worstPair;
  if (overlaps.worst > 0.0)
    worstPair = {overlaps.i, overlaps.i != overlaps.j ? Json(overlaps.j) : Json()};
  Json report{
      {"schema", 1},
      {"bodies", conf.particles.size()},
      {"driven", conf.nDriven},
      {"mass", std::accumulate(b.mass.begin() + b.driven, b.mass.end(), 0.0)},
      {"forceLaw", conf.forceLaw},
      {"integrator", conf.integrator},
      {"contacts", overlaps.contacts},
      {"largestOverlap", overlaps.worstDepth},
      {"largestOverlapOverSize", overlaps.worst},
      {"deepOverlaps", overlaps.deep},
      {"worstPair", worstPair},
      {"bodiesInsideOthers", sim::ConvexCores(simulation.shapes()).crossings(simulation).pairs},
      {"dt", conf.dt},
      {"contactPeriod", contactTime},
      {"stepsPerContact", contactTime / conf.dt},
      {"dtOverCritical", conf.dt / critical.dt},
      {"criticalBody", critical.body ? Json(*critical.body) : Json()},
      {"t", t},
      {"tmax", conf.tmax},
      {"steps", steps},
      {"confFiles", confFiles(first, first + steps, conf.interConf, conf.dt)}};
  const auto addTimes = [&](Json& to, const Trial& trial) {
    const bool known = trial.steps > 0;
    to["secondsPerStep"] = known ? Json(trial.perStep) : Json();
    to["predictedSeconds"] = known ? Json(trial.perStep * static_cast<double>(steps)) : Json();
  };
  const Trial trial = measureSteps(simulation, steps);
  addTimes(report, trial);
  report["peakMemoryBytes"] = sim::peakMemoryBytes();
  report["failure"] = trial.failure.empty() ? Json() : Json(trial.failure);
  if (!json) {
    report.erase("schema");
    return {listText(report) + "\nIn the units of the conf-file; times to run in seconds.\n",
            trial.failure};
  }
  std::vector<Trial> trials;
  const sim::Conf later = simulation.conf();
  for (int threads = 1; threads < trial.threads && trial.failure.empty() && trial.steps < steps;
       threads *= 2) {
    Diagnostics quiet;
    sim::Simulation other(later, simulation.shapes(), drives, {threads, simulation.compat()},
                          quiet);
    trials.push_back(measureSteps(other, steps - trial.steps));
  }
  trials.push_back(trial);
  report["byThreads"] = Json::array();
  for (const Trial& own : trials) {
    report["byThreads"].push_back({{"threads", own.threads}});
    addTimes(report["byThreads"].back(), own);
  }
  return {report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", trial.failure};
}

}  // namespace scree::tools
