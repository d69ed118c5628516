// SPDX-License-Identifier: GPL-3.0-or-later
// What --resume compares before it goes on.
#include "catch.hpp"
#include "run_cases.hpp"
#include "run_folders.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

const std::string ballLine = "Ball 0 1 1 0 0.152 0";

/// Stops a run after a third of its steps.
void beginBall(const Folder& folder, const std::string& conf, const std::string& options = "") {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", conf);
  REQUIRE(run(folder, "rockable case.conf -o out -q --steps 333" + options).code == 0);
}

}  // namespace

TEST_CASE("option --resume names what it does not take from the conf-file",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  REQUIRE(run(folder, "cp shapes.shp other.shp").code == 0);
  const auto warnings = [&](const std::string& conf) {
    folder.write("other.conf", conf);
    const Outcome checked = run(folder, "rockable other.conf -o out --resume --check");
    INFO(checked.err);
    CHECK(checked.code == 0);
    CHECK((run(folder, "rockable other.conf -o out --resume --check --strict").code == 3) ==
          (checked.err.find("differs") != std::string::npos));
    return checked.err;
  };
  const std::string as = fallingBall("0.01");
  struct Change {
    std::string from, to;
  };
  for (const Change& c : std::vector<Change>{{ballLine, "Ball 0 1 1 0 0.162 0"},
                                             {"dt 1e-4", "dt 1e-5"},
                                             {"shapeFile shapes.shp", "shapeFile other.shp"}})
    CHECK_THAT(warnings(with(as, c.from, c.to)), Contains("other.conf: differs"));
  CHECK_THAT(warnings(with(as, "tmax 0.1", "tmax 0.2")), !Contains("differs"));
  folder.write("other.conf", with(as, ballLine, "Ball 0 2 1 0 0.152 0"));
  CHECK(run(folder, "rockable other.conf -o out -q --resume").code == 3);
}

TEST_CASE("option --resume continues in a folder that was renamed or copied",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "cp -r out copied && mkdir -p far/away && mv out far/away/moved").code == 0);
  const Outcome resumed = run(folder, "rockable case.conf -o copied --resume");
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK(report(folder, "copied")["stateHash"] == report(folder, "whole")["stateHash"]);
  CHECK(run(folder, "rockable -q --replay copied/run.json").code == 0);
  // Its states name shapes that are not there.
  const Outcome refused = run(folder, "rockable case.conf -o far/away/moved --resume");
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains("shapes.shp"));
}

TEST_CASE("a run that begins again draws with the seed that it began with",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01") + "randomlyOrientedVelocities 0.2\n", " --seed 5");
  REQUIRE(run(folder, "rockable case.conf -o whole -q --seed 5").code == 0);
  REQUIRE(run(folder, "rm out/conf* out/restart.conf").code == 0);
  const Outcome refused = run(folder, "rockable case.conf -o out -q --resume --seed 4");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("this run began with --seed 5"));
  REQUIRE(run(folder, "rockable case.conf -o out -q --resume").code == 0);
  CHECK(report(folder, "out")["seed"] == 5);
  CHECK(report(folder, "out")["stateHash"] == report(folder, "whole")["stateHash"]);
}

TEST_CASE("option --resume takes no state of another run", "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  folder.write("slow.conf", with(fallingBall("0.01"), "0 -10 0", "0 -1 0"));
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "rockable slow.conf -o slow -q --steps 700").code == 0);
  REQUIRE(run(folder, "cp slow/conf6 out/conf77 && cp slow/conf5 out/conf5").code == 0);
  const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, Contains("resuming from out/restart.conf"));
  CHECK(folder.read("out/conf77") == folder.read("slow/conf6"));
  REQUIRE(run(folder, "rm out/conf77").code == 0);
  CHECK(difference(folder, "out", "whole").empty());
}

TEST_CASE("option --resume knows rounded states that a killed part of the run has left",
          "[golden][run][resume]") {
  const Folder folder;
  const std::string rounded = with(fallingBall("0.01"), "tmax 0.1", "precision 5\ntmax 0.1");
  beginBall(folder, rounded);
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  // A kill before the next state at full precision leaves later conf-files and the older state.
  REQUIRE(run(folder,
              "cp out/restart.conf kept && rockable case.conf -o out -q --resume --steps 400 && "
              "mv kept out/restart.conf")
              .code == 0);
  REQUIRE(run(folder, "rockable case.conf -o out -q --resume --steps 10").code == 0);
  REQUIRE(folder.has("out/conf7"));
  const Outcome checked = run(folder, "rockable case.conf -o out --resume --check --strict");
  INFO(checked.err);
  CHECK(checked.code == 0);
  CHECK(run(folder, "rockable case.conf -o out --resume").code == 0);
  CHECK(difference(folder, "out", "whole").empty());
}

TEST_CASE("option --resume reports tables that are requested otherwise", "[golden][run][resume]") {
  const Folder folder;
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 10\n");
  beginBall(folder, fallingBall("0.01"));
  const std::string resume = "rockable case.conf -o out --resume --check";
  CHECK_THAT(run(folder, resume).err, !Contains("dataExtractors"));
  folder.write("dataExtractors.txt", "MeanVelocity ball.txt 10\n");
  const Outcome refused = run(folder, resume);
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("out/ball.txt: its columns are not those of MeanVelocity"));
  folder.write("dataExtractors.txt", "TrackBody 0 ball.txt 10\n");
  const Outcome other = run(folder, resume);
  CHECK(other.code == 0);
  CHECK_THAT(other.err, Contains("the file of extractors has changed since this run began") &&
                            Contains("up to t = 0.0333"));
  REQUIRE(run(folder, "rm dataExtractors.txt").code == 0);
  CHECK_THAT(run(folder, resume).err, Contains("the file of extractors has changed"));
}
