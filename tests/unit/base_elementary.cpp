// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are the same everywhere, against long double, whose functions are ten bits finer;
// draws as libstdc++ makes them, against that library where the test is built with it.
#include "base/elementary.hpp"
#include "catch.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace scree;
using scree::LibstdcxxRng;

namespace {

using Long = long double;

/// The error of `value` in units of the last place of `exact`.
double ulps(double value, Long exact) {
  const auto near = static_cast<double>(exact);
  if (!std::isfinite(near)) return value == near ? 0.0 : HUGE_VAL;
  int exponent = 0;
  std::frexp(near, &exponent);
  const Long unit = std::ldexp(Long(1), std::max(exponent, -1021) - 53);
  return static_cast<double>(std::abs(Long(value) - exact) / unit);
}

constexpr double most = 0.9;  // [ulp]
constexpr int draws = 200000;

/// A number of either sign with |x| between 2^from and 2^to, evenly in its logarithm.
double anyNumber(Rng& rng, double from, double to) {
  const double size = std::ldexp(rng.uniform(1.0, 2.0), static_cast<int>(rng.uniform(from, to)));
  return rng.uniform() < 0.5 ? -size : size;
}

}  // namespace

TEST_CASE("sin, cos and tan of angles", "[base][elementary]") {
  Rng rng(1);
  double worst = 0.0;
  const auto check = [&](double x) {
    worst = std::max({worst, ulps(elementary::sin(x), std::sin(Long(x))),
                      ulps(elementary::cos(x), std::cos(Long(x))),
                      ulps(elementary::tan(x), std::tan(Long(x)))});
  };
  for (int k = 0; k < draws; ++k) {
    check(rng.uniform(-7.0, 7.0));
    check(anyNumber(rng, -60, 20));
    // Near multiples of a quarter turn, where digits cancel.
    check(std::floor(rng.uniform(0, 1e6)) * 0.5 * pi * (1.0 + rng.uniform(-1, 1) * 1e-15));
  }
  CHECK(worst < most);
  for (int k = 0; k < draws; ++k) {
    const double x = anyNumber(rng, 20, 49);
    REQUIRE(std::abs(elementary::sin(x) - std::sin(Long(x))) < 2e-16L);
    REQUIRE(std::abs(elementary::cos(x) - std::cos(Long(x))) < 2e-16L);
  }
  CHECK(std::isnan(elementary::sin(0x1p60)));
  CHECK(elementary::sin(0.0) == 0.0);
  CHECK(elementary::cos(0.0) == 1.0);
  CHECK(std::signbit(elementary::sin(-0.0)));
  CHECK(std::isnan(elementary::cos(std::numeric_limits<double>::infinity())));
}

TEST_CASE("atan2 of points of any size and quarter", "[base][elementary]") {
  Rng rng(2);
  double worst = 0.0;
  const auto check = [&](double y, double x) {
    worst = std::max(worst, ulps(elementary::atan2(y, x), std::atan2(Long(y), Long(x))));
  };
  for (int k = 0; k < draws; ++k) {
    check(rng.uniform(-1, 1), rng.uniform(-1, 1));
    check(anyNumber(rng, -1020, 1023), anyNumber(rng, -1020, 1023));
    const double x = anyNumber(rng, -300, 300);
    check(x * rng.uniform(-8, 8), x);
  }
  CHECK(worst < most);
  for (const double y : {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, 5e-324})
    for (const double x : {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, 5e-324}) {
      INFO(y << " " << x);
      const double value = elementary::atan2(y, x), exact = std::atan2(y, x);
      CHECK(value == exact);
      CHECK(std::signbit(value) == std::signbit(exact));
    }
}

TEST_CASE("exp, log, log10, cbrt and pow", "[base][elementary]") {
  Rng rng(3);
  double worst = 0.0, worstPow = 0.0;
  for (int k = 0; k < draws; ++k) {
    const double e = rng.uniform(-708, 709), x = std::abs(anyNumber(rng, -1020, 1023)),
                 near = rng.uniform(0.5, 2.0);
    worst = std::max({worst, ulps(elementary::exp(e), std::exp(Long(e))),
                      ulps(elementary::exp(1e-3 * e), std::exp(Long(1e-3 * e))),
                      ulps(elementary::log(x), std::log(Long(x))),
                      ulps(elementary::log(near), std::log(Long(near))),
                      ulps(elementary::log10(x), std::log10(Long(x))),
                      ulps(elementary::log10(near), std::log10(Long(near))),
                      ulps(elementary::cbrt(-x), std::cbrt(Long(-x)))});
    const double base = rng.uniform(0.0, 10.0), y = rng.uniform(-300, 300);
    const Long exact = std::pow(Long(base), Long(y));
    if (exact > 1e-300L) worstPow = std::max(worstPow, ulps(elementary::pow(base, y), exact));
  }
  CHECK(worst < most);
  CHECK(worstPow < most);
}

