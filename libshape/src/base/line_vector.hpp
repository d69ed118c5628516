// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/parallel.hpp"

#include <cstddef>
#include <new>
#include <vector>

namespace scree {

/// Allocates memory that begins with a cache line. An element type with that alignment would do so
/// too, but each function that has one on its stack would lose a register.
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

/// Vector for elements of the size of a cache line, none of which lies on two lines.
template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace scree
