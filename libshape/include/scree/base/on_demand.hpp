// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace scree {

/// A value that most of its owners never change. As long as it is T{}, it takes the memory of one
/// pointer.
template <class T>
class OnDemand {
 public:
  OnDemand() = default;
  OnDemand(const OnDemand& other) : value_(other.value_ ? new T(*other.value_) : nullptr) {}
  OnDemand(OnDemand&&) noexcept = default;
  OnDemand& operator=(const OnDemand& other) { return *this = OnDemand(other); }
  OnDemand& operator=(OnDemand&&) noexcept = default;
  ~OnDemand() = default;

  const T& operator*() const {
    static const T none{};
    return value_ ? *value_ : none;
  }
  const T* operator->() const { return &**this; }
  /// The value, to be changed; allocates it.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace scree
