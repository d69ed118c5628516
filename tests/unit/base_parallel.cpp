// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sanitized.hpp"

#include "scree/base/parallel.hpp"
#include "scree/base/rng.hpp"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace scree;

TEST_CASE("sums in blocks have the same bits on any number of threads", "[base][parallel]") {
  Rng rng(3);
  std::vector<double> x(100001);
  for (double& v : x) v = rng.uniform(-1.0, 1.0);
  const auto sum = [&](int threads) {
    return orderedSum(threads, x.size(), 0.0, [&](std::size_t i) { return x[i]; });
  };
  const double one = sum(1);
  for (const int threads : {2, 3, 8}) CHECK(sum(threads) == one);
}

TEST_CASE("each index of a loop is visited once, whatever threads come and go",
          "[base][parallel]") {
  std::vector<int> visits(64);
  // Eight threads on two busy cores wait for each other: with a sanitizer a tenth of the loops.
  constexpr int loops = testing::sanitized ? 3000 : 30000;
  for (int loop = 0; loop < loops; ++loop) {
    const auto n = static_cast<std::size_t>(8 + loop % 5);
    std::fill(visits.begin(), visits.end(), 0);
    parallelFor(loop % 2 ? 2 : 8, n, [&](std::size_t i) { ++visits[i]; });
    std::vector<int> expected(64);
    std::fill_n(expected.begin(), n, 1);
    REQUIRE(visits == expected);
  }
}

TEST_CASE("who throws before he has passed keeps nobody waiting", "[base][parallel]") {
  Relay relay;
  constexpr std::size_t ranges = 4;
  for (std::size_t thrower = 0; thrower < ranges; ++thrower) {
    relay.begin(ranges);
    std::vector<int> done(ranges, 0);
    CHECK_THROWS_AS(parallelFor(ranges, ranges,
                                [&](std::size_t range) {
                                  relay.run(range, [&](std::size_t r) {
                                    if (r == thrower) throw std::runtime_error("no memory");
                                    relay.pass(r);
                                    relay.awaitLower(r);
                                    done[r] = 1;
                                  });
                                }),
                    std::runtime_error);
    for (std::size_t range = 0; range < ranges; ++range) CHECK(done[range] == (range != thrower));
  }
}

TEST_CASE("as many threads are taken as the affinity and OMP_NUM_THREADS allow",
          "[base][parallel]") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  const char* const before = std::getenv("OMP_NUM_THREADS");
  const std::string kept = before ? before : "";
  const auto limit = [](const char* text) {
    if (text)
      setenv("OMP_NUM_THREADS", text, 1);
    else
      unsetenv("OMP_NUM_THREADS");
    return availableThreads();
  };
  CHECK(limit(nullptr) == CPU_COUNT(&all));
  CHECK(limit("1") == 1);
  CHECK(limit("1,4") == 1);  // nested: the outer loops
  for (const char* const nothing : {"", "0", "-3", "many", "99999999999999999999"})
    CHECK(limit(nothing) == CPU_COUNT(&all));

  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(limit(nullptr) == 1);
  CHECK(limit("8") == 1);
  CHECK(threadCount(0) == 1);
  CHECK(threadCount(3) == 3);  // requested in so many words
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
  useThreads(1);
  CHECK(limit(nullptr) == 1);
  useThreads(0);
  CHECK(limit(nullptr) == CPU_COUNT(&all));
  limit(before ? kept.c_str() : nullptr);
}
