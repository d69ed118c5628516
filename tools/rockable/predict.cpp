// SPDX-License-Identifier: GPL-3.0-or-later
#include "predict.hpp"

#include "scree/sim/check/diagnosis.hpp"
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

/// The factor of time steps with which a run looks ahead. Its contacts stay as hard as they are:
/// softer ones overlap further, so that other sub-elements touch.
/// @param wanted       factor with which the whole run can be followed
/// @param contactTime  [T] shortest of a contact; infinite where nothing can touch
double stretchFor(double wanted, double contactTime, double dt) {
  const double most = std::clamp(contactTime / (stepsPerContact * dt), 1.0, mostStretch);
  return std::clamp(wanted, 1.0, most);
}

/// A run that begins in the state of `conf` with this time step.
sim::Conf beginning(sim::Conf conf, double dt) {
  conf.dt = dt;
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
  Prediction::ConfSize size;
};

/// States after now, evenly over the run; empty where looking ahead makes no sense.
std::vector<Later> lookAhead(const sim::Conf& start, const std::vector<shape::Shape>& shapes,
                             const sim::Drives& drives, const sim::SimulationOptions& options,
                             std::uint64_t steps, double stretch) {
  Diagnostics ignored;
  sim::Simulation ahead(beginning(start, stretch * start.dt), shapes, drives, options, ignored);
  const auto all =
      std::max<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(steps) / stretch), 1);
  std::vector<Later> states;
  const std::clock_t begin = std::clock();
  const double most = 2.0 * budget * options.threads;
  std::uint64_t made = 0;
  for (std::size_t look = 1; look <= looks; ++look) {
    const std::uint64_t until = all * look / looks;
    while (made < until && workSince(begin) < most)
      made += ahead.steps(std::min<std::uint64_t>(until - made, 10));
    sim::Simulation state(beginning(ahead.conf(), start.dt), shapes, drives, options, ignored);
    const double seconds = secondsPerStep(state, stepsAt);
    states.push_back(
        {seconds, {static_cast<double>(made) / static_cast<double>(all), confBytes(state)}});
    if (made < until) break;  // what lies further ahead is taken to be like this state
  }
  return states;
}

/// Whether forces from outside press bodies together. Such runs are not followed ahead.
bool presses(const sim::Drives& drives) {
  return !drives.servos.empty() || std::ranges::any_of(drives.controls, [](const auto& c) {
    return c.what == sim::Imposed::force || c.what == sim::Imposed::moment;
  });
}

}  // namespace

double Prediction::confBytesAt(double share) const {
  const auto after = std::ranges::upper_bound(confSizes, share, {}, &ConfSize::share);
  if (after == confSizes.end()) return confSizes.back().bytes;
  if (after == confSizes.begin()) return confSizes.front().bytes;
  const ConfSize &a = *std::prev(after), &b = *after;
  return std::lerp(a.bytes, b.bytes, (share - a.share) / (b.share - a.share));
}

Prediction predictedTime(sim::Simulation& simulation, const sim::Drives& drives,
                         std::uint64_t steps) {
  Prediction result;
  std::vector<Prediction::ConfSize>& sizes = result.confSizes;
  sizes = {{0.0, confBytes(simulation)}};
  if (steps == 0) return result;
  const bool mayLookAhead = simulation.bonds().empty() && !simulation.compat() &&
                            !simulation.input().cell.used && simulation.input().tempos.empty() &&
                            !simulation.law().needsRadius && !presses(drives);
  const sim::Conf start = mayLookAhead ? simulation.conf() : sim::Conf();
  const double contactTime = mayLookAhead ? sim::shortestContactTime(simulation) : 0.0;
  const Stopwatch watch;
  std::vector<double> ends;  // [s] after each part of the steps measured
  std::vector<std::uint64_t> counts;
  const auto addSize = [&] {
    sizes.push_back(
        {static_cast<double>(result.measured) / static_cast<double>(steps), confBytes(simulation)});
  };
  try {
    while (result.measured < steps && watch.seconds() < budget) {
      const std::uint64_t part =
          std::min<std::uint64_t>({steps - result.measured, 1 + result.measured / 8, 1000});
      result.measured += simulation.steps(part);
      ends.push_back(watch.seconds());
      counts.push_back(result.measured);
      if (result.measured >= steps * sizes.size() / looks) addSize();
    }
  } catch (const ModelError& error) {
    result.failure = error.what();
  }
  if (ends.empty()) return result;
  if (sizes.back().share < static_cast<double>(result.measured) / static_cast<double>(steps))
    addSize();
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
                                      stretchFor(steady * whole / budget, contactTime, start.dt));
        result.ahead = states.size();
        if (!states.empty()) {
          later = 0.0;
          for (std::size_t k = 0; k < looks; ++k)
            later += states[std::min(k, states.size() - 1)].perStep / static_cast<double>(looks);
          for (const Later& state : states)
            if (state.size.share > sizes.back().share) sizes.push_back(state.size);
        }
      } catch (const Error&) {  // long steps may fail where the run does not
      }
    result.seconds += later * (whole - static_cast<double>(result.measured));
  }
  result.perStep = result.seconds / whole;
  return result;
}

}  // namespace scree::tools
