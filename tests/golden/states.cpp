// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of many kinds end in the states that were kept: of all a hash, of ten the numbers too, which
// tell by how much a hash differs.
#include "catch.hpp"
#include "paths.hpp"
#include "state_cases.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>

using namespace scree;
using namespace scree::scenes;

namespace {

/// Hashes by case. A change that is meant: `write_states > tests/golden/states.txt`, and [results]
/// in CHANGELOG.md.
std::map<std::string, std::string> keptHashes() {
  std::map<std::string, std::string> kept;
  std::istringstream lines(readFile(testing::goldenFolder() + "/states.txt"));
  for (std::string name, hash; lines >> name >> hash;) kept[name] = hash;
  return kept;
}

/// Numbers by case and quantity. A change that is meant: `write_states --values >
/// tests/golden/state_values.txt`, and [results] with its size in CHANGELOG.md. Lines: "NAME
/// COUNT", then COUNT lines "QUANTITY VALUE".
std::map<std::string, std::map<std::string, double>> keptValues() {
  std::map<std::string, std::map<std::string, double>> kept;
  std::istringstream lines(readFile(testing::goldenFolder() + "/state_values.txt"));
  std::string name;
  for (std::size_t count = 0; lines >> name >> count;) {
    std::string quantity, value;
    for (std::size_t k = 0; k < count && lines >> quantity >> value; ++k)
      kept[name][quantity] = std::strtod(value.c_str(), nullptr);
  }
  return kept;
}

void checkValues(const std::vector<StateValue>& values,
                 const std::map<std::string, double>& expected) {
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

}  // namespace

TEST_CASE(
    "runs of many kinds end in the bits that were kept and ten in the numbers to 1e-9 of the "
    "largest",
    "[golden][repeat]") {
  auto hashes = keptHashes();
  auto values = keptValues();
  const auto cases = stateCases();
  CHECK(hashes.size() == cases.size());
  CHECK(values.size() == std::size(casesWithValues));
  for (const StateCase& c : cases) {
    INFO(c.name);
    const auto last = lastState(c, 1);
    CHECK(fmt::format("{:016x}", last->stateHash()) == hashes[c.name]);
    if (std::ranges::find(casesWithValues, c.name) != std::end(casesWithValues))
      checkValues(valuesOf(*last), values[c.name]);
  }
}

TEST_CASE("runs of many kinds end in the bits that were kept on three threads",
          "[golden][repeat]") {
  auto hashes = keptHashes();
  for (const StateCase& c : stateCases()) {
    INFO(c.name);
    CHECK(fmt::format("{:016x}", lastHash(c, 3)) == hashes[c.name]);
  }
}
