// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/condition.hpp"

#include <cmath>

using scree::evaluate;

TEST_CASE("arithmetic follows the rules of school", "[base][expression]") {
  CHECK(evaluate("2 * 0.5e-6") == 2 * 0.5e-6);
  CHECK(evaluate("1 + 2 * 3") == 7.0);
  CHECK(evaluate("2*3^2") == 18.0);
  CHECK(evaluate("2^3^2") == 512.0);
  CHECK(evaluate("-2^2") == -4.0);
  CHECK(evaluate("(1 - 4) / -3") == 1.0);
  CHECK(evaluate("sqrt(2) * pow(2, 0.5)") == std::sqrt(2.0) * std::pow(2.0, 0.5));
  CHECK(evaluate("min(3, max(1, 2))") == 2.0);
}

TEST_CASE("an expression that cannot be computed says where", "[base][expression]") {
  for (const char* text :
       {"", "1 +", "2 * foo", "(1", "1 / 0", "log(-1)", "1 2", "sqrt(1, 2)", "$"})
    CHECK_THROWS_AS(evaluate(text), scree::ExpressionError);
  CHECK_THROWS_AS(evaluate(std::string(100000, '(')), scree::ExpressionError);  // no stack overflow
  try {
    evaluate("1 + foo");
  } catch (const scree::ExpressionError& error) {
    CHECK(error.at() == 4);
  }
}
