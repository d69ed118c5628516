// SPDX-License-Identifier: GPL-3.0-or-later
#include "predict.hpp"

#include "scree/sim/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/law/law_info.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

namespace scree::tools {
namespace {

constexpr double budget = 1.5;            // [s] for each of the two parts
constexpr double mostStretch = 16.0;      // of time steps that look ahead
constexpr double stepsPerContact = 20.0;  // that these must leave to the shortest contact
constexpr double mostSoftening = 3.0;     // of contact times: softer bodies would overlap too far
constexpr std::size_t looks = 6;          // later states
constexpr std::uint64_t stepsAt = 40;     // measured at each of them

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

/// [s] of processor time since `begin`, of all threads. It measures work: a busy machine does as
/// much in it as a free one.
double workSince(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// [s] a step, of the state as it stands: the lists are made first.
double secondsPerStep(sim::Simulation& simulation, std::uint64_t steps) {
  simulation.step();
  const Stopwatch watch;
  simulation.steps(steps);
  return watch.seconds() / static_cast<double>(steps);
}

/// How a run looks ahead: with steps longer by a factor, and contacts that last longer by another.
struct Ahead {
  double stretch = 1.0, softening = 1.0;
};

/// @param wanted       factor of the time step at which the whole run can be followed
/// @param contactTime  [T] shortest of a contact; infinite where nothing can touch
Ahead aheadBy(double wanted, double contactTime, double dt) {
  const double hard = contactTime / (stepsPerContact * dt);  // the factor without softer contacts
  Ahead a;
  a.stretch = std::clamp(wanted, 1.0, std::clamp(mostSoftening * hard, 1.0, mostStretch));
  a.softening = std::max(1.0, a.stretch / hard);
  if (a.stretch == 1.0) a.softening = 1.0;  // the steps of the run itself, long as they are
  return a;
}

/// The state with these steps, and stiffnesses that suit them.
sim::Conf stretched(sim::Conf conf, const Ahead& ahead) {
  conf.dt *= ahead.stretch;
  for (auto& [name, values] : conf.lawParameters) {
    const double by = name.starts_with("k")      ? 1.0 / (ahead.softening * ahead.softening)
                      : name.starts_with("visc") ? 1.0 / ahead.softening
                                                 : 1.0;
    for (sim::PairValue& v : values) v.value *= by;
  }
  conf.runState.reset();
  conf.energy.reset();
  conf.interactions.clear();
  return conf;
}

/// Bytes of the conf-file that would hold this state.
double confBytes(const sim::Simulation& simulation) {
  return static_cast<double>(sim::confText(simulation.conf()).size());
}

/// A state of the run at a later time.
struct Later {
  double perStep = 0.0;  ///< [s]
  double bytes = 0.0;    ///< of its conf-file
};

/// States after now, evenly over the run; empty where looking ahead makes no sense.
std::vector<Later> lookAhead(const sim::Conf& start, const std::vector<shape::Shape>& shapes,
                             const sim::Drives& drives, const sim::SimulationOptions& options,
                             std::uint64_t steps, const Ahead& way) {
  Diagnostics ignored;
  sim::Simulation ahead(stretched(start, way), shapes, drives, options, ignored);
  const auto all = static_cast<std::uint64_t>(static_cast<double>(steps) / way.stretch);
  std::vector<Later> states;
  const std::clock_t begin = std::clock();
  const double most = 2.0 * budget * options.threads;
  std::uint64_t made = 0;
  for (std::size_t look = 1; look <= looks; ++look) {
    const std::uint64_t until = all * look / looks;
    while (made < until && workSince(begin) < most)
      made += ahead.steps(std::min<std::uint64_t>(until - made, 10));
    sim::Conf conf = ahead.conf();
    conf.dt = start.dt;
    conf.lawParameters = start.lawParameters;
    conf.runState.reset();
    conf.energy.reset();
    conf.interactions.clear();
    sim::Simulation state(std::move(conf), shapes, drives, options, ignored);
    const double seconds = secondsPerStep(state, stepsAt);
    states.push_back({seconds, confBytes(state)});
    if (made < until) break;  // what lies further ahead is taken to be like this state
  }
  return states;
}

}  // namespace

namespace {

/// Whether forces from outside press bodies together: contacts softer than those of the run would
/// give way under them.
bool presses(const sim::Drives& drives) {
  return !drives.servos.empty() || std::ranges::any_of(drives.controls, [](const auto& c) {
    return c.what == sim::Imposed::force || c.what == sim::Imposed::moment;
  });
}

}  // namespace

double Prediction::confBytesAt(double share) const {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(confBytes.size() - 1);
  const auto before = static_cast<std::size_t>(at);
  if (before + 1 >= confBytes.size()) return confBytes.back();
  return std::lerp(confBytes[before], confBytes[before + 1], at - static_cast<double>(before));
}

Prediction predictedTime(sim::Simulation& simulation, const sim::Drives& drives,
                         std::uint64_t steps) {
  Prediction result;
  std::vector<double>& bytes = result.confBytes;
  bytes = {confBytes(simulation)};
  if (steps == 0) return result;
  const bool mayLookAhead = simulation.bonds().empty() && !simulation.compat() &&
                            !simulation.input().cell.used && simulation.input().tempos.empty() &&
                            !simulation.law().needsRadius && !presses(drives);
  const sim::Conf start = mayLookAhead ? simulation.conf() : sim::Conf();
  const double contactTime = mayLookAhead ? sim::shortestContactTime(simulation) : 0.0;
  const Stopwatch watch;
  std::vector<double> ends;  // [s] after each part of the steps measured
  std::vector<std::uint64_t> counts;
  try {
    while (result.measured < steps && watch.seconds() < budget) {
      const std::uint64_t part =
          std::min<std::uint64_t>({steps - result.measured, 1 + result.measured / 8, 1000});
      result.measured += simulation.steps(part);
      ends.push_back(watch.seconds());
      counts.push_back(result.measured);
      if (result.measured >= steps * bytes.size() / looks) bytes.push_back(confBytes(simulation));
    }
  } catch (const ModelError& error) {
    result.failure = error.what();
  }
  if (ends.empty()) return result;
  const double whole = static_cast<double>(steps), spent = ends.back();
  result.seconds = spent;
  if (result.measured < steps) {
    // The later half of what was measured stands for what follows, unless looking ahead tells.
    const auto half = static_cast<std::size_t>(
        std::lower_bound(counts.begin(), counts.end(), result.measured / 2) - counts.begin());
    const double steady =
        half + 1 < ends.size()
            ? (spent - ends[half]) / static_cast<double>(result.measured - counts[half])
            : spent / static_cast<double>(result.measured);
    double later = steady;
    if (mayLookAhead && result.failure.empty()) try {
        const auto states = lookAhead(start, simulation.shapes(), drives,
                                      {simulation.threads(), simulation.compat()}, steps,
                                      aheadBy(steady * whole / budget, contactTime, start.dt));
        result.ahead = states.size();
        if (!states.empty()) {
          later = 0.0;
          bytes.resize(1);
          for (std::size_t k = 0; k < looks; ++k) {
            const Later& state = states[std::min(k, states.size() - 1)];
            later += state.perStep / static_cast<double>(looks);
            bytes.push_back(state.bytes);
          }
        }
      } catch (const Error&) {  // soft contacts may fail where the run does not
      }
    result.seconds += later * (whole - static_cast<double>(result.measured));
  }
  result.perStep = result.seconds / whole;
  // Where the run was not followed to its end, the last state known stands for the rest.
  if (result.ahead == 0 && bytes.size() <= looks) bytes.push_back(confBytes(simulation));
  bytes.resize(looks + 1, bytes.back());
  return result;
}

}  // namespace scree::tools
