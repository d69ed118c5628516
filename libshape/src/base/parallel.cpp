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

/// Threads that wait for work: a short while awake, since the next loop of a step comes soon, then
/// asleep, so that a machine shared with others is not kept busy with waiting.
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
    work_ = work;
    context_ = context;
    size_ = size;
    pending_.store(threads_.size(), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    insideTeam_ = true;
    work(context, 0, size);
    for (std::size_t me = most_; me < size; ++me) work(context, me, size);
    insideTeam_ = false;
    for (std::size_t left = pending_.load(std::memory_order_acquire); left != 0;
         left = pending_.load(std::memory_order_acquire))
      await(pending_, left);
  }

 private:
  Team() = default;
  ~Team() {
    ending_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  /// Returns once `value` is no longer `old`.
  static void await(const std::atomic<std::size_t>& value, std::size_t old) {
    for (int spin = 0; spin < 1000; ++spin) {
      if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    }
    value.wait(old, std::memory_order_acquire);
  }

  void serve(std::size_t me, std::size_t seen) {
    insideTeam_ = true;
    for (;;) {
      await(generation_, seen);
      seen = generation_.load(std::memory_order_acquire);
      if (ending_.load()) return;
      if (me < size_) work_(context_, me, size_);
      if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_all();
    }
  }

  std::mutex busy_;
  std::vector<std::thread> threads_;
  std::size_t most_ = SIZE_MAX;  ///< members that the system has threads for
  std::atomic<std::size_t> generation_{0}, pending_{0};
  std::atomic<bool> ending_{false};
  detail::TeamWork work_ = nullptr;  // set before a generation begins, read by its members
  void* context_ = nullptr;
  std::size_t size_ = 0;
  static thread_local bool insideTeam_;
};

thread_local bool Team::insideTeam_ = false;

}  // namespace

namespace detail {
void runOnTeam(std::size_t team, TeamWork work, void* context) {
  Team::instance().run(team, work, context);
}
}  // namespace detail

int availableThreads() {
  int n = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) n = CPU_COUNT(&mask);
  if (const char* limit = std::getenv("OMP_NUM_THREADS"))
    if (const int asked = std::atoi(limit); asked > 0) n = std::min(n, asked);
  return std::max(n, 1);
}

int threadCount(int jobs) { return jobs > 0 ? std::min(jobs, 256) : availableThreads(); }

}  // namespace scree
