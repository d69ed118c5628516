// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/condition.hpp"

#include <array>
#include <cmath>

using namespace scree;
using Catch::Contains;

namespace {

constexpr std::array<Condition::Name, 4> names{{{"a"}, {"b"}, {"word", true}, {"none"}}};

double value(const std::string& formula) {
  return Condition(formula, names).number([](std::size_t k) -> Condition::Value {
    if (k == 2) return std::string("it is");
    return k == 3 ? NAN : k == 0 ? 2.0 : 3.0;
  });
}

}  // namespace

TEST_CASE("conditions follow the usual order of operators", "[base][condition]") {
  const std::vector<std::pair<std::string, double>> cases{{"1 + 2 * 3 ^ 2", 19},
                                                          {"2 ^ 3 ^ 2", 512},
                                                          {"-a ^ 2", -4},
                                                          {"(1 + a) * b", 9},
                                                          {"a < b && b < 4", 1},
                                                          {"a < b && b < 3 || a == 2", 1},
                                                          {"a == 1 || a == 2 && b == 9", 0},
                                                          {"!a", 0},
                                                          {"!(a > b)", 1},
                                                          {"word == 'it is'", 1},
                                                          {"word != \"it is\"", 0},
                                                          {"'x' == 'x'", 1},
                                                          {"a <= 2", 1},
                                                          {"a >= 2.5", 0},
                                                          {"min(a, b) + max(a, b)", 5},
                                                          {"sqrt(4) == a", 1},
                                                          {"none < 1", 0},
                                                          {"none == none", 0},
                                                          {"none != none", 1},
                                                          {"none && 1", 0},
                                                          {"none || 0", 0},
                                                          {"!none", 1},
                                                          {"1e1+.5", 10.5},
                                                          {"a-1", 1},
                                                          {"cos(pi)", -1}};
  for (const auto& [formula, expected] : cases) {
    INFO(formula);
    CHECK(value(formula) == Approx(expected).margin(1e-15));
  }
}

TEST_CASE("a condition that makes no sense is refused at its place", "[base][condition]") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "found the end"},
      {"a = 1", "expected =="},
      {"c > 1", "unknown name"},
      {"0 < a < 1", "&&"},
      {"(a", "expected ')'"},
      {"'open", "closing quote"},
      {"word == 1", "with a number"},
      {"wor == 'x'", "did you mean 'word'"},
      {"sqrt(1, 2)", "unknown function"},
      {"a & b", "expected an operator"}};
  for (const auto& [formula, message] : cases) {
    INFO(formula);
    CHECK_THROWS_WITH(value(formula), Contains(message));
  }
  CHECK_THROWS_AS(value(std::string(5000, '(')), ExpressionError);
  CHECK_THROWS_AS(value(std::string(5000, '-')), ExpressionError);
  CHECK_THROWS_AS(value(std::string(20'000, '1')), ExpressionError);
}

TEST_CASE("values that do not decide are not computed", "[base][condition]") {
  const Condition c("a == 2 || word == 'x'", names);
  CHECK(c.uses(0));
  CHECK(!c.uses(1));
  CHECK(c.uses(2));
  CHECK(c.holds([](std::size_t k) -> Condition::Value {
    CHECK(k == 0);
    return 2.0;
  }));
}

TEST_CASE("a formula without names is a number, which is finite", "[base][condition]") {
  CHECK(evaluate("2 * 0.5e-6") == 2 * 0.5e-6);
  CHECK(evaluate("sqrt(2) * pow(2, 0.5)") == std::sqrt(2.0) * std::pow(2.0, 0.5));
  for (const char* text : {"1 / 0", "log(0)", "x", ""})
    CHECK_THROWS_AS(evaluate(text), ExpressionError);
}
