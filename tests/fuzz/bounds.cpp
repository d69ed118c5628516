// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the memory that a fuzz target has in use. It uses the hooks of the sanitizers' allocator,
// or replaces malloc() and its kin, which then call those of glibc.
#include "bounds.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>

// The macros of g++ first: Eigen, in the precompiled header, defines __has_feature for g++ as well.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCREE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SCREE_SANITIZED 1
#endif
#endif

#ifdef SCREE_SANITIZED
// From sanitizer/allocator_interface.h, which comes with clang and not with g++ 12.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                              void (*)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void*);
}
#endif

namespace {

std::atomic<std::int64_t> inUse{0}, peak{0};

void took(std::size_t bytes) {
  const std::int64_t now =
      inUse.fetch_add(static_cast<std::int64_t>(bytes)) + static_cast<std::int64_t>(bytes);
  std::int64_t most = peak.load(std::memory_order_relaxed);
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}
void gaveBack(std::size_t bytes) { inUse.fetch_sub(static_cast<std::int64_t>(bytes)); }

double processorTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

scree::fuzz::LargestUse largest;
bool slowAllowed = false, slow = false;

}  // namespace

#ifdef SCREE_SANITIZED

namespace {
void onMalloc(const volatile void*, std::size_t size) { took(size); }
void onFree(const volatile void* p) {
  if (p) gaveBack(__sanitizer_get_allocated_size(p));
}
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree);
constexpr double slower = 10.0;
}  // namespace

#else

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) {
  void* p = __libc_malloc(size);
  if (p) took(malloc_usable_size(p));
  return p;
}
void* calloc(std::size_t n, std::size_t size) {
  void* p = __libc_calloc(n, size);
  if (p) took(malloc_usable_size(p));
  return p;
}
void* realloc(void* old, std::size_t size) {
  if (old) gaveBack(malloc_usable_size(old));
  void* p = __libc_realloc(old, size);
  if (p) took(malloc_usable_size(p));
  return p;
}
void* memalign(std::size_t alignment, std::size_t size) {
  void* p = __libc_memalign(alignment, size);
  if (p) took(malloc_usable_size(p));
  return p;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : 12;  // ENOMEM
}
void free(void* p) {
  if (p) gaveBack(malloc_usable_size(p));
  __libc_free(p);
}
}

namespace {
constexpr double slower = 1.0;
}

#endif

namespace scree::fuzz {

ReadingBounds::ReadingBounds(std::size_t bytes)
    : bytes_(bytes), before_(inUse.load()), begin_(processorTime()) {
  peak.store(before_);
}

ReadingBounds::~ReadingBounds() {
  const double seconds = processorTime() - begin_;
  const double taken = static_cast<double>(peak.load() - before_);
  const double size = static_cast<double>(bytes_);
  // A reader of any file: tables, buffers of streams, a message.
  constexpr double leastBytes = 1 << 20, leastSeconds = 0.05;
  if (bytes_ >= 100'000) {
    largest.memory = std::max(largest.memory, taken / size);
    largest.time = std::max(largest.time, 1e6 * seconds / size);
  }
  const bool late = seconds > slower * (1e-6 * size + leastSeconds);
  slow |= late;
  if (taken <= 20.0 * size + leastBytes && (!late || slowAllowed)) return;
  std::fprintf(stderr, "%zu bytes took %.0f bytes of memory (%.1f a byte) and %.3f s (%.2f a MB)\n",
               bytes_, taken, taken / std::max(size, 1.0), seconds,
               1e6 * seconds / std::max(size, 1.0));
  std::abort();
}

LargestUse largestUse() { return largest; }

void allowSlow(bool allowed) {
  slowAllowed = allowed;
  slow = false;
}
bool wasSlow() { return slow; }

}  // namespace scree::fuzz
