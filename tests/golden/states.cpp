// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of many kinds end in the states that were kept.
#include "catch.hpp"
#include "paths.hpp"
#include "state_cases.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

using namespace scree;
using namespace scree::scenes;

TEST_CASE("runs of many kinds end in the bits that were kept, on 1 thread and on 3",
          "[golden][repeat]") {
  // A change that is meant: `write_states > tests/golden/states.txt`, and [results] in
  // CHANGELOG.md.
  std::map<std::string, std::string> kept;
  std::istringstream lines(readFile(testing::goldenFolder() + "/states.txt"));
  for (std::string name, hash; lines >> name >> hash;) kept[name] = hash;
  const auto cases = stateCases();
  CHECK(kept.size() == cases.size());
  for (const StateCase& c : cases)
    for (const int threads : {1, 3}) {
      INFO(c.name << " on " << threads);
      CHECK(fmt::format("{:016x}", lastHash(c, threads)) == kept[c.name]);
    }
}
