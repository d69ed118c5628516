// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace scree {

/// Bytes that move between memory and cores together.
inline constexpr std::size_t cacheLine = 64;

/// Threads this process may use: the affinity mask, OMP_NUM_THREADS and useThreads(), where set.
int availableThreads();
/// Bounds availableThreads(), for parts that nobody gives a number; 0 or less: no bound.
void useThreads(int jobs);
/// `jobs` as an option says it: 0 or less means all that are available.
int threadCount(int jobs);

namespace detail {
using TeamWork = void (*)(void* context, std::size_t me, std::size_t team);
/// work(context, me, team) for each me in [0, team), me = 0 on the calling thread; returns when all
/// are done. Inside such work, and while another thread uses the team, all runs on the caller.
void runOnTeam(std::size_t team, TeamWork work, void* context);
/// Returns once `value` is no longer `old`. It polls for some microseconds, then blocks, so that
/// waiting leaves the cores of a shared machine free. Whoever changes `value` calls notify_all().
/// It has 32 bits, as a futex: with more, libstdc++ wakes those who wait for other values, too.
void awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old);

/// Has the system supply the memory of `bytes` from `begin` on, where they are 64 MB or more. What
/// they hold stays. Does nothing where the system does not know the request.
void populate(void* begin, std::size_t bytes, int threads);

template <class F>
void onTeam(std::size_t team, F& f) {
  runOnTeam(
      team,
      [](void* context, std::size_t me, std::size_t n) { (*static_cast<F*>(context))(me, n); }, &f);
}

inline void rethrowFirst(const std::vector<std::exception_ptr>& failures) {
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}
}  // namespace detail

/// f(i) for each i in [0, n), on `threads` threads, each with one contiguous range. The function
/// must write only to slots of its own, so the result cannot depend on the number of threads. The
/// first exception thrown (in order of the ranges) is thrown again here.
/// @param grain  calls that are worth a thread: with fewer than twice that, all run on the caller
template <class F>
void parallelFor(int threads, std::size_t n, F&& f, std::size_t grain = 1) {
  threads = static_cast<int>(std::min(static_cast<std::size_t>(std::max(threads, 1)),
                                      n / std::max<std::size_t>(grain, 1)));
  if (threads <= 1) {
    for (std::size_t i = 0; i < n; ++i) f(i);
    return;
  }
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
  auto work = [&](std::size_t me, std::size_t team) {
    try {
      for (std::size_t i = n * me / team, end = n * (me + 1) / team; i < end; ++i) f(i);
    } catch (...) {
      failures[me] = std::current_exception();
    }
  };
  detail::onTeam(failures.size(), work);
  detail::rethrowFirst(failures);
}

/// Reserves room for `n` items of an empty vector or string, and has threads ask for its memory: a
/// system clears memory where it is first touched, which takes one thread seconds for gigabytes.
template <class Items>
void reserveOnThreads(Items& items, std::size_t n, int threads = availableThreads()) {
  items.reserve(n);
  detail::populate(items.data(), n * sizeof(*items.data()), threads);
}

/// f(begin, end) for each range between neighbouring `cuts`, each on a thread of its own; else as
/// parallelFor.
template <class F>
void parallelRanges(std::span<const std::size_t> cuts, F&& f) {
  const std::size_t ranges = cuts.size() - 1;
  parallelFor(static_cast<int>(ranges), ranges,
              [&](std::size_t range) { f(cuts[range], cuts[range + 1]); });
}

/// Lets each range of a loop over ranges continue once all lower ones have reached a place. This
/// avoids the cost of ending that loop and beginning another. Every range passes; it may wait after
/// that, since a thread with several ranges does the lower ones first.
class Relay {
 public:
  void begin(std::size_t ranges);             ///< before the loop
  void pass(std::size_t range);               ///< what `range` wrote may now be read
  bool lowerPassed(std::size_t range) const;  ///< whether all lower ranges have passed
  void awaitLower(std::size_t range) const;   ///< until they have
  /// f(range), which passes; if it throws, the others shall not wait for it.
  template <class F>
  void run(std::size_t range, F&& f) {
    try {
      f(range);
    } catch (...) {
      pass(range);
      throw;
    }
  }

 private:
  struct alignas(cacheLine) Mark {
    std::atomic<std::uint32_t> lap{0};
  };
  std::vector<Mark> passed_;
  std::uint32_t lap_ = 0;
};

/// Like parallelFor, but threads take the next index as they finish: for few, uneven jobs.
template <class F>
void parallelJobs(int threads, std::size_t n, F&& f) {
  if (threads <= 1 || n < 2) {
    for (std::size_t i = 0; i < n; ++i) f(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(n);
  auto work = [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < n; i = next++) {
      try {
        f(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  detail::onTeam(std::min(static_cast<std::size_t>(threads), n), work);
  detail::rethrowFirst(failures);
}

/// Concatenates the parts into `all`, in place of what it held; threads copy one part each.
template <class Vector>
void join(int threads, std::vector<Vector>& parts, Vector& all) {
  if (parts.size() == 1) {
    all = std::move(parts[0]);
    return;
  }
  std::vector<std::size_t> start{0};
  for (const Vector& part : parts) start.push_back(start.back() + part.size());
  all.reserve(start.back());
  all.resize(start.back());
  parallelFor(threads, parts.size(), [&](std::size_t k) {
    std::ranges::copy(parts[k], all.begin() + static_cast<std::ptrdiff_t>(start[k]));
  });
}

/// Sum of f(i) over [0, n). Blocks of fixed length are added left to right, then the block sums, so
/// the bits are the same for any number of threads.
template <class T, class F>
T orderedSum(int threads, std::size_t n, T zero, F&& f) {
  constexpr std::size_t block = 256;
  std::vector<T> sums((n + block - 1) / block, zero);
  parallelFor(threads, sums.size(), [&](std::size_t b) {
    T sum = zero;
    for (std::size_t i = b * block, end = std::min(n, (b + 1) * block); i < end; ++i) sum += f(i);
    sums[b] = sum;
  });
  T total = zero;
  for (const T& s : sums) total += s;
  return total;
}

/// Callback of long work with the share that is done, in [0, 1]. May be empty.
using Progress = std::function<void(double done)>;

}  // namespace scree
