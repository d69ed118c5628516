// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

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

TEST_CASE("text for a terminal has its control characters spelt out", "[base][text]") {
  CHECK(printable("a\x1b[31m\x07\x7f") == "a\\x1b[31m\\x07\\x7f");
  CHECK(printable("a\n\tb\r", "\n\t") == "a\n\tb\\x0d");
  // Those of Unicode, in UTF-8 or as a lone byte; letters keep theirs.
  CHECK(printable("\xc2\x9b"
                  "31m \xc2\x80 \xc2\x9f") == "\\xc2\\x9b31m \\xc2\\x80 \\xc2\\x9f");
  CHECK(printable("\x9b \xe2\x9b \xe9") == "\\x9b \xe2\\x9b \xe9");
  for (const char* const letters :
       {"\xc2\xa0", "\xc3\x89t\xc3\xa9", "\xe2\x9b\x84", "\xf0\x9f\x9b\x91"})
    CHECK(printable(letters) == letters);
  CHECK(shown("\xc2\x9b"
              "31m\x1b") == "\\xc2\\x9b31m\\x1b");
}

TEST_CASE("words carry their line and column into every complaint", "[base][text]") {
  TextReader in("conf12", "dt 1e-4\n  mu  abc\n");
  in.word("keyword");
  CHECK(in.number("dt") == 1e-4);
  in.word("keyword");
  try {
    in.number("mu");
    FAIL("no complaint");
  } catch (const ParseError& error) {
    CHECK(std::string(error.what()) == "conf12:2:7: mu: expected a number, found 'abc'");
    CHECK(error.where().line == 2);
    CHECK(error.where().column == 7);
    CHECK(error.excerpt() == "  mu  abc");
  }
}

TEST_CASE("a number fills its word and is finite", "[base][text]") {
  for (const char* bad : {"abc", "1.5x", "nan", "inf", "-inf", "1e999", "0x10", "", "1,5", "--1"})
    CHECK_THROWS_AS(TextReader("f", bad).number("x"), ParseError);
  for (const char* good : {"1", "+1", "1.", ".5", "-1e-3", "1E+6", "1e-400"})
    CHECK_NOTHROW(TextReader("f", good).number("x"));
  CHECK(TextReader("f", "+2.5").number("x") == 2.5);
  CHECK_THROWS_AS(TextReader("f", "0").positive("x"), ParseError);
  CHECK_THROWS_AS(TextReader("f", "1.5").integer("n", 0, 9), ParseError);
  CHECK_THROWS_WITH(TextReader("f", "12").integer("n", 0, 9), Contains("from 0 to 9"));
  CHECK_THROWS_AS(TextReader("f", "99999999999999999999").integer("n", 0, INT64_MAX), ParseError);
}

TEST_CASE("a count that the text cannot hold is refused before anything is allocated",
          "[base][text]") {
  TextReader in("f", "1000000000000 1 2 3");
  CHECK_THROWS_WITH(in.count("nv", 6), Contains("1000000000000 items announced"));
  CHECK_THROWS_AS(TextReader("f", "-3").count("nv", 6), ParseError);
}

TEST_CASE("places far inside a text are those that counting from its beginning gives",
          "[base][text]") {
  // Lines of all lengths, so that ends of lines fall on both sides of each border of the blocks
  // that lines are counted in.
  std::string text;
  Rng rng(5);
  const char* const ends[] = {"\n", "\r\n", "\r"};
  while (text.size() < 20000) {
    text.append(static_cast<std::size_t>(40.0 * rng.uniform()), 'x');
    text += ends[static_cast<std::size_t>(3.0 * rng.uniform())];
  }
  const TextReader in("f", text);
  const std::string_view all = in.rest();
  std::size_t line = 1, begin = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const SourcePlace place = in.placeOf(all.substr(k, 1));
    if (place.line != line || place.column != k - begin + 1) {
      CAPTURE(k, place.line, line, place.column, begin);
      FAIL("another place");
    }
    if (all[k] == '\n' || (all[k] == '\r' && all.substr(k + 1, 1) != "\n")) {
      ++line;
      begin = k + 1;
    }
  }
  CHECK(in.placeOf(all.substr(all.size())).line == line);
}

TEST_CASE("of the oddities of a file the first 1,000 are kept, the others are counted",
          "[base][warnings]") {
  Diagnostics diagnostics;
  for (std::size_t k = 1; k <= 1011; ++k) diagnostics.warn(ParseError({"f", k, 1}, "odd"));
  REQUIRE(diagnostics.warnings().size() == 1001);
  CHECK(diagnostics.warnings()[999] == "f:1000:1: odd");
  CHECK(diagnostics.warnings()[1000] ==
        "warnings about the content of files that are not printed: 11");
  diagnostics.warn("of no file");
  CHECK(diagnostics.warnings().back() == "of no file");
}

