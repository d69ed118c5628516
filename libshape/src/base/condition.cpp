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

struct Function1 {
  std::string_view name;
  double (*call)(double);
};
struct Function2 {
  std::string_view name;
  double (*call)(double, double);
};
constexpr std::array<Function1, 8> functions1{{
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"sin", [](double x) { return elementary::sin(x); }},
    {"cos", [](double x) { return elementary::cos(x); }},
    {"tan", [](double x) { return elementary::tan(x); }},
    {"exp", [](double x) { return elementary::exp(x); }},
    {"log", [](double x) { return elementary::log(x); }},
    {"log10", [](double x) { return elementary::log10(x); }},
    {"abs", [](double x) { return std::abs(x); }},
}};
constexpr std::array<Function2, 3> functions2{{
    {"pow", [](double x, double y) { return elementary::pow(x, y); }},
    {"min", [](double x, double y) { return std::min(x, y); }},
    {"max", [](double x, double y) { return std::max(x, y); }},
}};

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWord(char c) { return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

}  // namespace

/// Recursive descent: or > and > comparison > sum > product > sign > power > atom.
class ConditionParser {
 public:
  using Op = Condition::Op;
  ConditionParser(std::string_view text, std::span<const Condition::Name> names, Condition& out)
      : text_(text), names_(names), out_(out) {}

  void parse() {
    out_.root_ = either();
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
  std::size_t add(Op op, std::size_t a, std::size_t b = 0) {
    Condition::Node node;
    node.op = op;
    node.a = a;
    node.b = b;
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

  std::size_t either() {
    const Level level(*this);
    const std::size_t at = at_;
    std::size_t left = both();
    while (take("||")) {
      requireNumber(left, at);
      left = add(Op::lor, left, numberFrom([this] { return both(); }));
    }
    return left;
  }
  std::size_t both() {
    const std::size_t at = at_;
    std::size_t left = comparison();
    while (take("&&")) {
      requireNumber(left, at);
      left = add(Op::land, left, numberFrom([this] { return comparison(); }));
    }
    return left;
  }
  std::size_t comparison() {
    const std::size_t at = at_;
    const std::size_t left = sum();
    const auto op = comparator();
    if (!op) return left;
    const std::size_t right = sum();
    const bool texts = out_.nodes_[left].text;
    if (texts != out_.nodes_[right].text) fail("a text is compared with a number", at);
    if (texts && *op != Op::equal && *op != Op::unequal)
      fail("texts are compared by == or != only", at);
    const std::size_t more = at_;
    if (comparator()) fail("comparisons in a row: join them by &&, as in 0 < z && z < 1", more);
    return add(*op, left, right);
  }
  std::optional<Op> comparator() {
    constexpr std::array<std::pair<std::string_view, Op>, 6> all{{{"==", Op::equal},
                                                                  {"!=", Op::unequal},
                                                                  {"<=", Op::lessEqual},
                                                                  {">=", Op::greaterEqual},
                                                                  {"<", Op::less},
                                                                  {">", Op::greater}}};
    for (const auto& [sign, op] : all)
      if (take(sign)) return op;
    skip();
    if (at_ < text_.size() && text_[at_] == '=') fail("expected ==, found =", at_);
    return std::nullopt;
  }
  std::size_t sum() {
    const std::size_t at = at_;
    std::size_t left = product();
    for (;;) {
      const bool plus = take("+");
      if (!plus && !take("-")) return left;
      requireNumber(left, at);
      left = add(plus ? Op::add : Op::subtract, left, numberFrom([this] { return product(); }));
    }
  }
  std::size_t product() {
    const std::size_t at = at_;
    std::size_t left = sign();
    for (;;) {
      const bool times = take("*");
      if (!times && !take("/")) return left;
      requireNumber(left, at);
      left = add(times ? Op::multiply : Op::divide, left, numberFrom([this] { return sign(); }));
    }
  }
  std::size_t sign() {
    const Level level(*this);
    if (take("-")) return add(Op::negate, numberFrom([this] { return sign(); }));
    if (take("+")) return numberFrom([this] { return sign(); });
    if (take("!")) return add(Op::lnot, numberFrom([this] { return sign(); }));
    return power();
  }
  std::size_t power() {
    const std::size_t at = at_;
    const std::size_t base = atom();
    if (!take("^")) return base;
    requireNumber(base, at);
    return add(Op::power, base, numberFrom([this] { return sign(); }));
  }
  std::size_t atom() {
    skip();
    const std::size_t begin = at_;
    if (begin >= text_.size()) fail("expected a value, found the end", begin);
    if (take("(")) {
      const std::size_t inner = either();
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
    fail(fmt::format("unknown name '{}'{}; known are {}", shown(word), suggestion(word, known),
                     fmt::join(known, " ")),
         at);
  }
  std::size_t call(std::string_view word, std::size_t at) {
    const std::size_t first = numberFrom([this] { return either(); });
    std::optional<std::size_t> second;
    if (take(",")) second = numberFrom([this] { return either(); });
    if (!take(")")) fail("expected ')'", at_);
    const auto isNamed = [&](const auto& f) { return f.name == word; };
    const bool found = second ? std::any_of(functions2.begin(), functions2.end(), isNamed)
                              : std::any_of(functions1.begin(), functions1.end(), isNamed);
    if (!found)
      fail(fmt::format("unknown function '{}' of {} argument(s)", shown(word), second ? 2 : 1), at);
    const std::size_t node = add(second ? Op::call2 : Op::call1, first, second.value_or(0));
    out_.nodes_[node].word = std::string(word);
    return node;
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
  const bool texts = node.op >= Op::equal && nodes_[node.a].text;
  switch (node.op) {
    case Op::constant:
      return node.value;
    case Op::text:
      break;
    case Op::name:
      return std::get<double>(valueOf(node.a));
    case Op::negate:
      return -a();
    case Op::lnot:
      return isTrue(a()) ? 0.0 : 1.0;
    case Op::add:
      return a() + b();
    case Op::subtract:
      return a() - b();
    case Op::multiply:
      return a() * b();
    case Op::divide:
      return a() / b();
    case Op::power:
      return elementary::pow(a(), b());
    case Op::equal:
      return texts ? textAt(node.a, valueOf) == textAt(node.b, valueOf) : a() == b();
    case Op::unequal:
      return texts ? textAt(node.a, valueOf) != textAt(node.b, valueOf) : a() != b();
    case Op::less:
      return a() < b();
    case Op::lessEqual:
      return a() <= b();
    case Op::greater:
      return a() > b();
    case Op::greaterEqual:
      return a() >= b();
    case Op::land:
      return isTrue(a()) && isTrue(b());
    case Op::lor:
      return isTrue(a()) || isTrue(b());
    case Op::call1:
      for (const Function1& f : functions1)
        if (f.name == node.word) return f.call(a());
      break;
    case Op::call2:
      for (const Function2& f : functions2)
        if (f.name == node.word) return f.call(a(), b());
      break;
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

}  // namespace scree
