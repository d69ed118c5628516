// SPDX-License-Identifier: GPL-3.0-or-later
// Eight boulders fall in a box: states that this program wrote, kept to notice when results change.
#include "tool_test.hpp"

TEST_CASE("a small heap ends where it ended when its state was kept", "[golden][heap]") {
  // The hash tells of a single bit; a change of it that is meant is marked [results] in
  // CHANGELOG.md.
  const auto [law, hash] = GENERATE(table<std::string, std::string>(
      {{"Default", "e191a546a915bd76"}, {"Avalanche", "bc812e93b1ebfc4a"}}));
  const std::string kept = goldenFolder() + "/heap/";
  const Folder folder;
  std::string input = readFile(kept + "heap.conf");
  input.replace(input.find("forceLaw Default"), 16, "forceLaw " + law);
  folder.write("heap.conf", input);
  folder.write("rocks-and-walls.shp", readFile(kept + "rocks-and-walls.shp"));
  mustRun(folder, "rockable heap.conf -o out -q");
  const sim::Conf expected = confAt(kept + "expected_" + law),
                  actual = confAt(folder.path("out/conf1"));
  REQUIRE(actual.particles.size() == expected.particles.size());
  CHECK(actual.interactions.size() == expected.interactions.size());
  for (std::size_t k = 0; k < expected.particles.size(); ++k) {
    INFO("body " << k);
    CHECK((actual.particles[k].pos - expected.particles[k].pos).norm() < 1e-9);
    CHECK((actual.particles[k].vel - expected.particles[k].vel).norm() < 1e-6);
  }
  CHECK(report(folder, "out")["stateHash"] == hash);
}