TEST_CASE("lines that threads write make the same text", "[unit][text]") {
  const auto text = [](int threads, std::size_t lines) {
    TextWriter out(threads);
    out.setDecimals(3);
    out.lines(lines, [](TextWriter& to, std::size_t k) { to.line(k, 0.1 * double(k)); });
    return out.take();
  };
  for (const std::size_t lines : {0u, 1u, 511u, 512u, 10007u})
    for (const int threads : {2, 3}) CHECK(text(threads, lines) == text(1, lines));
  // In parts: whole lines, and the same text.
  for (const int threads : {1, 3}) {
    std::vector<std::string> parts;
    TextWriter out(threads, [&](std::string_view part) { parts.emplace_back(part); });
    out.setDecimals(3);
    out.lines(50'007, [](TextWriter& to, std::size_t k) { to.line(k, 0.1 * double(k)); });
    out.passOn();
    CHECK(parts.size() > 2);
    for (const std::string& part : parts) CHECK(part.back() == '\n');
    CHECK(std::accumulate(parts.begin(), parts.end(), std::string()) == text(1, 50'007));
  }
}

TEST_CASE("numbers are read as strtod reads them, and survive writing", "[base][text]") {
  std::mt19937_64 bits(7);
  const auto isSame = [](const std::string& text) {
    const double value = TextReader("f", text).number("x");
    return std::bit_cast<std::uint64_t>(value) ==
           std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr));
  };
  for (int k = 0; k < 20000; ++k) {
    const auto any = std::bit_cast<double>(bits());
    if (!std::isfinite(any)) continue;
    TextWriter out;
    out.put(any);
    CHECK(TextReader("f", out.text()).number("x") == any);
    CHECK(isSame(out.text()));
    // Midway between two doubles, with 53 leading bits and a half.
    CHECK(isSame(std::to_string((bits() >> 11) | (std::uint64_t{1} << 52)) + ".5"));
  }
  for (const char* text :
       {"-0", "1.", ".5", "1e0000000005", "00000001.5", "4.9406564584124654e-324", "1e-400",
        "2.2250738585072011e-308", "1.7976931348623157e308"})
    CHECK(isSame(text));
}

TEST_CASE("messages appear once, with a count", "[base][warnings]") {
  using Lines = std::vector<std::string>;
  CHECK(onceEach(Lines{}).empty());
  CHECK(onceEach(Lines{"a", "b", "a"}) == Lines{"a (2 times)", "b"});
  CHECK(onceEach(Lines{"f:3:1: x", "f:9:7: x", "g:3:1: x", "f:3:1: y"}) ==
        Lines{"f:3:1: x (2 times, last in line 9)", "g:3:1: x", "f:3:1: y"});
  CHECK(onceEach(Lines{"f:3:1: x", "f:3:1: x"}) == Lines{"f:3:1: x (2 times)"});
  // Colons and digits of the sentence are no place; a path may hold some.
  CHECK(onceEach(Lines{"C:1:conf:2:5: x", "C:1:conf:4:5: x"}) ==
        Lines{"C:1:conf:2:5: x (2 times, last in line 4)"});
  CHECK(onceEach(Lines{"ratio 1:2: odd", "ratio 1:3: odd"}) ==
        Lines{"ratio 1:2: odd", "ratio 1:3: odd"});
}

TEST_CASE("the functions that reach a state agree with the system's to the last digits",
          "[base][math]") {
  for (double x = 1e-12; x < 1e12; x *= 1.37)
    CHECK(std::abs(portableLog(x) - std::log(x)) <= 4e-16 * std::max(1.0, std::abs(std::log(x))));
  CHECK(portableLog(1.0) == 0.0);
  const long double turn = 2 * std::numbers::pi_v<long double>;
  for (double x = -3.0; x < 3.0; x += 0.00123) {
    CHECK(std::abs(cosOfTurns(x) - std::cos(turn * x)) < 4e-16L);
    CHECK(std::abs(sinOfTurns(x) - std::sin(turn * x)) < 4e-16L);
  }
  CHECK(cosOfTurns(0.25) == 0.0);
  CHECK(cosOfTurns(1000.5) == -1.0);
  CHECK(sinOfTurns(-0.25) == -1.0);
  CHECK(sinOfTurns(1000.5) == 0.0);
}

TEST_CASE("portable exp, pow, atan2 and acos agree with long double ones", "[base][math]") {
  for (double x = -700; x < 700; x += 0.731) {
    const long double exact = std::exp(static_cast<long double>(x));
    CHECK(std::abs(portableExp(x) / exact - 1) < 5e-16L);
  }
  CHECK(portableExp(0.0) == 1.0);
  CHECK(portableExp(-800.0) == 0.0);
  CHECK(portableExp(800.0) == HUGE_VAL);
  for (const double x : {1e-9, 0.03, 0.5, 0.999, 1.0, 1.7, 40.0, 1e6})
    for (const double y : {-2.5, -1.0, 0.0, 0.5, 2.0 / 3.0, 1.0, 2.0, 3.0, 8.0}) {
      const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
      CHECK(std::abs(portablePow(x, y) / exact - 1) < 5e-16L * (1 + std::abs(y * std::log(x))));
    }
  CHECK(portablePow(0.0, 0.5) == 0.0);
  CHECK(portablePow(0.3, 1.0) == 0.3);
  for (double angle = -3.14; angle < 3.14; angle += 0.00917)
    for (const double r : {1e-3, 1.0, 7e5}) {
      const double x = r * std::cos(angle), y = r * std::sin(angle);
      const long double exact =
          std::atan2(static_cast<long double>(y), static_cast<long double>(x));
      CHECK(std::abs(portableAtan2(y, x) - exact) <= 5e-16L * std::abs(exact));
    }
  CHECK(portableAtan2(0.0, -1.0) == Approx(pi).epsilon(0));
  CHECK(portableAtan2(0.0, 0.0) == 0.0);
  CHECK(portableAtan2(1.0, 0.0) == 0.5 * pi);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
  for (const double other : {0.0, 1.0, infinite, notANumber}) {
    CHECK(std::isnan(portableAtan2(notANumber, other)));
    CHECK(std::isnan(portableAtan2(other, notANumber)));
  }
  CHECK(std::isnan(portableAcos(notANumber)));
  CHECK(portableAtan2(infinite, -infinite) == Approx(0.75 * pi).epsilon(0));
  for (double x = -1.0; x <= 1.0; x += 0.00317)
    CHECK(std::abs(portableAcos(x) - std::acos(static_cast<long double>(x))) < 5e-16L);
}

TEST_CASE("the shortest turn brings one direction into the other", "[base][turns]") {
  Rng rng(5);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 a = rng.direction(), b = rng.direction();
    const Quat turn = shortestTurn(1e200 * a, 1e-200 * b);
    CHECK(std::abs(turn.norm() - 1.0) < 1e-15);
    CHECK((rotated(turn, a) - b).norm() < 2e-15 / (a + b).norm());
    CHECK(std::abs(turn.vec().dot(a)) < 1e-15);
    CHECK(std::abs(turn.vec().dot(b)) < 1e-15);
    CHECK(turn.w() >= 0.0);
    CHECK((rotated(shortestTurn(a, -a), a) + a).norm() < 1e-15);
  }
}

