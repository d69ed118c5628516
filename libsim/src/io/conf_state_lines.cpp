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

}  // namespace

const std::vector<StateLine>& stateLines() {
  static const std::vector<StateLine> lines{{"clock", readClock, writeClock}};
  return lines;
}

}  // namespace scree::sim
