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
#include <optional>
#include <utility>

namespace scree {
namespace {

using One = double (*)(double);
using Two = double (*)(double, double);

constexpr std::array<std::pair<std::string_view, One>, 8> functions1{{
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"sin", elementary::sin},
    {"cos", elementary::cos},
    {"tan", elementary::tan},
    {"exp", elementary::exp},
    {"log", elementary::log},
    {"log10", elementary::log10},
    {"abs", [](double x) { return std::abs(x); }},
}};
constexpr std::array<std::pair<std::string_view, Two>, 3> functions2{{
    {"pow", elementary::pow},
    {"min", [](double x, double y) { return std::min(x, y); }},
    {"max", [](double x, double y) { return std::max(x, y); }},
}};

/// An operator between two operands; those of a higher level bind tighter.
struct Infix {
  std::string_view sign;
  int level;
  Two call;
};
enum : int { orLevel, andLevel, comparisonLevel, sumLevel, productLevel, signLevel };
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

}  // namespace

/// Recursive descent: levels of infixes > sign > power > atom.
class ConditionParser {
 public:
  using Op = Condition::Op;
  ConditionParser(std::string_view text, std::span<const Condition::Name> names, Condition& out)
      : text_(text), names_(names), out_(out) {}

  void parse() {
    out_.root_ = formula();
    skip();
    if (at_ < text_.size())
      fail(fmt::format("expected an operator or the end, found '{}'", shownFrom(at_)), at_);
    requireNumber(out_.root_, 0);
  }

 private:
  [[noreturn]] static void fail(const std::string& message, std::size_t at) {
    throw ExpressionError(message, at);
  }
  std::string shownFrom(std::size_t at) const { return shown(text_.substr(at, 12)); }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  std::size_t add(Condition::Node node) {
    out_.nodes_.push_back(std::move(node));
    return out_.nodes_.size() - 1;
  }
  std::size_t addOne(One function, std::size_t a) {
    Condition::Node node;
    node.op = Op::one;
    node.a = a;
    node.one = function;
    return add(std::move(node));
  }
  std::size_t addTwo(Op op, Two function, std::size_t a, std::size_t b) {
    Condition::Node node;
    node.op = op;
    node.a = a;
    node.b = b;
    node.two = function;
    return add(std::move(node));
  }
  void requireNumber(std::size_t node, std::size_t at) const {
    if (out_.nodes_[node].text) fail("a text can only be compared, by == or !=", at);
  }
  template <class Next>
  std::size_t numberFrom(Next next) {
    skip();
    const std::size_t at = at_, node = next();
    requireNumber(node, at);
    return node;
  }