TEST_CASE("JSON is written with its commas, escapes and exact numbers, what is not finite is null",
          "[base][json]") {
  JsonWriter json;
  json.beginObject().key("a \"b\"\n").value("x\\y\x01");
  json.key("numbers")
      .beginArray()
      .value(0.1)
      .value(-1.0 / 3)
      .value(HUGE_VAL)
      .value(-HUGE_VAL)
      .value(std::nan(""))
      .end();
  json.key("whole").value(18446744073709551615ull).key("truth").value(true).key("none").null();
  json.key("empty").beginObject().end().key("rows").beginArray();
  for (int k = 0; k < 2; ++k) json.newLine().beginArray().value(k).end();
  json.newLine().end().end();
  CHECK(json.text() ==
        "{\"a "
        "\\\"b\\\"\\n\":\"x\\\\y\\u0001\",\"numbers\":[0.1,-0.3333333333333333,null,null,null],"
        "\"whole\":18446744073709551615,\"truth\":true,\"none\":null,\"empty\":{},\"rows\":[\n[0],"
        "\n[1]\n]}");
}

TEST_CASE("JSON for people has an item a line, and no bytes that are not UTF-8", "[base][json]") {
  JsonWriter json(1);
  json.beginObject().key("none").list(std::vector<int>{}).key("v").value(Vec3(1, 0.5, HUGE_VAL));
  json.key("gap").value(std::optional<double>()).key("empty").beginObject().end().end();
  CHECK(json.text() ==
        "{\n \"none\": [],\n \"v\": [\n  1,\n  0.5,\n  null\n ],\n \"gap\": null,\n \"empty\": "
        "{}\n}");
  const Mat3 m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(JsonWriter().value(m).text() == "[1,2,3,4,5,6,7,8,9]");
  CHECK(JsonWriter().value(Quat(1, 2, 3, 4)).text() == "[1,2,3,4]");
  CHECK(jsonString("é€😀") == "\"é€😀\"");
  CHECK(jsonString("a\xff") == "\"a\xef\xbf\xbd\"");
}

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
