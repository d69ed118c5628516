// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scree::sim {

/// Wall time of the stages of a step. Reading a clock costs as much as a small stage. So one step
/// in 64 is measured, from its start to its end with no other, and the sums are scaled up.
class StageTimes {
 public:
  enum Stage : std::size_t { move, detect, contacts, finish, count };
  static constexpr std::array<std::string_view, count> names{"move", "detect", "contacts",
                                                             "finish"};

  /// Whether this step is measured.
  static bool measures(std::uint64_t step) { return step % 64 == 0; }
  void beginStep(std::uint64_t step) {
    measuring_ = measures(step);
    ++steps_;
    if (!measuring_) return;
    ++measured_;
    last_ = Clock::now();
  }
  void end(Stage stage) {
    if (!measuring_) return;
    const Clock::time_point now = Clock::now();
    seconds_[stage] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  /// What took place in the midst of another stage.
  void reassign(Stage from, Stage to, double seconds) {
    if (!measuring_) return;
    seconds_[from] -= seconds;
    seconds_[to] += seconds;
  }
  /// [s], for all steps so far.
  double seconds(Stage stage) const {
    return measured_
               ? seconds_[stage] * static_cast<double>(steps_) / static_cast<double>(measured_)
               : 0.0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::array<double, count> seconds_{};
  std::uint64_t steps_ = 0, measured_ = 0;
  bool measuring_ = false;
  Clock::time_point last_;
};

}  // namespace scree::sim
