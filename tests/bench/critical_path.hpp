// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a step on many threads, computed from times that one core measures.
//
// A step of contacts and gravity is one loop over ranges of bodies (engine/forces.hpp). Each range:
// its contacts, from its highest body to its lowest; `pass` after the lowest body that leaves
// forces for higher ranges; then, once all lower ranges have passed, `gather`, and the motion of
// its bodies into the next step. A range that is not yet allowed to gather first moves the bodies
// for which nothing was left. All ranges are done before the next step begins.
//
// Here one core does the ranges one after the other, on a settled state that does not change, and
// the parts of each are timed. The schedule of N cores follows from these times. It knows nothing
// of the memory that cores share, and of cores of unlike speed.
#pragma once

#include "engine/engine.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

namespace scree::critical {

/// Microseconds of processor time of this thread: what else the machine does is not in it.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

/// f() on this thread alone, however many threads the loops in it ask for.
template <class F>
void onThisThread(F&& f) {
  parallelFor(2, 2, [&](std::size_t k) {
    if (k == 0) f();
  });
}

/// A word from one core to another takes 0.16 to 0.71 [µs] on virtual cores of Zen 4.
constexpr double message = 0.5;

/// Parts of a range, in microseconds.
struct RangeTimes {
  double contacts = HUGE_VAL, gather = HUGE_VAL;
  double toPass = 0.0;             ///< share of the contacts before `pass`
  double free = 0.0, owing = 0.0;  ///< bodies that move before and after `gather`
};

struct LoopTimes {
  std::vector<RangeTimes> ranges;
  double rest = HUGE_VAL;  ///< before and after the ranges, on one thread
  double sum() const {
    double all = rest;
    for (const RangeTimes& r : ranges) all += r.contacts + r.gather;
    return all;
  }
};

/// Least times of the parts over some evaluations of the forces of a state.
inline LoopTimes loopTimes(const sim::Simulation& simulation, int threads, int repeats) {
  const sim::Engine& engine = sim::engineOf(simulation);
  sim::Contacts contacts = engine.lists().contacts;
  sim::Bodies bodies = simulation.bodies();
  const std::vector<sim::BodyPose> poses(engine.world().poses.begin(), engine.world().poses.end());
  const bool inLanes = sim::ContactBatch::pays(std::span(poses).subspan(bodies.driven));
  sim::ContactSums sums;
  LoopTimes out;
  double clock = HUGE_VAL;  // what it takes to read it
  for (int k = 0; k < 1000; ++k) {
    const double start = now();
    clock = std::min(clock, now() - start);
  }
  std::vector<double> marks;
  const auto mark = [&](std::size_t, std::size_t) { marks.push_back(now()); };
  const auto renew = [](std::uint32_t, sim::NearSubElements&) {};
  const sim::HistoryUpdate update{engine.model().dt};
  for (int k = 0; k < repeats; ++k) {
    double end = 0.0;  // when this thread is done; no step waits for another one
    onThisThread([&] {
      marks.assign(1, now());
      engine.kernel().add({contacts, poses, sim::ContactWeights::none, update, threads, bodies,
                           sums, renew, nullptr, mark, false, inLanes});
      end = now();
    });
    const std::size_t n = sums.shares.ranges();
    if (out.ranges.size() != n || k == repeats / 2) out = {std::vector<RangeTimes>(n)};
    double inRanges = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      // Two marks a range, one after the other, once its contacts are done and gathered.
      const double whole = marks[1 + 2 * r] - marks[2 * r] - clock, begin = now();
      const std::size_t first = sums.shares.cuts()[r], last = sums.shares.cuts()[r + 1];
      sums.gather(first, last, contacts, bodies);
      const double gather = n > 1 ? now() - begin - clock : 0.0;
      out.ranges[r].gather = std::min(out.ranges[r].gather, gather);
      out.ranges[r].contacts = std::min(out.ranges[r].contacts, whole);  // with `gather`
      inRanges += whole;
    }
    const double reads = static_cast<double>(2 * n + 1) * clock;  // up to `end`
    out.rest = std::min(out.rest, end - marks[0] - inRanges - reads);
  }
  const std::span<const std::size_t> cuts = sums.shares.cuts();
  const auto pairsOf = [&](std::size_t begin, std::size_t end) {
    double pairs = contacts.firstStart[end] - contacts.firstStart[begin];
    for (std::size_t k = begin; k < end; ++k)
      for (const std::uint32_t r : contacts.pairsAsSecond(static_cast<sim::BodyId>(k)))
        pairs += r < contacts.firstStart[bodies.driven];
    return pairs;
  };
  for (std::size_t r = 0; r < out.ranges.size(); ++r) {
    const std::size_t begin = cuts[r], end = cuts[r + 1];
    out.ranges[r].contacts -= out.ranges[r].gather;
    const auto [lowestLeaving, waiting] = sums.beginRange(r, contacts);
    out.ranges[r].free = static_cast<double>(end - waiting);
    out.ranges[r].owing = static_cast<double>(waiting - begin);
    out.ranges[r].toPass = pairsOf(lowestLeaving, end) / std::max(pairsOf(begin, end), 1.0);
  }
  return out;
}

