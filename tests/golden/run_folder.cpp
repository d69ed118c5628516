// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a run leaves in its folder, and how it is stopped and resumed.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace scree;
using namespace scree::testing;
using nlohmann::json;

namespace {

std::string hashOf(const Folder& folder, const std::string& out) {
  return report(folder, out)["stateHash"];
}

}  // namespace

TEST_CASE("a run names its outputs, replaces an earlier run's, and never touches its input",
          "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  const std::string input = folder.read("conf0");
  REQUIRE(run(folder, "rockable conf0").code == 0);
  CHECK(folder.read("conf0") == input);
  for (const char* name :
       {"conf1", "conf8", "kineticEnergy.txt", "staticBalance.txt", "perf.txt", "run.json"})
    CHECK(folder.has(name));
  CHECK_FALSE(folder.has("conf9"));
  CHECK_FALSE(folder.has("restart.conf"));
  const json report = parseJson(folder.read("run.json"));
  CHECK(report["status"] == "tmax");
  CHECK(report["missedContacts"] == 0);
  CHECK(report["stateHash"].get<std::string>().size() == 16);
  const std::string last = folder.read("conf8");
  REQUIRE(run(folder, "rockable conf0 --keep last:2").code == 0);  // again, in the same place
  CHECK(folder.read("conf8") == last);
  CHECK_FALSE(folder.has("conf6"));
  CHECK(folder.read("conf0") == input);
}

TEST_CASE("a run from a conf-file of an earlier one goes into another folder", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -q").code == 0);
  const std::string hash = hashOf(folder, "."), input = folder.read("conf5");
  CHECK(run(folder, "rockable conf5 -q").code == 4);
  REQUIRE(run(folder, "rockable conf5 -q -o more").code == 0);
  CHECK(hashOf(folder, "more") == hash);
  REQUIRE(run(folder, "rockable conf5 -q --force").code == 0);
  CHECK(hashOf(folder, ".") == hash);
  CHECK(folder.read("conf5") == input);
  CHECK_FALSE(folder.has("conf4"));
}

TEST_CASE("the last state is kept where it lies between two conf-files", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -o whole -q").code == 0);
  const std::string input = folder.read("conf0");
  folder.write("conf0", with(input, "\ntmax 0.4\n", "\ntmax 0.33\n"));
  const Outcome part = run(folder, "rockable conf0 -o parts");
  CHECK(part.code == 0);
  CHECK_THAT(part.err, Catch::Contains("parts/restart.conf holds it"));
  CHECK(report(folder, "parts")["status"] == "tmax");
  CHECK_THAT(run(folder, "rockable conf0 -o parts --resume").err,
             Catch::Contains("nothing to resume"));
  folder.write("conf0", input);
  REQUIRE(run(folder, "rockable conf0 -o parts -q --resume").code == 0);
  CHECK_FALSE(folder.has("parts/restart.conf"));
  CHECK(hashOf(folder, "parts") == hashOf(folder, "whole"));
  const std::string table = folder.read("whole/energy.txt");
  CHECK(folder.read("parts/energy.txt") == table);
  // One that has gone begins with its header again.
  REQUIRE(run(folder, "rockable conf0 -o third -q --until 0.23").code == 0);
  std::filesystem::remove(folder.path("third/energy.txt"));
  REQUIRE(run(folder, "rockable conf0 -o third -q --resume").code == 0);
  const std::string again = folder.read("third/energy.txt");
  CHECK(again.substr(0, again.find('\n')) == table.substr(0, table.find('\n')));
  CHECK(table.ends_with(again.substr(again.find('\n'))));
}

TEST_CASE("a run does not resume from a state that it has not reached", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -o whole -q").code == 0);
  REQUIRE(run(folder, "rockable conf0 -o later -q --until 0.3").code == 0);
  REQUIRE(run(folder, "rockable conf0 -o parts -q --until 0.1").code == 0);
  const std::string state = folder.read("later/restart.conf");
  folder.write("parts/restart.conf", state);
  const Outcome resumed = run(folder, "rockable conf0 -o parts --resume");
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, Catch::Contains("is no whole state of the run"));
  CHECK(hashOf(folder, "parts") == hashOf(folder, "whole"));
  // A state that was cut between two blocks is none.
  REQUIRE(run(folder, "rockable conf0 -o cut -q --until 0.3").code == 0);
  folder.write("cut/restart.conf", state.substr(0, state.find("\nInterfaces ") + 1));
  const Outcome cut = run(folder, "rockable conf0 -o cut --resume");
  CHECK_THAT(cut.err, Catch::Contains("is no whole state of the run"));
  CHECK(hashOf(folder, "cut") == hashOf(folder, "whole"));
}

TEST_CASE("two runs do not write into one folder at a time", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "mkdir out").code == 0);
  const Outcome second = run(folder, "flock -x out rockable conf0 -o out");
  CHECK(second.code == 4);
  CHECK_THAT(second.err, Catch::Contains("out: another run is writing into this folder"));
  CHECK_FALSE(folder.has("out/run.json"));
  CHECK(run(folder, "rockable conf0 -o out -q").code == 0);
}

TEST_CASE("a limit on the size of files is an error of writing, not a signal that kills",
          "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  const Outcome limited = run(folder, "ulimit -f 1 && rockable conf0 -o small");
  CHECK(limited.code == 4);
  CHECK_THAT(limited.err, Catch::Contains("small/"));
}

TEST_CASE("a state that was driven tells where its drives are not found", "[golden][run]") {
  const Folder folder;
  folder.write("case/conf0", fallingBall("0.02"));
  folder.write("case/shapes.shp", ballAndPlate);
  folder.write("case/drivingSystem.txt", "Control _y_Vel_ 0 0.01\n");
  REQUIRE(run(folder, "rockable case/conf0 -o case/out -q").code == 0);
  const Outcome without = run(folder, "rockable case/out/conf2 -o again");
  CHECK(without.code == 0);
  CHECK_THAT(without.err, Catch::Contains("driven by case/drivingSystem.txt"));
  folder.write("case/out/drivingSystem.txt", folder.read("case/drivingSystem.txt"));
  const Outcome with = run(folder, "rockable case/out/conf2 -o last");
  CHECK_THAT(with.err, !Catch::Contains("driven by"));
  CHECK(hashOf(folder, "last") == hashOf(folder, "case/out"));
}
