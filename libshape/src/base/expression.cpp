// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/math.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

namespace scree {
namespace {

/// Recursive descent over sum > product > sign > power > atom.
class Evaluator {
 public:
  explicit Evaluator(std::string_view text) : text_(text) {}

  double all() {
    const double value = sum();
    skip();
    if (at_ < text_.size()) fail(fmt::format("expected an operator, found '{}'", text_[at_]), at_);
    return value;
  }

 private:
  [[noreturn]] static void fail(const std::string& message, std::size_t at) {
    throw ExpressionError(message, at);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  double sum() {
    const Level level(*this);
    double value = product();
    for (;;) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = sign();
    for (;;) {
      if (take('*'))
        value *= sign();
      else if (take('/'))
        value /= sign();
      else
        return value;
    }
  }
  double sign() {
    const Level level(*this);
    if (take('-')) return -sign();
    if (take('+')) return sign();
    return power();
  }
  double power() {
    const double base = atom();
    return take('^') ? elementary::pow(base, sign()) : base;
  }
  double atom() {
    skip();
    const std::size_t begin = at_;
    if (begin >= text_.size()) fail("expected a value, found the end", begin);
    if (take('(')) {
      const double value = sum();
      if (!take(')')) fail("expected ')'", at_);
      return value;
    }
    const char c = text_[begin];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      double value = 0.0;
      const auto [end, code] =
          std::from_chars(text_.data() + begin, text_.data() + text_.size(), value);
      if (code != std::errc{})
        fail(fmt::format("expected a number, found '{}'", text_.substr(begin, 12)), begin);
      at_ = static_cast<std::size_t>(end - text_.data());
      return value;
    }
    if (!std::isalpha(static_cast<unsigned char>(c)))
      fail(fmt::format("expected a value, found '{}'", c), begin);
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (take('(')) {
      std::vector<double> arguments{sum()};
      while (take(',')) arguments.push_back(sum());
      if (!take(')')) fail("expected ')' or ','", at_);
      return call(name, arguments, begin);
    }
    if (name == "pi") return pi;
    if (name == "e") return std::numbers::e;
    if (name == "phi") return std::numbers::phi;
    fail(fmt::format("unknown name '{}'; known are pi, e, phi and functions with (...)", name),
         begin);
  }

  static double call(std::string_view name, const std::vector<double>& x, std::size_t at) {
    if (x.size() == 1) {
      if (name == "sqrt") return std::sqrt(x[0]);
      if (name == "sin") return elementary::sin(x[0]);
      if (name == "cos") return elementary::cos(x[0]);
      if (name == "tan") return elementary::tan(x[0]);
      if (name == "exp") return elementary::exp(x[0]);
      if (name == "log") return elementary::log(x[0]);
      if (name == "log10") return elementary::log10(x[0]);
      if (name == "abs") return std::abs(x[0]);
    } else if (x.size() == 2) {
      if (name == "pow") return elementary::pow(x[0], x[1]);
      if (name == "min") return std::min(x[0], x[1]);
      if (name == "max") return std::max(x[0], x[1]);
    }
    fail(fmt::format("unknown function '{}' of {} argument(s)", name, x.size()), at);
  }

  /// Bounds the depth of nesting, so that no input can exhaust the stack.
  class Level {
   public:
    explicit Level(Evaluator& e) : e_(e) {
      if (++e_.depth_ > 200) fail("nested too deeply", e_.at_);
    }
    ~Level() { --e_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Evaluator& e_;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate(std::string_view expression) {
  const double value = Evaluator(expression).all();
  if (!std::isfinite(value)) throw ExpressionError("the result is not a finite number", 0);
  return value;
}

}  // namespace scree
