// SPDX-License-Identifier: GPL-3.0-or-later
// Draws as libstdc++ makes them, against that library where the test is built with it.
#include "catch.hpp"

#include "scree/base/rng.hpp"

#include <cmath>
#include <random>

using scree::LibstdcxxRng;

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
