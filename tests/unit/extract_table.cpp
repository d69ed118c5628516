// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/measure/selection.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string written(TableFormat format) {
  const TableHeader header{
      "extract 1.0 (Scree)", "extract X 'a \"b\"'", {{"t", "s"}, {"n", "-"}, {"name", ""}}};
  return tableText(format, header,
                   {{0.1, std::int64_t{1000000}, "rock, big"}, {-nan, std::int64_t{-2}, "a"}});
}

/// Four bodies on a line along z; the first is driven.
struct FourBodies {
  Conf conf;
  std::vector<shape::Shape> shapes{2};

  FourBodies() {
    conf.shapeNames = {"plate", "rock.7"};
    conf.nDriven = 1;
    conf.particles.resize(4);
    conf.setDensity(2, 10.0);
    shapes[1].volume = 3.0;
    for (std::size_t k = 0; k < 4; ++k) {
      ParticleRecord& p = conf.particles[k];
      p.shapeName = k > 0;
      p.group = k > 1 ? 2 : 1;
      p.cluster = static_cast<std::int32_t>(k) - 2;
      p.pos = {1.0, -2.0, 0.25 * static_cast<double>(k)};
      p.vel = {0, 3.0, 4.0 * static_cast<double>(k == 3)};
      p.vrot = {1.0, 2.0, static_cast<double>(k)};
    }
    conf.particles[3].homothety = 2.0;
  }
  /// Numbers of the bodies that are chosen, as digits.
  std::string chosen(std::string_view expression) const {
    const auto flags = Selection(expression).of(conf, shapes);
    std::string text;
    for (std::size_t k = 0; k < flags.size(); ++k)
      if (flags[k]) text += std::to_string(k);
    return text;
  }
};

}  // namespace

TEST_CASE("a table in each format: exact numbers, comments, quotes only where needed",
          "[extract][table]") {
  CHECK(written(TableFormat::csv) ==
        "# extract 1.0 (Scree)\n# extract X 'a \"b\"'\n# units: t=s\nt,n,name\n"
        "0.1,1000000,\"rock, big\"\nnan,-2,a\n");
  CHECK(written(TableFormat::txt) == "# t n name\n0.1 1000000 rock,_big\nnan -2 a\n");
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

TEST_CASE("a selection chooses bodies by their quantities", "[selection]") {
  const FourBodies four;
  const auto [expression, bodies] = GENERATE(table<std::string, std::string>({
      {"id == 2", "2"},
      {"group == 2 && z < 0.6", "2"},
      {"driven", "0"},
      {"cluster < 0", "01"},
      {"speed == 5", "3"},
      {"volume == 24", "3"},
      {"mass > 20", "23"},
      {"shape == 'plate'", "0"},
      {"shape == \"rock.7\" && id > 1", "23"},
  }));
  INFO(expression);
  CHECK(four.chosen(expression) == bodies);
}

TEST_CASE("no selection chooses every body", "[selection]") {
  const FourBodies four;
  CHECK(Selection().all());
  CHECK(Selection().of(four.conf) == std::vector<char>(4, 1));
  CHECK_FALSE(Selection("z < 1").needsShapes());
  CHECK(Selection("z < 1 || mass > 3").needsShapes());
  CHECK(Selection("mass > 0").of(four.conf) == std::vector<char>(4, 0));  // nan without shapes
}