/// [µs] of this thread to find all near pairs of bodies once, on so many threads.
inline double rebuildTime(const sim::Simulation& simulation, int threads) {
  const sim::Engine& engine = sim::engineOf(simulation);
  sim::NeighbourList lists = engine.lists();
  double least = HUGE_VAL;
  for (int k = 0; k < 50; ++k) {  // repeats; in some of them a second thread is late
    lists.expire();
    const double start = now();
    lists.rebuild(engine.state().bodies, engine.world().poses, threads, nullptr,
                  [](sim::NeighbourPair&) {});
    least = std::min(least, now() - start);
  }
  return least;
}

/// Prints the computed time of a step on 1, 2, 4 ... threads.
/// @param step      [µs] measured on one thread
/// @param rebuilds  of the lists of bodies, for each step
inline void printCriticalPath(const sim::Simulation& simulation, int most, double step,
                              double rebuilds) {
  const double bodies =
      static_cast<double>(simulation.bodies().size() - simulation.bodies().driven);
  // Times on one thread, s + p, and on two, s + p/2, give s: the part that is not divided.
  const double detect = rebuilds * rebuildTime(simulation, 1),
               undivided =
                   std::clamp(2.0 * rebuilds * rebuildTime(simulation, 2) - detect, 0.0, detect);
  const LoopTimes alone = loopTimes(simulation, 1, 40);
  const double motion = std::max(step - detect - alone.sum(), 0.0) / bodies;
  fmt::print(
      "  processor time: step {:.4g} us, contacts {:.4g}, lists of bodies {:.3g} ({:.3g} not "
      "divided), motion and searches {:.4g}\n",
      step, alone.sum(), detect, undivided, motion * bodies);
  fmt::print("  {:>7} {:>7} {:>10} {:>8} {:>9} {:>9} {:>9} {:>9}\n", "threads", "ranges",
             "us a step", "times", "longest", "mean", "waiting", "alone");
  for (const int threads : {1, 2, 4, 8, 16, 32, 64, 128}) {
    if (threads > most) break;
    const LoopTimes loop = loopTimes(simulation, threads, 40);
    double passed = 0.0, longest = 0.0, longestWork = 0.0, work = 0.0, waited = 0.0;
    for (const RangeTimes& r : loop.ranges) {
      double at = r.contacts;
      double left = r.free + r.owing;
      if (passed > at) {
        at += motion * r.free;
        left = r.owing;
        waited = std::max(waited, passed - at);
        at = std::max(at, passed);
      }
      longest = std::max(longest, at + r.gather + motion * left);
      const double own = r.contacts + r.gather + motion * (r.free + r.owing);
      longestWork = std::max(longestWork, own);
      work += own;
      passed = std::max(passed, r.toPass * r.contacts + (loop.ranges.size() > 1 ? message : 0.0));
    }
    // Each thread tells that it is done, one after the other: all others, or the eight of the last
    // group and then the groups (base/parallel.cpp).
    const double n = static_cast<double>(loop.ranges.size()),
                 reports = n > 9 ? 8.0 + std::ceil((n - 1.0) / 8.0) : n - 1.0;
    const double lists = undivided + (detect - undivided) / threads,
                 apart = lists + alone.rest + message * reports, time = longest + apart;
    fmt::print("  {:>7} {:>7} {:>10.4g} {:>8.3g} {:>9.4g} {:>9.4g} {:>9.4g} {:>9.4g}\n", threads,
               loop.ranges.size(), time, step / time, longestWork, work / n, waited, apart);
  }
}

}  // namespace scree::critical
