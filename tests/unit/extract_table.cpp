// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"

#include <cmath>
#include <limits>

using namespace scree;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string written(TableFormat format) {
  const TableHeader header{
      "extract 1.0 (Scree)", "extract X 'a \"b\"'", {{"t", "s"}, {"n", "-"}, {"name", ""}}};
  return tableText(format, header,
                   {{0.1, std::int64_t{1000000}, "rock, big"}, {-nan, std::int64_t{-2}, "a"}});
}

}  // namespace

TEST_CASE("csv has three comment lines, a header, exact numbers, and quotes only where needed",
          "[extract][table]") {
  CHECK(written(TableFormat::csv) ==
        "# extract 1.0 (Scree)\n# extract X 'a \"b\"'\n# units: t=s\nt,n,name\n"
        "0.1,1000000,\"rock, big\"\nnan,-2,a\n");
}

TEST_CASE("txt has one comment line and blanks, none inside a cell", "[extract][table]") {
  CHECK(written(TableFormat::txt) == "# t n name\n0.1 1000000 rock,_big\nnan -2 a\n");
}

TEST_CASE("json is one object, with null for what is unknown", "[extract][table]") {
  CHECK(
      written(TableFormat::json) ==
      "{\"schema\":1,\"program\":\"extract 1.0 (Scree)\",\"command\":\"extract X 'a \\\"b\\\"'\",\n"
      "\"units\":{\"t\":\"s\"},\n\"columns\":[\"t\",\"n\",\"name\"],\n\"rows\":[\n"
      "[0.1,1000000,\"rock, big\"],\n[null,-2,\"a\"]\n]}\n");
}

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
