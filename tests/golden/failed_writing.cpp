// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of the folder of a run when a write fails.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <fstream>
#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

bool hasTemporary(const Folder& folder, const std::string& name) {
  for (const auto& entry : fs::directory_iterator(folder.path(name)))
    if (entry.path().filename().string().find("tmp") != std::string::npos) return true;
  return false;
}

/// A ball on a plate, ten conf-files of 10,000 steps each.
void writeLongCase(const Folder& folder) {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf",
               with(with(fallingBall("1"), "tmax 0.1", "tmax 10"), "0.152 0 0.5", "0.152 0 0"));
}

/// Runs the case, and puts a folder in the way of one of its files when conf1 is there.
std::string blocked(const std::string& file, const std::string& options) {
  return "rockable case.conf -o out " + options +
         " & pid=$!; while ! [ -e out/conf1 ]; do sleep 0.001; done; mkdir out/" + file +
         "; wait $pid";
}

}  // namespace

TEST_CASE("a conf-file that cannot be written ends the run with 4, and those before it stay",
          "[golden][run]") {
  const Folder folder;
  writeLongCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  const Outcome failed = run(folder, blocked("conf4", "-q"));
  CHECK(failed.code == 4);
  CHECK_THAT(failed.err, Contains("out/conf4: cannot"));
  for (const char* name : {"conf0", "conf1", "conf2", "conf3"})
    CHECK(folder.read(std::string("out/") + name) == folder.read(std::string("whole/") + name));
  CHECK_FALSE(folder.has("out/conf5"));  // nothing behind the one that failed
  const json report = parseJson(folder.read("out/run.json"));
  CHECK(report["status"] == "failed");
  CHECK(report["time"].get<double>() > 3.0);  // the time at which the failure was reported
  CHECK_FALSE(hasTemporary(folder, "out"));
  // Once there is room the run goes on from what it had written.
  fs::remove(folder.path("out/conf4"));
  REQUIRE(run(folder, "rockable case.conf -o out -q --resume").code == 0);
  CHECK(folder.read("out/conf10") == folder.read("whole/conf10"));
}
