// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// Bodies whose share of a stage is worth waking a thread for.
inline constexpr std::size_t bodyGrain = 64;

/// Owners of bodies among threads. Each thread moves its own, evaluates the contacts that belong to
/// them and adds up their forces. So most of what it reads it has written itself. The shares follow
/// the work that contacts took in the step before, and how fast each thread has done its own. What
/// a run costs depends on this, nothing that it computes.
class ThreadShares {
 public:
  /// The bodies from `first` to `last` for at most `threads` threads. Keeps the cuts there are.
  void cover(std::size_t first, std::size_t last, int threads);
  /// Cuts again, every few calls, where work has become uneven.
  void balance();

  /// Range t is from cuts()[t] to cuts()[t + 1].
  std::span<const std::size_t> cuts() const { return cuts_; }
  std::size_t ranges() const { return cuts_.size() - 1; }

  /// Work that contacts of a block of bodies took.
  void setWork(std::size_t block, std::uint32_t work) {
    if (work_[block] != work) work_[block] = work;  // else other threads keep what they have read
  }
  /// How long a range took for all of its blocks.
  void setTime(std::size_t range, double seconds);

  /// Work of a pair in units of some nanoseconds. @param looked  candidates that were due
  static std::uint32_t workOf(std::uint32_t looked) {
    constexpr std::uint32_t skipped = 1, due = 9, candidate = 20;
    return looked > 0 ? due + candidate * looked : skipped;
  }

 private:
  double blockWork(std::size_t block) const;  ///< contacts and motion
  /// Duration of a step, in units of work.
  double duration(std::span<const std::size_t> cuts) const;
  double workBetween(std::size_t begin, std::size_t end) const;

  std::vector<std::uint32_t> work_;  // of each block of bodies
  std::vector<double> pace_;         // of each range: a unit of work takes, relatively
  std::vector<std::size_t> cuts_, even_, balanced_;
  unsigned calls_ = 0;
};

}  // namespace scree::sim
