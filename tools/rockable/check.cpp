// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"
#include "rockable.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace scree::tools {
namespace {

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

/// The figures of the report.
struct Report {
  double mass = 0.0;  ///< [M] of the free bodies
  sim::Overlaps overlaps;
  sim::Crossings crossings;
  double contactTime = 0.0;  ///< [T]
  sim::CriticalStep critical;
  std::uint64_t steps = 0, files = 0;
  double t = 0.0;
  Trial trial;
  std::vector<Trial> others;          ///< on fewer threads, from the state after `trial`
  std::uint64_t peakMemoryBytes = 0;  ///< before the others

  double seconds(const Trial& of) const { return of.perStep * static_cast<double>(steps); }
};

/// Makes up to `most` steps, for up to 1.5 s.
Trial measureSteps(sim::Simulation& simulation, std::uint64_t most) {
  Trial trial{simulation.threads()};
  const auto begin = std::chrono::steady_clock::now();
  double spent = 0.0;
  try {
    while (trial.steps < most && spent < 1.5) {
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

/// @param simulation  at its start; is left in a later state
/// @param byThreads  times steps on fewer threads, too, each in a copy of the simulation
Report reportOn(sim::Simulation& simulation, const sim::Drives& drives,
                const sim::CriticalStep& critical, bool byThreads) {
  const sim::Conf& conf = simulation.input();
  const sim::Bodies& b = simulation.bodies();
  Report r;
  r.t = simulation.time();
  for (std::size_t k = b.driven; k < b.size(); ++k) r.mass += b.mass[k];
  r.overlaps = sim::overlapsOf(simulation);
  r.crossings = sim::ConvexCores(simulation.shapes()).crossings(simulation);
  r.contactTime = sim::shortestContactTime(simulation);
  r.critical = critical;
  const std::uint64_t first = simulation.stepIndex();
  r.steps = sim::stepsUntil(r.t, conf.tmax, conf.dt);
  r.files = confFiles(first, first + r.steps, conf.interConf, conf.dt);
  r.trial = measureSteps(simulation, r.steps);
  r.peakMemoryBytes = sim::peakMemoryBytes();
  if (!byThreads || !r.trial.failure.empty() || r.trial.steps == r.steps) return r;
  const sim::Conf later = simulation.conf();
  for (int threads = 1; threads < r.trial.threads; threads *= 2) {
    Diagnostics quiet;
    sim::Simulation other(later, simulation.shapes(), drives, {threads, simulation.compat()},
                          quiet);
    r.others.push_back(measureSteps(other, r.steps - r.trial.steps));
  }
  return r;
}

std::string asJson(const Report& r, const sim::Conf& conf) {
  const auto known = [](bool isKnown, const auto& value) {
    return isKnown ? std::optional(value) : std::nullopt;
  };
  JsonWriter json(1);
  json.beginObject().member("schema", 1).member("bodies", conf.particles.size());
  json.member("driven", conf.nDriven).member("mass", r.mass);
  json.member("forceLaw", conf.forceLaw).member("integrator", conf.integrator);
  json.member("contacts", r.overlaps.contacts);
  json.member("largestOverlap", r.overlaps.worstDepth);
  json.member("largestOverlapOverSize", r.overlaps.worst);
  json.member("deepOverlaps", r.overlaps.deep).key("worstPair");
  if (r.overlaps.worst > 0.0) {
    json.beginArray().value(r.overlaps.i);
    json.value(known(r.overlaps.i != r.overlaps.j, r.overlaps.j)).end();
  } else {
    json.null();
  }
  json.member("bodiesInsideOthers", r.crossings.pairs).member("dt", conf.dt);
  json.member("contactPeriod", r.contactTime).member("stepsPerContact", r.contactTime / conf.dt);
  json.member("dtOverCritical", conf.dt / r.critical.dt);
  json.key("criticalBody").value(r.critical.body);
  json.member("t", r.t).member("tmax", conf.tmax).member("steps", r.steps);
  json.member("confFiles", r.files);
  const auto times = [&](const Trial& t) {
    json.member("secondsPerStep", known(t.steps > 0, t.perStep));
    json.member("predictedSeconds", known(t.steps > 0, r.seconds(t)));
  };
  times(r.trial);
  json.member("peakMemoryBytes", r.peakMemoryBytes).key("byThreads").beginArray();
  std::vector<Trial> trials = r.others;
  trials.push_back(r.trial);
  for (const Trial& t : trials) {
    json.beginObject().member("threads", t.threads);
    times(t);
    json.end();
  }
  json.end().key("failure");
  r.trial.failure.empty() ? json.null() : json.value(r.trial.failure);
  return json.end().take() + "\n";
}

std::string asText(const Report& r, const sim::Conf& conf, const std::string& folder) {
  std::string out;
  const auto line = [&out]<class... T>(const char* name, fmt::format_string<T...> format,
                                       T&&... values) {
    out += fmt::format("{:<16}{}\n", name, fmt::format(format, std::forward<T>(values)...));
  };
  line("bodies", "{} ({} driven), {:.6g} total mass of free bodies", conf.particles.size(),
       conf.nDriven, r.mass);
  line("law", "{}, {}", conf.forceLaw, conf.integrator);
  line("contacts", "{} at the start", r.overlaps.contacts);
  if (r.overlaps.worst > 0.0)
    line("overlaps", "{:.3g} at most, {:.2g} % of the size of a body ({}); {} deeper than {:.0f} %",
         r.overlaps.worstDepth, 100.0 * r.overlaps.worst, sim::pairName(r.overlaps.i, r.overlaps.j),
         r.overlaps.deep, 100.0 * sim::deepOverlap);
  if (r.crossings.pairs > 0)
    line("inside others", "{} pairs of bodies, the first {} and {}", r.crossings.pairs,
         r.crossings.i, r.crossings.j);
  if (std::isfinite(r.critical.dt))
    line("time step", "{:.4g}, {:.3g} to the shortest contact, {:.2g} of the critical step",
         conf.dt, r.contactTime / conf.dt, conf.dt / r.critical.dt);
  else
    line("time step", "{:.4g}", conf.dt);
  line("steps", "{} from t = {:.9g} to {:.9g}", r.steps, r.t, conf.tmax);
  line("outputs", "{} in {}", counted(r.files, "conf-file"), folder);
  if (!r.trial.failure.empty())
    line("run time", "unknown: {}", r.trial.failure);
  else if (r.trial.steps > 0)
    line("run time", "about {:.2g} s on {} ({:.3g} microseconds per step, from {} steps)",
         r.seconds(r.trial), counted(static_cast<std::size_t>(r.trial.threads), "thread"),
         1e6 * r.trial.perStep, r.trial.steps);
  line("memory", "{:.3g} MB", 1e-6 * static_cast<double>(r.peakMemoryBytes));
  line("units", "those of the conf-file");
  return harmless(out);  // names of tables and the folder
}

}  // namespace

CheckReport checkReport(sim::Simulation& simulation, const sim::Drives& drives,
                        const sim::CriticalStep& critical, const sim::RunOptions& run, bool json) {
  const Report r = reportOn(simulation, drives, critical, json);
  const sim::Conf& conf = simulation.input();
  return {json ? asJson(r, conf) : asText(r, conf, run.folder), r.trial.failure};
}

}  // namespace scree::tools
