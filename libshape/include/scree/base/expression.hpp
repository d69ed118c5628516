// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace scree {

/// Something an expression says that cannot be computed, `at` bytes into it.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t at)
      : std::runtime_error(message), at_(at) {}
  std::size_t at() const noexcept { return at_; }

 private:
  std::size_t at_;
};

/// Value of an arithmetic expression: numbers, + - * / ^, signs, parentheses, the functions sqrt
/// sin cos tan exp log log10 abs min max pow, the constants pi, e and phi (golden ratio).
///
/// ^ binds tighter than * and /, which bind tighter than + and -; ^ groups from the right.
/// @throws ExpressionError on anything else, on an unknown name and on a result that is not finite
double evaluate(std::string_view expression);

}  // namespace scree
