// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/parallel.hpp"

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <sched.h>
#include <system_error>
#include <thread>

namespace scree {
namespace {

/// Threads that wait for work. They poll for a short while, since the next loop of a step comes
/// soon. Then they block, so that waiting leaves the cores of a shared machine free.
class Team {
 public:
  static Team& instance() {
    static Team team;
    return team;
  }

  void run(std::size_t size, detail::TeamWork work, void* context) {
    const std::unique_lock lock(busy_, std::try_to_lock);
    if (insideTeam_ || !lock) {
      for (std::size_t me = 0; me < size; ++me) work(context, me, size);
      return;
    }
    while (threads_.size() + 1 < std::min(size, most_)) {
      const std::size_t me = threads_.size() + 1, seen = generation_.load();
      try {
        threads_.emplace_back([this, me, seen] { serve(me, seen); });
      } catch (const std::system_error&) {
        most_ = me;  // a limit of the system: fewer do the same work
      }
    }
    task_ = {work, context, size};
    due_ += threads_.size();
    generation_.fetch_add(1);
    generation_.notify_all();
    insideTeam_ = true;
    work(context, 0, size);
    for (std::size_t me = most_; me < size; ++me) work(context, me, size);
    insideTeam_ = false;
    for (std::size_t done = done_.load(std::memory_order_acquire); done != due_;
         done = done_.load(std::memory_order_acquire))
      detail::awaitChange(done_, done);
  }

 private:
  Team() = default;
  ~Team() {
    ending_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  void serve(std::size_t me, std::size_t seen) {
    insideTeam_ = true;
    for (;;) {
      detail::awaitChange(generation_, seen);
      seen = generation_.load(std::memory_order_acquire);
      if (ending_.load()) return;
      const Task task = task_;
      if (me < task.size) task.work(task.context, me, task.size);
      done_.fetch_add(1);
      done_.notify_all();
    }
  }

  struct Task {
    detail::TeamWork work = nullptr;
    void* context = nullptr;
    std::size_t size = 0;
  };

  std::mutex busy_;
  std::vector<std::thread> threads_;
  std::size_t most_ = SIZE_MAX;  ///< members that the system has threads for
  std::size_t due_ = 0;          ///< what `done_` will be at the end of this generation
  std::atomic<bool> ending_{false};
  // What is written and what is watched have cache lines of their own. A line that one core watches
  // while another writes to it moves between the cores each time.
  alignas(cacheLine) Task task_;  // set before a generation begins, read by its members
  alignas(cacheLine) std::atomic<std::size_t> generation_{0};
  alignas(cacheLine) std::atomic<std::size_t> done_{0};  ///< members that have done their part
  static thread_local bool insideTeam_;
};

thread_local bool Team::insideTeam_ = false;

}  // namespace

namespace detail {
void runOnTeam(std::size_t team, TeamWork work, void* context) {
  Team::instance().run(team, work, context);
}

void awaitChange(const std::atomic<std::size_t>& value, std::size_t old) {
  for (int spin = 0; spin < 1000; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
  for (int turn = 0; turn < 100; ++turn) {
    sched_yield();
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}
}  // namespace detail

void Relay::begin(std::size_t ranges) {
  if (passed_.size() != ranges) passed_ = std::vector<Mark>(ranges);
  ++lap_;
}

void Relay::pass(std::size_t range) {
  passed_[range].lap.store(lap_);
  passed_[range].lap.notify_all();
}

bool Relay::lowerPassed(std::size_t range) const {
  for (std::size_t lower = 0; lower < range; ++lower)
    if (passed_[lower].lap.load(std::memory_order_acquire) != lap_) return false;
  return true;
}

void Relay::awaitLower(std::size_t range) const {
  for (std::size_t lower = 0; lower < range; ++lower) {
    const std::atomic<std::size_t>& lap = passed_[lower].lap;
    for (std::size_t at = lap.load(std::memory_order_acquire); at != lap_;
         at = lap.load(std::memory_order_acquire))
      detail::awaitChange(lap, at);
  }
}

int availableThreads() {
  int n = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) n = CPU_COUNT(&mask);
  if (const char* limit = std::getenv("OMP_NUM_THREADS"))
    if (const long asked = std::strtol(limit, nullptr, 10); asked > 0)
      n = static_cast<int>(std::min<long>(n, asked));
  return std::max(n, 1);
}

int threadCount(int jobs) { return jobs > 0 ? std::min(jobs, 256) : availableThreads(); }

}  // namespace scree
