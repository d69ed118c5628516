// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/selection.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

namespace scree::sim {

/// Recursive descent over the grammar of the header; writes postfix code.
class SelectionParser {
 public:
  using Op = Selection::Op;
  explicit SelectionParser(std::string_view text, Selection& out) : text_(text), out_(out) {}

  void parse() {
    next();
    const std::size_t at = at_;
    requireCondition(either(), at);
    if (!token_.empty()) throw error("the end, '&&' or '||'");
  }

 private:
  enum class Kind { number, condition };

  UsageError error(const std::string& expected) const { return errorAt(at_, expected, token_); }
  UsageError errorAt(std::size_t at, const std::string& expected, std::string_view found) const {
    return UsageError(fmt::format("'{}': column {}: expected {}, found {}", shown(text_), at + 1,
                                  expected,
                                  found.empty() ? "the end" : fmt::format("'{}'", shown(found))));
  }
  void requireCondition(Kind kind, std::size_t at) const {
    if (kind != Kind::condition)
      throw errorAt(at, "a condition such as z < 0.5", text_.substr(at, end_ - at));
  }
  void requireNumber(Kind kind, std::size_t at) const {
    if (kind != Kind::number) throw errorAt(at, "a number", text_.substr(at, end_ - at));
  }

  static bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

  void next() {
    end_ = at_ + token_.size();
    at_ = end_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    std::size_t end = at_;
    const auto more = [&](auto&& accept) {
      while (end < text_.size() && accept(text_[end])) ++end;
    };
    if (at_ == text_.size()) {
      token_ = {};
      return;
    }
    const char c = text_[at_];
    if (letter(c)) {
      more([](char x) { return letter(x) || digit(x); });
    } else if (digit(c) || c == '.') {
      more([](char x) { return digit(x) || x == '.'; });
      if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        std::size_t after = end + 1;
        if (after < text_.size() && (text_[after] == '+' || text_[after] == '-')) ++after;
        if (after < text_.size() && digit(text_[after])) {
          end = after;
          more(digit);
        }
      }
    } else if (c == '"' || c == '\'') {
      const auto close = text_.find(c, at_ + 1);
      if (close == std::string_view::npos)
        throw errorAt(at_, fmt::format("a closing {} after this one", c), text_.substr(at_));
      end = close + 1;
    } else {
      constexpr std::array<std::string_view, 6> two{"==", "!=", "<=", ">=", "&&", "||"};
      end += std::ranges::find(two, text_.substr(at_, 2)) != two.end() ? 2 : 1;
    }
    token_ = text_.substr(at_, end - at_);
  }
  bool take(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) throw error(fmt::format("'{}'", token));
  }

  void emit(Op op, double value = 0.0, std::size_t name = 0) {
    out_.code_.push_back({op, value, name});
    if (op <= Op::shapeIs) {
      out_.depth_ = std::max(out_.depth_, ++stack_);
    } else if (op != Op::negate && op != Op::absolute && op != Op::root && op != Op::negation) {
      --stack_;
    }
  }

  Kind either() {
    // Deeper than anybody writes; a hostile line must not use up the stack.
    if (++nested_ > 100) throw error("fewer than 100 parentheses inside each other");
    std::size_t at = at_;
    Kind kind = both();
    while (token_ == "||" || token_ == "or") {
      requireCondition(kind, at);
      next();
      at = at_;
      requireCondition(both(), at);
      emit(Op::either);
    }
    --nested_;
    return kind;
  }
  Kind both() {
    std::size_t at = at_;
    Kind kind = negation();
    while (token_ == "&&" || token_ == "and") {
      requireCondition(kind, at);
      next();
      at = at_;
      requireCondition(negation(), at);
      emit(Op::both);
    }
    return kind;
  }
  Kind negation() {
    bool negated = false, any = false;
    while (token_ == "!" || token_ == "not") {
      next();
      negated = !negated;
      any = true;
    }
    const std::size_t at = at_;
    const Kind kind = comparison();
    if (any) requireCondition(kind, at);
    if (negated) emit(Op::negation);
    return kind;
  }
  static std::optional<Op> comparisonOf(std::string_view token) {
    constexpr std::pair<std::string_view, Op> all[] = {
        {"==", Op::equal},     {"!=", Op::unequal}, {"<", Op::less},
        {"<=", Op::lessEqual}, {">", Op::greater},  {">=", Op::greaterEqual}};
    for (const auto& [name, op] : all)
      if (name == token) return op;
    return {};
  }
  Kind comparison() {
    if (token_ == "shape") return shapeComparison();
    std::size_t at = at_;
    const Kind kind = sum();
    if (token_ == "=") throw error("'==' to compare");
    const auto op = comparisonOf(token_);
    if (!op) return kind;
    // `driven == 0` and the like: a condition counts as 0 or 1 there.
    const bool ofNumbers = *op != Op::equal && *op != Op::unequal;
    if (ofNumbers) requireNumber(kind, at);
    next();
    at = at_;
    const Kind other = sum();
    if (ofNumbers) requireNumber(other, at);
    emit(*op);
    if (comparisonOf(token_)) throw error("'&&' or '||' between two comparisons");
    return Kind::condition;
  }
  Kind shapeComparison() {
    next();
    if (token_ != "==" && token_ != "!=") throw error("'==' or '!=' after shape");
    const bool equal = token_ == "==";
    next();
    if (token_.empty() || (!letter(token_[0]) && token_[0] != '"' && token_[0] != '\''))
      throw error("the name of a shape");
    std::string name(token_);
    if (!letter(name[0])) name = name.substr(1, name.size() - 2);
    next();
    out_.names_.push_back(name);
    emit(Op::shapeIs, 0.0, out_.names_.size() - 1);
    if (!equal) emit(Op::negation);
    return Kind::condition;
  }
  Kind sum() {
    std::size_t at = at_;
    const Kind kind = product();
    while (token_ == "+" || token_ == "-") {
      requireNumber(kind, at);
      const Op op = token_ == "+" ? Op::add : Op::subtract;
      next();
      at = at_;
      requireNumber(product(), at);
      emit(op);
    }
    return kind;
  }
  Kind product() {
    std::size_t at = at_;
    const Kind kind = sign();
    while (token_ == "*" || token_ == "/" || token_ == "%") {
      requireNumber(kind, at);
      const Op op = token_ == "*" ? Op::multiply : token_ == "/" ? Op::divide : Op::remainder;
      next();
      at = at_;
      requireNumber(sign(), at);
      emit(op);
    }
    return kind;
  }
  Kind sign() {
    bool minus = false, any = false;
    while (token_ == "-" || token_ == "+") {
      minus ^= token_ == "-";
      any = true;
      next();
    }
    const std::size_t at = at_;
    const Kind kind = primary();
    if (any) requireNumber(kind, at);
    if (minus) emit(Op::negate);
    return kind;
  }
  Kind primary() {
    if (take("(")) {
      const Kind kind = either();
      expect(")");
      return kind;
    }
    if (token_.empty()) throw error("a number or a name");
    if (digit(token_[0]) || token_[0] == '.') {
      const auto value = parseNumber(token_);
      if (!value) throw error("a number");
      emit(Op::number, *value);
      next();
      return Kind::number;
    }
    if (!letter(token_[0])) throw error("a number or a name");
    return named();
  }
  Kind named() {
    constexpr std::pair<std::string_view, Op> functions[] = {
        {"abs", Op::absolute}, {"sqrt", Op::root}, {"min", Op::least}, {"max", Op::most}};
    for (const auto& [name, op] : functions) {
      if (token_ != name) continue;
      next();
      expect("(");
      argument();
      if (op == Op::least || op == Op::most) {
        expect(",");
        argument();
      }
      expect(")");
      emit(op);
      return Kind::number;
    }
    constexpr std::pair<std::string_view, Op> names[] = {{"id", Op::id},
                                                         {"group", Op::group},
                                                         {"cluster", Op::cluster},
                                                         {"x", Op::x},
                                                         {"y", Op::y},
                                                         {"z", Op::z},
                                                         {"vx", Op::vx},
                                                         {"vy", Op::vy},
                                                         {"vz", Op::vz},
                                                         {"speed", Op::speed},
                                                         {"mass", Op::mass},
                                                         {"volume", Op::volume},
                                                         {"driven", Op::driven},
                                                         {"homothety", Op::homothety}};
    for (const auto& [name, op] : names) {
      if (token_ != name) continue;
      next();
      emit(op);
      if (op == Op::mass || op == Op::volume) out_.needsShapes_ = true;
      return op == Op::driven ? Kind::condition : Kind::number;
    }
    std::vector<std::string_view> known{"shape"};
    for (const auto& [name, op] : names) known.push_back(name);
    for (const auto& [name, op] : functions) known.push_back(name);
    throw error(
        fmt::format("one of id group cluster shape x y z vx vy vz speed mass volume "
                    "homothety driven{}",
                    suggestion(token_, known)));
  }
  void argument() {
    const std::size_t at = at_;
    requireNumber(either(), at);
  }

  std::string_view text_, token_;
  std::size_t at_ = 0, end_ = 0, stack_ = 0;
  int nested_ = 0;
  Selection& out_;
};

