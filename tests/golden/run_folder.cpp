// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves in its folder, and how it is stopped and resumed.
#include "catch.hpp"
#include "run_cases.hpp"

#include <string>

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
  for (const char* name : {"conf1", "conf8", "kineticEnergy.txt", "staticBalance.txt", "perf.txt",
                           "checkplots.txt", "run.json"})
    CHECK(folder.has(name));
  CHECK_FALSE(folder.has("conf9"));
  CHECK_FALSE(folder.has("restart.conf"));
  const json report = json::parse(folder.read("run.json"));
  CHECK(report["end"] == "tmax");
  CHECK(report["missedContacts"] == 0);
  CHECK(report["stateHash"].get<std::string>().size() == 16);
  const std::string last = folder.read("conf8");
  REQUIRE(run(folder, "rockable conf0 --keep last:2").code == 0);  // again, in the same place
  CHECK(folder.read("conf8") == last);
  CHECK_FALSE(folder.has("conf6"));
  CHECK(folder.read("conf0") == input);
}

TEST_CASE("stopped and resumed, a run ends in the same bits and the same tables", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  folder.write("dataExtractors.txt", "TrackBody 7 rock.txt 10\n");
  REQUIRE(run(folder, "rockable conf0 -o whole -q").code == 0);
  REQUIRE(run(folder, "rockable conf0 -o parts -q --steps 333").code == 0);
  CHECK(folder.has("parts/restart.conf"));
  REQUIRE(run(folder, "rockable conf0 -o parts -q --resume --until 0.21").code == 0);
  const Outcome end = run(folder, "rockable conf0 -o parts --resume --done parts/done.json");
  INFO(end.err);
  REQUIRE(end.code == 0);
  CHECK_FALSE(folder.has("parts/restart.conf"));
  CHECK(folder.has("parts/done.json"));
  CHECK(hashOf(folder, "parts") == hashOf(folder, "whole"));
  for (const char* name : {"conf3", "conf8", "kineticEnergy.txt", "rock.txt"}) {
    INFO(name);
    CHECK(folder.read(std::string("parts/") + name) == folder.read(std::string("whole/") + name));
  }
  const Outcome again = run(folder, "rockable conf0 -o parts --resume");
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Catch::Contains("nothing to resume"));
}

TEST_CASE("a signal saves the state and ends with 75; the run can be resumed", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -o whole -q").code == 0);
  const Outcome stopped =
      run(folder,
          "sh -c 'rockable conf0 -o parts & pid=$!; while ! [ -e parts/run.json ]; do sleep 0.002; "
          "done; kill -INT $pid; kill -TERM $pid; wait $pid'");
  INFO(stopped.err);
  // A shell starts background jobs with SIGINT ignored or not; the tool sets its own handlers
  // either way.
  const bool finishedFirst = stopped.code == 0;
  CHECK((finishedFirst || stopped.code == 75 || stopped.code == 143));
  if (stopped.code == 75) {
    CHECK(folder.has("parts/restart.conf"));
    CHECK_THAT(stopped.err, Catch::Contains("--resume"));
  }
  REQUIRE(run(folder, "rockable conf0 -o parts -q --resume").code == 0);
  CHECK(hashOf(folder, "parts") == hashOf(folder, "whole"));
}

TEST_CASE("tools chain through pipes", "[golden]") {
  const Folder folder;
  const Outcome piped = run(folder,
                            "sh -c 'shapeSurvey make box --size 1 --radius 0.1 -q -o - | "
                            "shapeSurvey compute - -q -o - | shapeSurvey info - --json'");
  INFO(piped.err);
  REQUIRE(piped.code == 0);
  const json box = json::parse(piped.out)["shapes"][0];
  CHECK(box["volume"].get<double>() == Approx(0.975587013890942).epsilon(1e-13));  // closed form
  CHECK(box["inertiaPerMass"][0].get<double>() == Approx(0.161966351934958).epsilon(1e-13));
  writeRocks(folder);
  CHECK(run(folder, "sh -c 'rockable - -o out -q < conf0'").code == 0);
  CHECK(folder.has("out/conf8"));
  const Outcome track =
      run(folder, "sh -c 'cat out/conf8 | extract TrackBody --body 7 - --format txt'");
  CHECK(track.code == 0);
  CHECK(std::count(track.out.begin(), track.out.end(), '\n') == 2);
}
