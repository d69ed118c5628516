// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of text files: the quick scan gives the double that strtod gives, to the bit.
#include "base/number_scan.hpp"
#include "catch.hpp"

#include "scree/base/text_reader.hpp"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

using namespace scree;

namespace {

struct Count {
  std::size_t all = 0, quick = 0, wrong = 0;
};

void compare(const std::string& text, Count& count) {
  ++count.all;
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const double expected = std::strtod(text.c_str(), nullptr);
  const auto scanned = scanNumber(text.data(), text.data() + text.size());
  const auto parsed = parseNumber(text);
  const bool whole = scanned.end == text.data() + text.size();
  if (scanned.end && whole) ++count.quick;
  const bool good = (!scanned.end || (whole && bits(scanned.value) == bits(expected))) && parsed &&
                    bits(*parsed) == bits(expected);
  if (good) return;
  ++count.wrong;
  INFO(text);
  CHECK(good);
}

std::string printed(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

}  // namespace

TEST_CASE("a million random numbers are read as strtod reads them", "[base][numbers]") {
  std::mt19937_64 random(1);
  Count count;
  while (count.all < 1'000'000) {
    const std::uint64_t bits = random();
    // Any double; then the sizes that conf-files hold, with 1 to 19 digits.
    const double any = std::bit_cast<double>(bits);
    if (std::isfinite(any)) compare(printed("%.*g", 17, any), count);
    const double usual =
        std::ldexp(static_cast<double>(random() >> 11) - 0x1p52, -static_cast<int>(random() % 100));
    const int digits = 1 + static_cast<int>(random() % 19);
    compare(printed("%.*g", digits, usual), count);
    compare(printed("%.*e", digits - 1, usual), count);
    compare(printed("%.*f", digits, std::ldexp(usual, -20)), count);
    compare(std::to_string(bits >> (random() % 64)) + "e" +
                std::to_string(static_cast<int>(random() % 80) - 40),
            count);
  }
  CHECK(count.wrong == 0);
  CHECK(static_cast<double>(count.quick) > 0.5 * static_cast<double>(count.all));
}

TEST_CASE("numbers midway between two doubles, and next to it, are rounded as strtod rounds them",
          "[base][numbers]") {
  std::mt19937_64 random(2);
  Count count;
  for (int k = 0; k < 100'000; ++k) {
    // 53 leading bits, then a half, and the neighbours of that: integers of at most 64 bits.
    const int behind = 1 + static_cast<int>(random() % 11);
    const std::uint64_t mantissa = (random() >> 11) | (std::uint64_t{1} << 52);
    const std::uint64_t half = (2 * mantissa + 1) << (behind - 1);
    for (const std::uint64_t number : {half - 1, half, half + 1}) {
      compare(std::to_string(number), count);
      compare(std::to_string(number) + "e-" + std::to_string(random() % 30), count);
    }
    // The same with a fraction: m + 1/2 and m + 1/4 for m below 2^53 have few digits.
    compare(std::to_string(mantissa >> 1) + ".25", count);
    compare(std::to_string(mantissa) + ".5", count);
  }
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "-0.0e5",
                           "0e999",
                           "1",
                           "-1",
                           "1.",
                           ".5",
                           "5e-1",
                           "1e22",
                           "1e23",
                           "8.5e22",
                           "9007199254740991",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740995",
                           "18014398509481989",
                           "9223372036854775807",
                           "9999999999999999999",
                           "10000000000000000000",
                           "18446744073709551615",
                           "18446744073709551616",
                           "1.0000000000000002220446049250313",
                           "0.1000000000000000055511151231257827",
                           "0.000000000000000000000000000012345678901234567",
                           "00000000000000000000000001.5",
                           "1e-55",
                           "1e-56",
                           "1e55",
                           "1e56",
                           "123456789012345678e-55",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "4.9406564584124654e-324",
                           "1e-400",
                           "1.7976931348623157e308",
                           "6.631236846766476e-316",
                           "3.237883913302901e-319",
                           "7.2057594037927933e16",
                           "8.988465674311579e307",
                           "6.8985865317742005e-18",
                           "3.2670453277330355e-5",
                           "9.5e-1",
                           "1E5",
                           "1e+05",
                           "1e0000000005"})
    compare(text, count);
  CHECK(count.wrong == 0);
}

TEST_CASE("what is no number is left to the general way", "[base][numbers]") {
  for (const std::string text :
       {"", "-", ".", "-.", "e5", "1e", "1e+", "1e-", "+1", "nan", "inf", "x1", "--1", "- 1"}) {
    INFO(text);
    CHECK(scanNumber(text.data(), text.data() + text.size()).end == nullptr);
  }
  for (const std::string text : {"1.5x", "1.2.3", "0x10", "1e5.5", "1,5", "12-3"}) {
    INFO(text);
    CHECK_FALSE(parseNumber(text));
    TextReader in("test", text);
    CHECK_THROWS_AS(in.number("x"), ParseError);
  }
  // A number ends at the end of its piece of text, whatever stands behind.
  const std::string digits = "123456789";
  CHECK(scanNumber(digits.data(), digits.data() + 3).value == 123.0);
  CHECK(scanInteger(digits.data(), digits.data() + 2).value == 12);
  const std::string nineteen = "1234567890123456789", eighteen = "-123456789012345678";
  CHECK(scanInteger(nineteen.data(), nineteen.data() + nineteen.size()).end == nullptr);
  CHECK(scanInteger(eighteen.data(), eighteen.data() + eighteen.size()).value ==
        -123456789012345678);
  TextReader in("test", "9223372036854775807 -5 12.5");
  CHECK(in.integer("a", 0, INT64_MAX) == INT64_MAX);
  CHECK_THROWS_WITH(in.integer("b", 0, 9), Catch::Contains("from 0 to 9, found '-5'"));
  CHECK_THROWS_WITH(in.integer("c", 0, 99),
                    Catch::Contains("expected a whole number, found '12.5'"));
}
