// SPDX-License-Identifier: GPL-3.0-or-later
// What a run that begins does with the results of an earlier one in its folder.
#include "catch.hpp"
#include "run_cases.hpp"
#include "run_folders.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

void writeBall(const Folder& folder) {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", fallingBall("0.01"));
  folder.write("other.conf", with(fallingBall("0.01"), "0 -10 0", "0 -5 0"));
}

/// Refused with 4, in one line that names the three ways out; nothing has changed.
void checkRefused(const Folder& folder, const std::string& command) {
  const auto before = filesOf(folder, "out");
  const std::string record = folder.read("out/run.json");
  const Outcome refused = run(folder, command);
  INFO(command << "\n" << refused.err);
  CHECK(refused.code == 4);
  for (const char* way : {"out: ", "--resume", "--force", "-o"})
    CHECK_THAT(refused.err, Contains(way));
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
  CHECK(filesOf(folder, "out") == before);
  CHECK(folder.read("out/run.json") == record);
}

}  // namespace

TEST_CASE("a finished run of the same input is replaced, and one line counts its files",
          "[golden][run][room]") {
  const Folder folder;
  writeBall(folder);
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  const auto files = filesOf(folder, "out");
  const Outcome again = run(folder, "rockable case.conf -o out");
  INFO(again.err);
  CHECK(again.code == 0);
  // All but run.json, which is never absent.
  CHECK_THAT(again.err, Contains("out: " + std::to_string(files.size() - 1) +
                                 " files of the earlier run of case.conf removed\n"));
  CHECK(filesOf(folder, "out") == files);
  // The same text under another name is the same input; so is the same file with another text.
  folder.write("copy.conf", folder.read("case.conf"));
  CHECK(run(folder, "rockable copy.conf -o out -q").code == 0);
  folder.write("copy.conf", folder.read("other.conf"));
  CHECK(run(folder, "rockable copy.conf -o out -q").code == 0);
}

TEST_CASE("a run of another input is refused without --force", "[golden][run][room]") {
  const Folder folder;
  writeBall(folder);
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  checkRefused(folder, "rockable other.conf -o out");
  checkRefused(folder, "rockable - -o out < other.conf");
  const Outcome forced = run(folder, "rockable other.conf -o out --force");
  CHECK(forced.code == 0);
  CHECK_THAT(forced.err, Contains("files of the earlier run of case.conf removed"));
  // Nothing is lost where the files are gone already.
  REQUIRE(run(folder, "cd out && find . -type f ! -name run.json -delete").code == 0);
  CHECK(run(folder, "rockable case.conf -o out -q").code == 0);
}

TEST_CASE("an unfinished run is refused without --resume or --force", "[golden][run][room]") {
  const Folder folder;
  writeBall(folder);
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "rockable case.conf -o out -q --steps 333").code == 0);
  checkRefused(folder, "rockable case.conf -o out");
  checkRefused(folder, "rockable other.conf -o out");
  REQUIRE(run(folder, "rockable case.conf -o out -q --resume").code == 0);
  CHECK(difference(folder, "whole", "out") == "");
  REQUIRE(run(folder, "rockable case.conf -o out -q --steps 333").code == 0);
  REQUIRE(run(folder, "rockable case.conf -o out -q --force").code == 0);
  CHECK(difference(folder, "whole", "out") == "");
  // Without a state to go on from, --resume begins again, but never over another input's run.
  REQUIRE(run(folder, "rockable case.conf -o out -q --steps 333").code == 0);
  REQUIRE(run(folder, "rm out/conf* out/restart.conf").code == 0);
  checkRefused(folder, "rockable other.conf -o out --resume -q");
  REQUIRE(run(folder, "rockable case.conf -o out -q --resume").code == 0);
  CHECK(difference(folder, "whole", "out") == "");
}
