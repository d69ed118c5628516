// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/parallel.hpp"

#include <cstddef>
#include <new>
#include <vector>

namespace scree {

/// Memory that begins with a cache line. A type with an alignment of its own would do the same. But
/// each function with such a type on its stack would then lose a register.
template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(cacheLine)));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(cacheLine)); }
  template <class U>
  bool operator==(const LineAllocator<U>&) const {
    return true;
  }
};

/// Vector of elements as large as a cache line, each of which is to stand on one.
template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace scree
