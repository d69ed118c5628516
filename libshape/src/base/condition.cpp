// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/condition.hpp"

#include "base/elementary.hpp"

#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// Functions of one argument, then those of two, by name.
constexpr std::array<std::pair<std::string_view, Unary>, 8> functions1{{
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"sin", elementary::sin},
    {"cos", elementary::cos},
    {"tan", elementary::tan},
    {"exp", elementary::exp},
    {"log", elementary::log},
    {"log10", elementary::log10},
    {"abs", [](double x) { return std::abs(x); }},
}};
constexpr std::array<std::pair<std::string_view, Binary>, 3> functions2{{
    {"pow", elementary::pow},
    {"min", [](double x, double y) { return std::min(x, y); }},
    {"max", [](double x, double y) { return std::max(x, y); }},
}};
constexpr std::array<std::pair<std::string_view, double>, 3> constants{
    {{"pi", pi}, {"e", std::numbers::e}, {"phi", std::numbers::phi}}};

/// An operator between two operands. A higher level binds tighter.
struct Infix {
  std::string_view sign;
  int level;
  Binary call;  ///< null for || and &&, see joined()
};
/// Levels of precedence, the loosest first; signLevel is that of sign() and has no infixes.
enum : int { orLevel, andLevel, comparisonLevel, sumLevel, productLevel, signLevel };
// Within a level the first sign that fits is taken, so <= stands before <.
constexpr std::array<Infix, 12> infixes{{
    {"||", orLevel, nullptr},
    {"&&", andLevel, nullptr},
    {"==", comparisonLevel, [](double x, double y) { return x == y ? 1.0 : 0.0; }},
    {"!=", comparisonLevel, [](double x, double y) { return x != y ? 1.0 : 0.0; }},
    {"<=", comparisonLevel, [](double x, double y) { return x <= y ? 1.0 : 0.0; }},
    {">=", comparisonLevel, [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
    {"<", comparisonLevel, [](double x, double y) { return x < y ? 1.0 : 0.0; }},
    {">", comparisonLevel, [](double x, double y) { return x > y ? 1.0 : 0.0; }},
    {"+", sumLevel, [](double x, double y) { return x + y; }},
    {"-", sumLevel, [](double x, double y) { return x - y; }},
    {"*", productLevel, [](double x, double y) { return x * y; }},
    {"/", productLevel, [](double x, double y) { return x / y; }},
}};

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWord(char c) { return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

using Values = Condition::Values;
using Number = std::function<double(const Values&)>;
using Text = std::function<std::string(const Values&)>;

/// Part of a formula: either the number or the text is set.
struct Part {
  Number number;
  Text text;
};

Part part(Number number) { return {std::move(number), {}}; }
Part applied(Unary function, Number a) {
  return part([function, a = std::move(a)](const Values& v) { return function(a(v)); });
}
Part applied(Binary function, Number a, Number b) {
  return part([function, a = std::move(a), b = std::move(b)](const Values& v) {
    return function(a(v), b(v));
  });
}

/// Parser by recursive descent: infix operators, the loosest first, then sign(), power(), atom().
class Parser {
 public:
  Parser(std::string_view text, std::span<const Condition::Name> names, std::set<std::size_t>& used)
      : text_(text), names_(names), used_(used) {}

  Number parse() {
    Part whole = formula();
    skipBlanks();
    if (at_ < text_.size())
      fail(fmt::format("expected an operator or the end, found '{}'", shownFrom(at_)), at_);
    return number(std::move(whole), 0);
  }

 private:
  [[noreturn]] static void fail(const std::string& message, std::size_t at) {
    throw ExpressionError(message, at);
  }
  std::string shownFrom(std::size_t at) const { return shown(text_.substr(at, 12)); }
  void skipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  /// Skips blanks; if `sign` comes next, skips it too and returns true.
  bool take(std::string_view sign) {
    skipBlanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  /// Number of a part. @throws ExpressionError if the part is a text
  static Number number(Part part, std::size_t at) {
    if (part.text) fail("a text can only be compared, by == or !=", at);
    return std::move(part.number);
  }
  /// Number of the part that `next` parses; an error names the place where that part begins.
  template <class Next>
  Number numberFrom(Next next) {
    skipBlanks();
    const std::size_t at = at_;
    return number(next(), at);
  }

  Part formula() {
    const Nesting nesting(*this);
    return operands(orLevel);
  }
  /// Takes an operator of one level of precedence. @returns null if none comes next
  const Infix* infix(int level) {
    for (const Infix& i : infixes)
      if (i.level == level && take(i.sign)) return &i;
    if (level == comparisonLevel && at_ < text_.size() && text_[at_] == '=')
      fail("expected ==, found =", at_);
    return nullptr;
  }
  /// Parses a row of operands joined by operators of one level, grouped from the left.
  Part operands(int level) {
    if (level == signLevel) return sign();
    const std::size_t at = at_;
    Part left = operands(level + 1);
    for (bool first = true;; first = false) {
      const std::size_t here = at_;
      const Infix* const found = infix(level);
      if (!found) return left;
      if (level == comparisonLevel) {
        if (!first) fail("comparisons in a row: join them by &&, as in 0 < z && z < 1", here);
        left = compared(*found, std::move(left), operands(level + 1), at);
      } else {
        left = joined(*found, number(std::move(left), at),
                      numberFrom([&] { return operands(level + 1); }));
      }
    }
  }
  /// Joins two numbers by an operator. `||` and `&&` compute the second operand only if the first
  /// does not decide: true decides `||`, false `&&`.
  static Part joined(const Infix& infix, Number a, Number b) {
    if (infix.call) return applied(infix.call, std::move(a), std::move(b));
    return part([isOr = infix.level == orLevel, a = std::move(a),
                 b = std::move(b)](const Values& v) -> double {
      return Condition::isTrue(a(v)) == isOr ? isOr : Condition::isTrue(b(v));
    });
  }
  static Part compared(const Infix& infix, Part a, Part b, std::size_t at) {
    if (!a.text != !b.text) fail("a text is compared with a number", at);
    if (a.number) return applied(infix.call, std::move(a.number), std::move(b.number));
    if (infix.sign != "==" && infix.sign != "!=") fail("texts are compared by == or != only", at);
    return part([same = infix.sign == "==", a = std::move(a.text), b = std::move(b.text)](
                    const Values& v) -> double { return (a(v) == b(v)) == same; });
  }
  Part sign() {
    const Nesting nesting(*this);
    const auto operand = [this] { return numberFrom([this] { return sign(); }); };
    if (take("-")) return applied([](double x) { return -x; }, operand());
    if (take("+")) return part(operand());
    if (take("!"))
      return applied([](double x) { return Condition::isTrue(x) ? 0.0 : 1.0; }, operand());
    return power();
  }
  /// Parses an atom or a power of one. Its exponent is a sign(): 2^-1 is one, 2^3^2 is 2^(3^2).
  Part power() {
    const std::size_t at = at_;
    Part base = atom();
    if (!take("^")) return base;
    Number left = number(std::move(base), at);
    return applied(elementary::pow, std::move(left), numberFrom([this] { return sign(); }));
  }
  Part atom() {
    skipBlanks();
    const std::size_t begin = at_;
    if (begin >= text_.size()) fail("expected a value, found the end", begin);
    if (take("(")) {
      Part inner = formula();
      if (!take(")")) fail("expected ')'", at_);
      return inner;
    }
    const char c = text_[begin];
    if (c == '\'' || c == '"') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return literal();
    if (!isWordStart(c)) fail(fmt::format("expected a value, found '{}'", shownFrom(begin)), begin);
    while (at_ < text_.size() && isWord(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (take("(")) return call(word, begin);
    return named(word, begin);
  }
  Part quoted(char quote) {
    const std::size_t begin = at_++;
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a text without its closing quote", begin);
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return {{}, [word](const Values&) { return word; }};
  }
  static Part constant(double value) {
    return part([value](const Values&) { return value; });
  }
  Part literal() {
    double value = 0.0;
    const auto [end, code] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc{})
      fail(fmt::format("expected a number, found '{}'", shownFrom(at_)), at_);
    at_ = static_cast<std::size_t>(end - text_.data());
    return constant(value);
  }
  Part named(std::string_view word, std::size_t at) {
    std::vector<std::string_view> known;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      known.push_back(names_[k].name);
      if (names_[k].name != word) continue;
      used_.insert(k);
      if (names_[k].text) return {{}, [k](const Values& v) { return std::get<std::string>(v(k)); }};
      return part([k](const Values& v) { return std::get<double>(v(k)); });
    }
    for (const auto& [name, value] : constants) {
      known.push_back(name);
      if (name == word) return constant(value);
    }
    fail(fmt::format("unknown name '{}'{}; known are {}", shown(word), suggestion(word, known),
                     fmt::join(known, " ")),
         at);
  }
  Part call(std::string_view word, std::size_t at) {
    Number first = numberFrom([this] { return formula(); }), second;  // null: one argument
    if (take(",")) second = numberFrom([this] { return formula(); });
    if (!take(")")) fail("expected ')'", at_);
    for (const auto& [name, function] : functions1)
      if (name == word && !second) return applied(function, std::move(first));
    for (const auto& [name, function] : functions2)
      if (name == word && second) return applied(function, std::move(first), std::move(second));
    fail(fmt::format("unknown function '{}' of {} argument(s)", shown(word), second ? 2 : 1), at);
  }

  /// Bounds the depth of nesting, so that no input can exhaust the stack.
  class Nesting {
   public:
    explicit Nesting(Parser& p) : p_(p) {
      if (++p_.depth_ > 200) fail("nested too deeply", p_.at_);
    }
    ~Nesting() { --p_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& p_;
  };

  std::string_view text_;
  std::span<const Condition::Name> names_;
  std::set<std::size_t>& used_;
  std::size_t at_ = 0;  ///< place of the next byte of text_
  int depth_ = 0;       ///< number of Nesting objects alive
};

}  // namespace

Condition::Condition(std::string_view formula, std::span<const Name> names) {
  // Nesting bounds the recursion of the parser, this limit that of number(): in a chain such as
  // a + b + c each operator calls the one on its left, so the depth is the number of operators.
  if (formula.size() > 10'000) throw ExpressionError("longer than 10000 characters", 10'000);
  formula_ = Parser(formula, names, used_).parse();
}

double evaluate(std::string_view formula) {
  const double value = Condition(formula, {}).number({});
  if (!std::isfinite(value)) throw ExpressionError("the result is not a finite number", 0);
  return value;
}

}  // namespace scree
