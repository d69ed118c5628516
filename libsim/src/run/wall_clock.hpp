// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace scree::sim {

/// Time as the user sees it pass. It decides when a run writes and what it reports, never a state.
using WallClock = std::chrono::steady_clock;

/// [s]
inline double secondsSince(WallClock::time_point t) {
  return std::chrono::duration<double>(WallClock::now() - t).count();
}

}  // namespace scree::sim