  std::size_t formula() {
    const Level level(*this);
    return operands(orLevel);
  }
  const Infix* infix(int level) {
    for (const Infix& i : infixes)
      if (i.level == level && take(i.sign)) return &i;
    if (level == comparisonLevel && at_ < text_.size() && text_[at_] == '=')
      fail("expected ==, found =", at_);
    return nullptr;
  }
  std::size_t operands(int level) {
    if (level == signLevel) return sign();
    const std::size_t at = at_;
    std::size_t left = operands(level + 1);
    for (bool first = true;; first = false) {
      const std::size_t here = at_;
      const Infix* const found = infix(level);
      if (!found) return left;
      if (level == comparisonLevel) {
        if (!first) fail("comparisons in a row: join them by &&, as in 0 < z && z < 1", here);
        left = compared(*found, left, operands(level + 1), at);
      } else {
        requireNumber(left, at);
        const std::size_t right = numberFrom([&] { return operands(level + 1); });
        const Op op = level == orLevel ? Op::lor : level == andLevel ? Op::land : Op::two;
        left = addTwo(op, found->call, left, right);
      }
    }
  }
  std::size_t compared(const Infix& infix, std::size_t left, std::size_t right, std::size_t at) {
    const bool texts = out_.nodes_[left].text;
    if (texts != out_.nodes_[right].text) fail("a text is compared with a number", at);
    if (!texts) return addTwo(Op::two, infix.call, left, right);
    if (infix.sign != "==" && infix.sign != "!=") fail("texts are compared by == or != only", at);
    return addTwo(infix.sign == "==" ? Op::sameText : Op::otherText, nullptr, left, right);
  }
  std::size_t sign() {
    const Level level(*this);
    const auto operand = [this] { return numberFrom([this] { return sign(); }); };
    if (take("-")) return addOne([](double x) { return -x; }, operand());
    if (take("+")) return operand();
    if (take("!"))
      return addOne([](double x) { return Condition::isTrue(x) ? 0.0 : 1.0; }, operand());
    return power();
  }
  std::size_t power() {
    const std::size_t at = at_;
    const std::size_t base = atom();
    if (!take("^")) return base;
    requireNumber(base, at);
    return addTwo(Op::two, elementary::pow, base, numberFrom([this] { return sign(); }));
  }
  std::size_t atom() {
    skip();
    const std::size_t begin = at_;
    if (begin >= text_.size()) fail("expected a value, found the end", begin);
    if (take("(")) {
      const std::size_t inner = formula();
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
  std::size_t quoted(char quote) {
    const std::size_t begin = at_++;
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a text without its closing quote", begin);
    Condition::Node node;
    node.op = Op::text;
    node.word = std::string(text_.substr(at_, end - at_));
    node.text = true;
    at_ = end + 1;
    return add(std::move(node));
  }
  std::size_t constant(double value) {
    Condition::Node node;
    node.value = value;
    return add(std::move(node));
  }
  std::size_t literal() {
    double value = 0.0;
    const auto [end, code] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc{})
      fail(fmt::format("expected a number, found '{}'", shownFrom(at_)), at_);
    at_ = static_cast<std::size_t>(end - text_.data());
    return constant(value);
  }
  std::size_t named(std::string_view word, std::size_t at) {
    std::vector<std::string_view> known;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      known.push_back(names_[k].name);
      if (names_[k].name != word) continue;
      Condition::Node node;
      node.op = Op::name;
      node.a = k;
      node.text = names_[k].text;
      return add(std::move(node));
    }
    if (word == "pi") return constant(pi);
    if (word == "e") return constant(std::numbers::e);
    if (word == "phi") return constant(std::numbers::phi);
    known.insert(known.end(), {"pi", "e", "phi"});
    fail(fmt::format("unknown name '{}'{}; known are {}", shown(word), suggestion(word, known),
                     fmt::join(known, " ")),
         at);
  }
  std::size_t call(std::string_view word, std::size_t at) {
    const std::size_t first = numberFrom([this] { return formula(); });
    std::optional<std::size_t> second;
    if (take(",")) second = numberFrom([this] { return formula(); });
    if (!take(")")) fail("expected ')'", at_);
    if (!second) {
      for (const auto& [name, function] : functions1)
        if (name == word) return addOne(function, first);
    } else {
      for (const auto& [name, function] : functions2)
        if (name == word) return addTwo(Op::two, function, first, *second);
    }
    fail(fmt::format("unknown function '{}' of {} argument(s)", shown(word), second ? 2 : 1), at);
  }

  /// Bounds the depth of nesting, so that no input can exhaust the stack.
  class Level {
   public:
    explicit Level(ConditionParser& p) : p_(p) {
      if (++p_.depth_ > 200) fail("nested too deeply", p_.at_);
    }
    ~Level() { --p_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    ConditionParser& p_;
  };

  std::string_view text_;
  std::span<const Condition::Name> names_;
  Condition& out_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Condition::Condition(std::string_view formula, std::span<const Name> names) {
  // A chain of operators nests in its left operand: its length is bounded as the depth is.
  if (formula.size() > 10'000) throw ExpressionError("longer than 10000 characters", 10'000);
  ConditionParser(formula, names, *this).parse();
}

std::string Condition::textAt(std::size_t k,
                              const std::function<Value(std::size_t)>& valueOf) const {
  const Node& node = nodes_[k];
  return node.op == Op::text ? node.word : std::get<std::string>(valueOf(node.a));
}

bool Condition::isTrue(double value) { return value < 0.0 || value > 0.0; }

double Condition::numberAt(std::size_t k, const std::function<Value(std::size_t)>& valueOf) const {
  const Node& node = nodes_[k];
  const auto a = [&] { return numberAt(node.a, valueOf); };
  const auto b = [&] { return numberAt(node.b, valueOf); };
  switch (node.op) {
    case Op::constant:
      return node.value;
    case Op::text:
      break;
    case Op::name:
      return std::get<double>(valueOf(node.a));
    case Op::one:
      return node.one(a());
    case Op::two:
      return node.two(a(), b());
    case Op::land:
      return isTrue(a()) && isTrue(b());
    case Op::lor:
      return isTrue(a()) || isTrue(b());
    case Op::sameText:
      return textAt(node.a, valueOf) == textAt(node.b, valueOf);
    case Op::otherText:
      return textAt(node.a, valueOf) != textAt(node.b, valueOf);
  }
  return 0.0;
}

double Condition::number(const std::function<Value(std::size_t)>& valueOf) const {
  return numberAt(root_, valueOf);
}
bool Condition::holds(const std::function<Value(std::size_t)>& valueOf) const {
  return isTrue(numberAt(root_, valueOf));
}
bool Condition::uses(std::size_t k) const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [k](const Node& n) { return n.op == Op::name && n.a == k; });
}

double evaluate(std::string_view formula) {
  const double value = Condition(formula, {}).number({});
  if (!std::isfinite(value)) throw ExpressionError("the result is not a finite number", 0);
  return value;
}

}  // namespace scree
