// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace scree {

/// Part of a formula that cannot be computed, `at` bytes into it.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t at)
      : std::runtime_error(message), at_(at) {}
  std::size_t at() const noexcept { return at_; }

 private:
  std::size_t at_;
};

/// A formula over named values, compiled once and evaluated for many items, for example
/// `group == 1 && z < 0.5` or `kind == 'Sphere'`.
///
/// Operators, from the loosest: `||`, `&&`, comparisons `== != < <= > >=`, `+ -`, `* /`, the signs
/// `- + !`, `^` (groups from the right). Parentheses, the functions sqrt sin cos tan exp log log10
/// abs min max pow, the constants pi, e and phi (golden ratio). Text stands between single or
/// double quotes and is compared by `==` and `!=` alone. True is 1, false is 0; any other number
/// counts as true, but NaN as false. A comparison with NaN is false, except `!=`.
class Condition {
 public:
  using Value = std::variant<double, std::string>;
  /// Values of the names for one item, by their place among the names.
  using Values = std::function<Value(std::size_t)>;
  /// A name that the formula may use.
  struct Name {
    std::string_view name;
    bool text = false;  ///< its values are text, not numbers
  };

  /// @throws ExpressionError on anything that is no such formula, with the place in `formula`
  Condition(std::string_view formula, std::span<const Name> names);

  /// Whether the item with these values passes. `valueOf(k)` gives the value of names[k]; it is
  /// called only for names that decide.
  bool holds(const Values& valueOf) const { return isTrue(number(valueOf)); }
  double number(const Values& valueOf) const { return formula_(valueOf); }
  /// Whether a value of a formula counts as true.
  static bool isTrue(double value) { return value < 0.0 || value > 0.0; }
  /// Whether the formula names names[k].
  bool uses(std::size_t k) const { return used_.contains(k); }

 private:
  std::function<double(const Values&)> formula_;
  std::set<std::size_t> used_;
};

/// Value of a formula without names.
/// @throws ExpressionError also where the result is not finite
double evaluate(std::string_view formula);

}  // namespace scree
