// SPDX-License-Identifier: GPL-3.0-or-later
// What --done may write.
#include "catch.hpp"
#include "run_cases.hpp"
#include "run_folders.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

void writeBallToBeDone(const Folder& folder) {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", fallingBall("0.01"));
}

}  // namespace

TEST_CASE("option --done never names an input or a file of the run", "[golden][run][done]") {
  const Folder folder;
  writeBallToBeDone(folder);
  folder.write("dataExtractors.txt", "TrackBody 1 tracks/ball.txt 10\n");
  const std::string name =
      GENERATE("case.conf", "./shapes.shp", "dataExtractors.txt", "out/energy.txt", "out/run.json",
               "out/conf3.zst", "out/tracks/ball.txt");
  const std::string option = GENERATE("", " --force", " --check");
  INFO(name << option);
  const Outcome refused = run(folder, "rockable case.conf -o out -q --done " + name + option);
  INFO(refused.err);
  CHECK(refused.code == 4);
  CHECK_FALSE(folder.has("out"));
  CHECK(folder.read("case.conf") == fallingBall("0.01"));
  CHECK(folder.read("shapes.shp") == ballAndPlate);
}

TEST_CASE("option --done replaces the file of an earlier run of the case alone",
          "[golden][run][done]") {
  const Folder folder;
  writeBallToBeDone(folder);
  folder.write("done", "of somebody\n");
  const auto end = [&](const std::string& options) {
    return run(folder, "rockable case.conf -o out -q --done done" + options).code;
  };
  CHECK(end("") == 4);
  CHECK_FALSE(folder.has("out"));
  CHECK(folder.read("done") == "of somebody\n");
  REQUIRE(end(" --force") == 0);
  const std::string done = folder.read("done");
  CHECK_THAT(done, Contains("\"status\":\"tmax\""));
  CHECK(end("") == 0);
  CHECK(end(" --resume") == 0);
  // Its run was restarted, and stopped before it came to its end.
  CHECK(end(" --steps 333") == 0);
  CHECK(end(" --resume") == 0);
  CHECK(folder.read("done") == done);
  folder.write("done", "of somebody\n");
  CHECK(run(folder, "rockable case.conf -o new -q --done done").code == 4);
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  CHECK(end(" --resume") == 4);
  CHECK(folder.read("done") == "of somebody\n");
  // A run that is done gets the file that it did not ask for.
  CHECK(run(folder, "rockable case.conf -o out -q --resume --done other").code == 0);
  CHECK(run(folder, "rockable case.conf -o out -q --resume --done other").code == 0);
  CHECK(folder.read("other") == done);
}
