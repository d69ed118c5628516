// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that is brought into the cache before it is needed.
#pragma once

#include "scree/base/parallel.hpp"

#include <cstddef>
#include <vector>

namespace scree::sim {

/// Prefetches what is read later. Always inlined: GCC takes a function that does nothing else for
/// one without effect, and drops the call.
[[gnu::always_inline]] inline void prefetch(const void* data, std::size_t size) {
  for (std::size_t byte = 0; byte < size; byte += 64)
    __builtin_prefetch(static_cast<const char*>(data) + byte);
}

/// Prefetches what is written later and another core has read: to take it back takes longer than
/// to read it.
[[gnu::always_inline]] inline void prefetchToWrite(void* data, std::size_t size) {
  for (std::size_t byte = 0; byte < size; byte += 64) {
    char& at = static_cast<char*>(data)[byte];
#if defined(__x86_64__)  // where the builtin prefetches for reading alone below x86-64-v3
    asm volatile("prefetchw %0" ::"m"(at));
#else
    __builtin_prefetch(&at, 1);
#endif
  }
}

/// Memory that is read soon. It comes into the cache little by little, while other work goes on:
/// each line takes a buffer of the core for as long as memory needs, and there are few of them.
class Ahead {
 public:
  void clear() {
    ranges_.clear();
    next_ = lines_ = pace_ = 0;
    at_ = end_ = nullptr;
  }
  template <class T>
  void add(const T* items, std::size_t count) {
    if (count == 0) return;
    const auto* const bytes = reinterpret_cast<const char*>(items);
    ranges_.push_back({bytes, bytes + count * sizeof(T)});
    lines_ += count * sizeof(T) / cacheLine + 1;
  }
  /// Spreads all of it over so many calls of fetch().
  void setPace(std::size_t calls) { pace_ = lines_ / (calls + 1) + 1; }
  [[gnu::always_inline]] void fetch() {
    for (std::size_t k = 0; k < pace_; ++k) {
      if (at_ >= end_) {
        if (next_ == ranges_.size()) return;
        at_ = ranges_[next_].begin;
        end_ = ranges_[next_++].end;
      }
      __builtin_prefetch(at_);
      at_ += cacheLine;
    }
  }

 private:
  struct Range {
    const char *begin, *end;
  };
  std::vector<Range> ranges_;
  std::size_t next_ = 0, lines_ = 0, pace_ = 0;
  const char *at_ = nullptr, *end_ = nullptr;
};

/// The most near pairs whose contacts fit the caches of a core, and the caches of a processor.
inline constexpr std::size_t pairsOfCore = 8192, pairsOfCaches = 131072;

}  // namespace scree::sim
