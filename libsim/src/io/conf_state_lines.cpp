// SPDX-License-Identifier: GPL-3.0-or-later
// The table of `#scree` lines: what a run must know to go on to the bit, and other programs need
// not.
#include "conf_values.hpp"

namespace scree::sim {
namespace {

void readClock(TextReader& in, Conf& conf) {
  RunState state;
  state.t0 = in.number("#scree clock");
  state.step = static_cast<std::uint64_t>(in.integer("#scree clock", 0, INT64_MAX));
  conf.runState = state;
}
void writeClock(TextWriter& out, const Conf& conf) {
  if (conf.runState) out.line("#scree", "clock", conf.runState->t0, conf.runState->step);
}

void readEarlierMotion(TextReader& in, Conf& conf) {
  in.integer("#scree before: number of the body",
             static_cast<std::int64_t>(conf.earlierMotion.size()),
             static_cast<std::int64_t>(conf.earlierMotion.size()));
  EarlierMotion m;
  m.acc = in.vec3("#scree before");
  m.spinAcc = in.vec3("#scree before");
  m.moment = in.vec3("#scree before");
  conf.earlierMotion.push_back(m);
}
void writeEarlierMotion(TextWriter& out, const Conf& conf) {
  if (conf.integrator != "Beeman") return;
  std::size_t k = 0;
  for (const EarlierMotion& m : conf.earlierMotion)
    out.line("#scree", "before", k++, m.acc, m.spinAcc, m.moment);
}

}  // namespace

const std::vector<StateLine>& stateLines() {
  static const std::vector<StateLine> lines{{"clock", readClock, writeClock},
                                            {"before", readEarlierMotion, writeEarlierMotion}};
  return lines;
}

}  // namespace scree::sim
