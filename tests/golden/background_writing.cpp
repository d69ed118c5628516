// SPDX-License-Identifier: GPL-3.0-or-later
// What is in the folder when a write fails, and when the run fails.
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

/// A ball that falls onto a plate; ten conf-files.
void writeCase(const Folder& folder, const std::string& dt = "1e-4") {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", fallingBall("0.01", dt));
}

std::size_t filesIn(const Folder& folder, const std::string& name) {
  std::size_t n = 0;
  for (const auto& entry : fs::directory_iterator(folder.path(name)))
    n += entry.path().filename().string().starts_with("conf");
  return n;
}

bool hasTemporary(const Folder& folder, const std::string& name) {
  for (const auto& entry : fs::directory_iterator(folder.path(name)))
    if (entry.path().filename().string().find("tmp") != std::string::npos) return true;
  return false;
}

/// The same with 100,000 steps.
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
          "[golden][background]") {
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

TEST_CASE("where a run fails, the state that it names is in the folder", "[golden][background]") {
  const Folder folder;
  writeCase(folder);
  std::string text = folder.read("case.conf");
  for (const auto& [what, by] : {std::pair("tmax 0.1", "tmax 100"),
                                 {"dt 1e-4", "dt 1e-2"},
                                 {"interConf 0.01", "interConf 0.1"},
                                 {"0 -10 0", "0 1e156 0"}})
    text.replace(text.find(what), std::string_view(what).size(), by);
  folder.write("case.conf", text);  // the square of a step passes the largest number after some 130
  const Outcome failed = run(folder, "rockable case.conf -o out -q --keep last:3");
  INFO(failed.err);
  CHECK(failed.code == 3);
  const std::size_t at = failed.err.find("last good state is ");
  REQUIRE(at != std::string::npos);
  const std::string named = failed.err.substr(at + 19, failed.err.find('\n', at) - at - 19);
  CHECK(folder.has(named));
  CHECK(parseJson(folder.read("out/run.json"))["status"] == "failed");
  CHECK(filesIn(folder, "out") == 4);  // the start and the last three
}
