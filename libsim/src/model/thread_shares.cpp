// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/thread_shares.hpp"

#include "scree/sim/model/bodies.hpp"

#include <algorithm>

namespace scree::sim {

/// Cost of moving a block of bodies, in units of work.
constexpr double motionWork = 35.0 * bodyBlock;

void ThreadShares::cover(std::size_t first, std::size_t last, int threads) {
  const std::size_t n = last - first;
  const std::size_t count = std::max<std::size_t>(
      std::min(static_cast<std::size_t>(std::max(threads, 1)), n / bodyGrain), 1);
  if (cuts_.size() == count + 1 && cuts_.front() == first && cuts_.back() == last) return;
  even_.assign(count + 1, last);
  even_[0] = first;
  for (std::size_t range = 1; range < count; ++range)
    even_[range] = std::max((first + n * range / count) / bodyBlock * bodyBlock, even_[range - 1]);
  cuts_ = even_;
  work_.assign((last + bodyBlock - 1) / bodyBlock, 1);
  pace_.assign(count, 1.0);
}

double ThreadShares::blockWork(std::size_t block) const { return motionWork + work_[block]; }

double ThreadShares::workBetween(std::size_t begin, std::size_t end) const {
  if (begin == end) return 0.0;  // though they may stand in the midst of a block
  double sum = 0.0;
  for (std::size_t b = begin / bodyBlock, to = (end + bodyBlock - 1) / bodyBlock; b < to; ++b)
    sum += blockWork(b);
  return sum;
}

double ThreadShares::duration(std::span<const std::size_t> cuts) const {
  double longest = 0.0;
  for (std::size_t range = 0; range < pace_.size(); ++range)
    longest = std::max(longest, pace_[range] * workBetween(cuts[range], cuts[range + 1]));
  return longest;
}

void ThreadShares::balance() {
  constexpr unsigned steps = 8;  // work changes slowly
  const std::size_t count = ranges();
  if (count == 1 || ++calls_ % steps != 0) return;
  double speeds = 0.0;
  for (const double pace : pace_) speeds += 1.0 / pace;
  const double all = workBetween(cuts_.front(), cuts_.back());
  balanced_ = even_;
  double before = 0.0, due = 0.0;
  std::size_t at = cuts_.front() / bodyBlock;
  for (std::size_t range = 1; range < count; ++range) {
    due += all / (speeds * pace_[range - 1]);
    while (at < work_.size() && before + 0.5 * blockWork(at) < due) before += blockWork(at++);
    balanced_[range] = std::clamp(at * bodyBlock, balanced_[range - 1], cuts_.back());
  }
  // A body that changes hands costs its new thread the way to the other's cache.
  constexpr double worthIt = 0.98;
  double best = worthIt * duration(cuts_);
  for (const auto* cuts : {&balanced_, &even_})
    if (const double time = duration(*cuts); time < best) {
      best = time;
      cuts_ = *cuts;
    }
}

void ThreadShares::setTime(std::size_t range, double seconds) {
  const double work = workBetween(cuts_[range], cuts_[range + 1]);
  if (!(work > 0.0)) return;
  double& pace = pace_[range];
  // A thread that had to wait for a core once is not slow for good.
  constexpr double share = 0.05, most = 4.0;
  const double now = 1e9 * seconds / work;
  pace += share * (std::clamp(now, pace / most, pace * most) - pace);
}

}  // namespace scree::sim