Selection::Selection(std::string_view expression) { SelectionParser(expression, *this).parse(); }

std::vector<char> Selection::of(const Conf& conf, std::span<const shape::Shape> shapes) const {
  const std::size_t n = conf.particles.size();
  std::vector<char> chosen(n, 1);
  if (all()) return chosen;
  std::vector<double> stack(depth_ + 1);
  for (std::size_t k = 0; k < n; ++k) {
    const ParticleRecord& p = conf.particles[k];
    std::size_t top = 0;  // values on the stack
    const auto push = [&](double value) { stack[top++] = value; };
    const auto volume = [&] {
      return p.shapeName < shapes.size()
                 ? p.homothety * p.homothety * p.homothety * shapes[p.shapeName].volume
                 : std::nan("");
    };
    for (const Step& step : code_) {
      if (step.op >= Op::add && step.op != Op::negate && step.op != Op::absolute &&
          step.op != Op::root && step.op != Op::negation) {
        const double b = stack[--top];
        double& a = stack[top - 1];
        switch (step.op) {
          case Op::add:
            a += b;
            break;
          case Op::subtract:
            a -= b;
            break;
          case Op::multiply:
            a *= b;
            break;
          case Op::divide:
            a /= b;
            break;
          case Op::remainder:
            a = std::fmod(a, b);
            break;
          case Op::least:
            a = std::min(a, b);
            break;
          case Op::most:
            a = std::max(a, b);
            break;
          case Op::equal:
            a = a == b;
            break;
          case Op::unequal:
            a = a != b;
            break;
          case Op::less:
            a = a < b;
            break;
          case Op::lessEqual:
            a = a <= b;
            break;
          case Op::greater:
            a = a > b;
            break;
          case Op::greaterEqual:
            a = a >= b;
            break;
          case Op::both:
            a = a != 0.0 && b != 0.0;
            break;
          default:
            a = a != 0.0 || b != 0.0;
            break;
        }
        continue;
      }
      switch (step.op) {
        case Op::number:
          push(step.value);
          break;
        case Op::id:
          push(static_cast<double>(k));
          break;
        case Op::group:
          push(p.group);
          break;
        case Op::cluster:
          push(p.cluster);
          break;
        case Op::homothety:
          push(p.homothety);
          break;
        case Op::x:
          push(p.pos.x());
          break;
        case Op::y:
          push(p.pos.y());
          break;
        case Op::z:
          push(p.pos.z());
          break;
        case Op::vx:
          push(p.vel.x());
          break;
        case Op::vy:
          push(p.vel.y());
          break;
        case Op::vz:
          push(p.vel.z());
          break;
        case Op::speed:
          push(p.vel.norm());
          break;
        case Op::volume:
          push(volume());
          break;
        case Op::mass:
          push(volume() * conf.densityOf(p.group));
          break;
        case Op::driven:
          push(k < conf.nDriven);
          break;
        case Op::shapeIs:
          push(conf.shapeNameOf(p) == names_[step.name]);
          break;
        case Op::negate:
          stack[top - 1] = -stack[top - 1];
          break;
        case Op::absolute:
          stack[top - 1] = std::abs(stack[top - 1]);
          break;
        case Op::root:
          stack[top - 1] = std::sqrt(stack[top - 1]);
          break;
        default:
          stack[top - 1] = stack[top - 1] == 0.0;
          break;
      }
    }
    chosen[k] = stack[0] != 0.0;
  }
  return chosen;
}

}  // namespace scree::sim