TEST_CASE("powers and logarithms are exact where they can be", "[base][elementary]") {
  for (int k = -300; k <= 300; ++k) {
    const auto power = static_cast<double>(std::pow(Long(10), k));
    if (k >= -22 && k <= 22) CHECK(elementary::log10(power) == k);
    CHECK(elementary::pow(2.0, k) == std::ldexp(1.0, k));
  }
  for (int b = -20; b <= 20; ++b)
    for (int e = 0, value = 1; e <= 6; ++e, value *= b) CHECK(elementary::pow(b, e) == value);
  for (int k = 1; k <= 200000; k += 7) CHECK(elementary::pow(static_cast<double>(k) * k, 0.5) == k);
  for (int k = -100; k <= 100; ++k) CHECK(elementary::cbrt(static_cast<double>(k) * k * k) == k);
  CHECK(elementary::log(1.0) == 0.0);
  CHECK(elementary::exp(0.0) == 1.0);
  CHECK(elementary::exp(-1e9) == 0.0);
  CHECK(elementary::exp(1e9) == HUGE_VAL);
}

TEST_CASE("special values are those of C", "[base][elementary]") {
  const double values[] = {
      0.0,   -0.0,   1.0,      -1.0,      2.0,
      -2.0,  3.0,    -3.0,     0.5,       -0.5,
      1e300, -1e300, HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()};
  const auto same = [](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    // C leaves the last digit of all that is not special open.
    return std::signbit(a) == std::signbit(b) && (a == b || std::abs(a - b) < 3e-16 * std::abs(b));
  };
  for (const double x : values) {
    INFO(x);
    CHECK(same(elementary::exp(x), std::exp(x)));
    CHECK(same(elementary::cbrt(x), std::cbrt(x)));
    for (const double y : values) {
      INFO(y);
      CHECK(same(elementary::pow(x, y), std::pow(x, y)));
    }
  }
  for (const double x : {0.0, -1.0, HUGE_VAL}) {
    CHECK(same(std::abs(elementary::log(x)), std::abs(std::log(x))));
    CHECK(same(std::abs(elementary::log10(x)), std::abs(std::log10(x))));
  }
}

TEST_CASE("numbers of seed 0 are those that were observed", "[base][random]") {
  CHECK(LibstdcxxRng(0).uniform(0.5, 2.0) == 0.69730668160814102);
  CHECK(LibstdcxxRng(0).weibull(9.0, 80.0) == 64.353097409017437);
  // The standard fixes the 10000th number of minstd_rand0.
  LibstdcxxRng rng;
  for (int k = 1; k < 10000; ++k) rng.next();
  CHECK(rng.next() == 1043618065u);
}

#ifdef __GLIBCXX__
TEST_CASE("engine and distributions draw as libstdc++ does", "[base][random]") {
  for (const std::uint64_t seed :
       {0ul, 1ul, 7ul, 2147483646ul, 2147483647ul, 2147483648ul, 1700000000000000000ul}) {
    INFO(seed);
    const auto same = [&](auto distribution, auto draw, double tolerance) {
      std::default_random_engine engine(seed);
      LibstdcxxRng rng(seed);
      for (int k = 0; k < 20000; ++k) {
        const double exact = distribution(engine), value = draw(rng);
        if (!(std::abs(value - exact) <= tolerance * std::abs(exact))) {
          CAPTURE(k, value, exact);
          FAIL("another number");
        }
      }
    };
    constexpr double hair = 0x1p-50;  // four units in the last place
    same(
        std::uniform_real_distribution<>(-1, 1), [](auto& r) { return r.uniform(-1, 1); }, 0.0);
    same(
        std::uniform_real_distribution<>(0.3, 7), [](auto& r) { return r.uniform(0.3, 7); }, 0.0);
    same(
        std::weibull_distribution<>(9, 80), [](auto& r) { return r.weibull(9, 80); }, hair);
    same(
        std::weibull_distribution<>(0.5, 1), [](auto& r) { return r.weibull(0.5, 1); }, hair);
  }
}
#endif
