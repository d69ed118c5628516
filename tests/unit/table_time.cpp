// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/measure/table.hpp"

#include <cmath>
#include <limits>

using namespace scree;
using sim::tableTime;

TEST_CASE("tables show a multiple of a time step with its shortest digits", "[sim][table]") {
  CHECK(shortest(2.4 + 10003 * 1e-5) == "2.5000299999999998");
  CHECK(shortest(tableTime(2.4 + 10003 * 1e-5)) == "2.50003");
  CHECK(shortest(tableTime(6250 * 6.4e-5)) == "0.4");  // 0.39999999999999997
  // Steps from a start that is no double: the text is that of the decimal sum.
  for (int k = 0; k <= 20000; ++k) {
    const double t = 2.4 + k * 1e-5;
    std::string expected = std::to_string(240000 + k);
    expected.insert(1, ".");
    expected.erase(expected.find_last_not_of('0') + 1);
    if (expected.back() == '.') expected.pop_back();
    if (shortest(tableTime(t)) != expected) FAIL(shortest(t) << " is not shown as " << expected);
  }
}

TEST_CASE("the time of a table lies within two units in the last place and never decreases",
          "[sim][table]") {
  Rng rng(3);
  for (int k = 0; k < 20000; ++k) {
    const double t = std::ldexp(rng.uniform() - 0.5, static_cast<int>(40.0 * rng.uniform()) - 20);
    const double unit = std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t);
    const double shown = tableTime(t), next = std::nextafter(t, HUGE_VAL);
    if (!(std::abs(shown - t) <= 2.0 * unit)) FAIL(shortest(t));
    if (!(tableTime(next) >= shown)) FAIL(shortest(t));
    if (tableTime(shown) != shown) FAIL(shortest(t));
  }
  CHECK(tableTime(0.0) == 0.0);
  CHECK(std::isnan(tableTime(std::nan(""))));
  CHECK(tableTime(HUGE_VAL) == HUGE_VAL);
  CHECK(tableTime(5e-324) == 5e-324);
  CHECK(std::isfinite(tableTime(std::numeric_limits<double>::max())));
}
