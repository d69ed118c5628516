// SPDX-License-Identifier: GPL-3.0-or-later
// Ten of the kept states as numbers: where a hash differs, this tells by how much.
#include "catch.hpp"
#include "paths.hpp"
#include "state_cases.hpp"

#include "scree/base/files.hpp"

#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>

using namespace scree;
using namespace scree::scenes;

TEST_CASE("ten runs end in the numbers that were kept, to 1e-9 of the largest of their kind",
          "[golden][repeat]") {
  // A change that is meant: `write_states --values > tests/golden/state_values.txt`, and [results]
  // with its size in CHANGELOG.md. Lines: "NAME COUNT", then COUNT lines "QUANTITY VALUE".
  std::map<std::string, std::map<std::string, double>> kept;
  std::istringstream lines(readFile(testing::goldenFolder() + "/state_values.txt"));
  std::string name;
  for (std::size_t count = 0; lines >> name >> count;) {
    std::string quantity, value;
    for (std::size_t k = 0; k < count && lines >> quantity >> value; ++k)
      kept[name][quantity] = std::strtod(value.c_str(), nullptr);
  }
  CHECK(kept.size() == std::size(casesWithValues));
  for (const StateCase& c : stateCases()) {
    if (std::ranges::find(casesWithValues, c.name) == std::end(casesWithValues)) continue;
    INFO(c.name);
    const std::vector<StateValue> values = valuesOf(*lastState(c, 2));
    const auto& expected = kept[c.name];
    REQUIRE(values.size() == expected.size());
    double worst = 0.0;
    std::string where;
    for (const StateValue& v : values) {
      const auto at = expected.find(v.name);
      REQUIRE(at != expected.end());
      const double difference = std::abs(v.value - at->second);
      const double share = difference == 0.0 ? 0.0 : difference / v.size;
      if (share > worst) {
        worst = share;
        where = v.name;
      }
    }
    INFO("largest at " << where);
    CHECK(worst <= 1e-9);
  }
}
