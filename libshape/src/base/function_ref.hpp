// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace scree {

/// A reference to something callable, for one call of the function that takes it: two pointers, no
/// allocation. An empty one converts to false. The callable must outlive it.
template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<Result, F&, Arguments...>)
      FunctionRef(F&& f)  // NOLINT: implicit, so that a lambda can be passed
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* callable, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(callable))(
              std::forward<Arguments>(arguments)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const {
    return call_(callable_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* callable_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace scree
