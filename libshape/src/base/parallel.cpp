// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/parallel.hpp"

#include <cstdlib>
#include <deque>
#include <mutex>
#include <sched.h>
#include <sys/mman.h>
#include <system_error>
#include <thread>

namespace scree {
namespace {

/// Threads that wait for work. They poll for a short while, since the next loop of a step comes
/// soon. Then they block, so that waiting leaves the cores of a shared machine free.
///
/// Each thread has the same share of each loop, so its caches hold what it needs. On a busy machine
/// a thread may get no core for a long time: the caller, when it has done its own share, also does
/// each share that no thread has begun. A large team reports finished shares in groups, each with a
/// cache line of its own, since reports to one line take their turns.
class Team {
 public:
  static Team& instance() {
    static Team team;
    return team;
  }

  void run(std::size_t size, detail::TeamWork work, void* context) {
    const std::unique_lock lock(busy_, std::try_to_lock);
    if (size < 2 || insideTeam_ || !lock) {
      for (std::size_t me = 0; me < size; ++me) work(context, me, size);
      return;
    }
    hire(size);
    const std::size_t helpers = std::min(size, members_.size() + 1) - 1;
    task_ = {work, context, size, helpers};
    const std::size_t groups = (helpers + groupSize - 1) / groupSize;
    due_ += static_cast<std::uint32_t>(helpers > groupSize ? groups : helpers);
    while (groups_.size() < groups) groups_.emplace_back();
    for (std::size_t g = 0; g < groups; ++g)
      groups_[g].working.store(std::min(groupSize, helpers - g * groupSize),
                               std::memory_order_relaxed);
    const std::uint32_t generation = std::max(generation_.load(std::memory_order_relaxed) + 1, 1u);
    for (std::size_t k = 0; k < helpers; ++k)
      members_[k].offer.store(generation, std::memory_order_release);
    generation_.store(generation);
    generation_.notify_all();
    insideTeam_ = true;
    work(context, 0, size);
    // In rising order, since a share may wait for lower ones (see Relay).
    for (std::size_t me = 1; me < size; ++me) {
      if (me <= helpers && !members_[me - 1].take(generation)) continue;
      work(context, me, size);
      if (me <= helpers) report(me, helpers);
    }
    insideTeam_ = false;
    for (std::uint32_t done = done_.load(std::memory_order_acquire); done != due_;
         done = done_.load(std::memory_order_acquire))
      detail::awaitChange(done_, done);
  }

 private:
  /// A thread, and `offer`: the generation whose share it has not begun, or 0.
  struct alignas(cacheLine) Member {
    std::atomic<std::uint32_t> offer{0};
    std::thread thread;

    /// Takes the share of `generation`. @returns whether it was still there: if so, the calling
    /// thread must do it
    bool take(std::uint32_t generation) {
      return generation != 0 &&
             offer.compare_exchange_strong(generation, 0, std::memory_order_acq_rel);
    }
  };

  static constexpr std::size_t groupSize = 8;
  struct alignas(cacheLine) Group {
    std::atomic<std::size_t> working{0};  ///< shares of its members that are not done
  };

  Team() = default;
  ~Team() {
    ending_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (Member& member : members_) member.thread.join();
  }

  void hire(std::size_t size) {
    while (members_.size() + 1 < std::min(size, largestTeam_)) {
      Member& member = members_.emplace_back();
      const std::size_t me = members_.size();
      try {
        member.thread = std::thread([this, &member, me] { serve(member, me); });
      } catch (const std::system_error&) {
        members_.pop_back();
        largestTeam_ = me;  // the system has no more threads: fewer do the work
      }
    }
  }

  void serve(Member& self, std::size_t me) {
    insideTeam_ = true;
    for (;;) {
      const std::uint32_t seen = generation_.load(std::memory_order_acquire);
      if (ending_.load()) return;
      if (!self.take(self.offer.load(std::memory_order_acquire))) {
        detail::awaitChange(generation_, seen);
        continue;
      }
      const Task task = task_;  // run() does not change it before this share is done
      task.work(task.context, me, task.size);
      report(me, task.helpers);
    }
  }

  /// Counts the share of member `me` as done.
  void report(std::size_t me, std::size_t helpers) {
    if (helpers > groupSize && groups_[(me - 1) / groupSize].working.fetch_sub(1) != 1) return;
    done_.fetch_add(1);
    done_.notify_all();
  }

  struct Task {
    detail::TeamWork work = nullptr;
    void* context = nullptr;
    std::size_t size = 0, helpers = 0;
  };

  std::mutex busy_;
  std::deque<Member> members_;  ///< a deque, in which members are never moved
  std::deque<Group> groups_;
  std::size_t largestTeam_ = SIZE_MAX;  ///< caller included; less once the system refuses a thread
  std::uint32_t due_ = 0;               ///< value of `done_` at the end of this generation
  std::atomic<bool> ending_{false};
  // Variables that are polled have cache lines of their own. A line that one core polls while
  // another writes to it moves between the cores each time.
  alignas(cacheLine) Task task_;  // set before a generation begins, then read by the threads
  alignas(cacheLine) std::atomic<std::uint32_t> generation_{0};
  alignas(cacheLine) std::atomic<std::uint32_t> done_{0};  ///< shares or groups that have reported
  static thread_local bool insideTeam_;
};

thread_local bool Team::insideTeam_ = false;

}  // namespace

namespace detail {
void runOnTeam(std::size_t team, TeamWork work, void* context) {
  Team::instance().run(team, work, context);
}

void populate(void* begin, std::size_t bytes, int threads) {
  constexpr std::size_t block = std::size_t{2} << 20;  // size of a large page
  constexpr std::size_t many = 32;                     // blocks that are worth threads
  const std::size_t first = (reinterpret_cast<std::uintptr_t>(begin) + block - 1) / block,
                    end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / block;
  if (end < first + many) return;
  parallelFor(threads, end - first, [&](std::size_t k) {
    ::madvise(reinterpret_cast<void*>((first + k) * block), block, MADV_POPULATE_WRITE);
  });
}

void awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
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
  if (passed_.size() > 1) passed_[range].lap.notify_all();
}

bool Relay::lowerPassed(std::size_t range) const {
  for (std::size_t lower = 0; lower < range; ++lower)
    if (passed_[lower].lap.load(std::memory_order_acquire) != lap_) return false;
  return true;
}

void Relay::awaitLower(std::size_t range) const {
  for (std::size_t lower = 0; lower < range; ++lower) {
    const std::atomic<std::uint32_t>& lap = passed_[lower].lap;
    for (std::uint32_t at = lap.load(std::memory_order_acquire); at != lap_;
         at = lap.load(std::memory_order_acquire))
      detail::awaitChange(lap, at);
  }
}

namespace {
std::atomic<int> mostThreads{0};  ///< 0: no bound
}

void useThreads(int jobs) { mostThreads = jobs; }

int availableThreads() {
  int n = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) n = CPU_COUNT(&mask);
  if (const char* limit = std::getenv("OMP_NUM_THREADS"))
    if (const long asked = std::strtol(limit, nullptr, 10); asked > 0)
      n = static_cast<int>(std::min<long>(n, asked));
  if (const int most = mostThreads; most > 0) n = std::min(n, most);
  return std::max(n, 1);
}

int threadCount(int jobs) { return jobs > 0 ? std::min(jobs, 256) : availableThreads(); }

}  // namespace scree
