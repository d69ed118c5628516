// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wall_clock.hpp"

#include <algorithm>
#include <cstdint>

namespace scree::sim {

/// Decides when a run is to save its state, by wall-clock time: `period` seconds after the last
/// save. The clock decides when a state is written, never what it holds.
class CheckpointClock {
 public:
  /// @param period  [s] 0: never
  explicit CheckpointClock(double period) : period_(period) {}

  bool isDue() const { return period_ > 0.0 && secondsSince(saved_) >= period_; }
  void saved() { saved_ = WallClock::now(); }
  /// The next step after `step` at which to call isDue(). That is about when the time has come, by
  /// the pace of the steps since the last call.
  std::uint64_t nextStep(std::uint64_t step) {
    if (!(period_ > 0.0)) return UINT64_MAX;
    const double passed = secondsSince(looked_),
                 left = std::max(0.0, period_ - secondsSince(saved_));
    const auto made = static_cast<double>(step - step_);
    // Nothing is known of the pace before the first steps.
    const double next = looks_++ == 0 ? 1.0 : made * left / std::max(passed, 1e-9);
    looked_ = WallClock::now();
    step_ = step;
    return step + static_cast<std::uint64_t>(std::clamp(next, 1.0, 1e15));
  }

 private:
  double period_;
  WallClock::time_point saved_ = WallClock::now(), looked_ = saved_;
  std::uint64_t step_ = 0, looks_ = 0;
};

}  // namespace scree::sim
