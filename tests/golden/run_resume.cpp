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

TEST_CASE("option --resume reports a body that starts otherwise in the conf-file",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  const std::string other = GENERATE("Ball 0 1 1 0 0.162 0", "Ball 0 1 1 0 0.152 0 0 2");
  folder.write("other.conf",
               with(fallingBall("0.01"),
                    other == "Ball 0 1 1 0 0.162 0" ? ballLine : ballLine + " 0.5 0", other));
  const Outcome strict = run(folder, "rockable other.conf -o out -q --resume --strict");
  INFO(strict.err);
  CHECK(strict.code == 3);
  CHECK_THAT(strict.err, Contains("other.conf differs from case.conf, from which this run began: "
                                  "body 1 starts otherwise than in out/conf0"));
  CHECK(run(folder, "rockable other.conf -o out --resume").code == 0);
}

TEST_CASE("option --resume compares with the conf-file that the run began with",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  folder.write("other.conf", with(fallingBall("0.01"), "tmax 0.1", "iconf 2\ntmax 0.1"));
  const Outcome resumed = run(folder, "rockable other.conf -o out --resume");
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, Contains("iconf = 2, but its conf-files begin with number 0; the run "
                                   "continues with its own numbers") &&
                              !Contains("otherwise"));
  CHECK(folder.has("out/conf9"));
}

TEST_CASE("option --resume refuses another homothety", "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  folder.write("other.conf", with(fallingBall("0.01"), ballLine, "Ball 0 1 1.1 0 0.152 0"));
  const Outcome refused = run(folder, "rockable other.conf -o out -q --resume");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("homothety 1.1 of body 1, not 1"));
}

TEST_CASE("option --resume reports a change that it cannot look up", "[golden][run][resume]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("conf0", fallingBall("0.01"));
  REQUIRE(run(folder, "rockable conf0 -q --steps 333").code == 0);
  folder.write("conf0", with(fallingBall("0.01"), ballLine, "Ball 0 1 1 0 0.162 0"));
  CHECK_THAT(run(folder, "rockable conf0 -q --resume --strict").err,
             Contains("no file shows whether its bodies start in the same way"));
  folder.write("conf0", with(fallingBall("0.01"), "tmax 0.1", "tmax 0.2"));
  CHECK_THAT(run(folder, "rockable conf0 --resume").err, !Contains("has changed"));
}

TEST_CASE("a run that begins again draws with the seed that it began with",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01") + "randomlyOrientedVelocities 0.2\n", " --seed 5");
  REQUIRE(run(folder, "rockable case.conf -o whole -q --seed 5").code == 0);
  REQUIRE(run(folder, "rm out/conf* out/restart.conf").code == 0);
  const Outcome refused = run(folder, "rockable case.conf -o out -q --resume --seed 4");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("this run began with --seed 5, not 4"));
  REQUIRE(run(folder, "rockable case.conf -o out -q --resume").code == 0);
  CHECK(report(folder, "out")["seed"] == 5);
  CHECK(report(folder, "out")["stateHash"] == report(folder, "whole")["stateHash"]);
}

TEST_CASE("a run that drew no random numbers may be resumed with any seed",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  CHECK(run(folder, "rockable case.conf -o out -q --resume --seed 5").code == 0);
  CHECK(report(folder, "out")["seed"].is_null());
}

TEST_CASE("option --resume reports another shape-file in the conf-file", "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  REQUIRE(run(folder, "cp shapes.shp other.shp && ln -s shapes.shp same.shp").code == 0);
  const auto resumed = [&](const std::string& shapes) {
    folder.write("other.conf",
                 with(fallingBall("0.01"), "shapeFile shapes.shp", "shapeFile " + shapes));
    const Outcome outcome = run(folder, "rockable other.conf -o out --resume --steps 1");
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    return outcome.err;
  };
  CHECK_THAT(
      resumed("other.shp"),
      Contains(
          "other.conf differs from case.conf, from which this run began, in shapeFile: the run "
          "continues with the values of out/restart.conf"));
  CHECK_THAT(resumed("nowhere.shp"), Contains("in shapeFile:"));
  CHECK_THAT(resumed("same.shp"), !Contains("in shapeFile"));
}

TEST_CASE("option --resume continues in a folder that was moved or copied",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "mkdir -p far/away && mv out far/away/moved").code == 0);
  const std::string resume = "rockable case.conf -o far/away/moved --resume";
  SECTION("with the shapes of the conf-file") {
    const Outcome checked = run(folder, resume + " --check --strict");
    INFO(checked.err);
    CHECK(checked.code == 0);
    const Outcome resumed = run(folder, resume);
    INFO(resumed.err);
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err, Contains("../shapes.shp is not there; shapes.shp has the same content "
                                     "and is used"));
    CHECK_THAT(folder.read("far/away/moved/conf9"), Contains("shapeFile ../../../shapes.shp\n"));
    CHECK(report(folder, "far/away/moved")["stateHash"] == report(folder, "whole")["stateHash"]);
    CHECK(run(folder, "rockable -q --replay far/away/moved/run.json").code == 0);
  }
  SECTION("but not with other shapes") {
    folder.write("shapes.shp", with(ballAndPlate, "radius 0.1", "radius 0.11"));
    const Outcome refused = run(folder, resume);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("shapes.shp differs from the shape-file that the run began "
                                     "with; name a conf-file that leads to that file"));
  }
  SECTION("and warns if no record shows which shapes it had") {
    REQUIRE(run(folder, "rm far/away/moved/run.json").code == 0);
    const Outcome resumed = run(folder, resume);
    INFO(resumed.err);
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err, Contains("nothing shows whether shapes.shp holds the same shapes"));
  }
}

TEST_CASE("option --resume reports each table that lacks rows", "[golden][run][resume]") {
  const Folder folder;
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 10\n");
  beginBall(folder, fallingBall("0.01"));
  CHECK_THAT(run(folder, "cp -r out kept && rockable case.conf -o kept --resume").err,
             !Contains("has rows of"));
  REQUIRE(run(folder,
              "cd out && sed -i 3d energy.txt && rm perf.txt && : >kineticEnergy.txt && sed -i 9d "
              "ball.txt")
              .code == 0);
  const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, Contains("out/energy.txt: has rows of 2 of the 3 times") &&
                              Contains("out/perf.txt: has rows of 0 of the 3 times") &&
                              Contains("out/kineticEnergy.txt: has rows of 0 of the 3 times") &&
                              Contains("out/ball.txt: has rows of 33 of the 34 times"));
}

TEST_CASE("conf-file and shape-file may come through pipes with names", "[golden][run][resume]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf",
               with(fallingBall("0.01"), "shapeFile shapes.shp", "shapeFile pipe.shp"));
  REQUIRE(run(folder, "mkfifo pipe.conf pipe.shp").code == 0);
  const Outcome piped =
      run(folder,
          "cat case.conf > pipe.conf & cat shapes.shp > pipe.shp & rockable pipe.conf -o out -q");
  INFO(piped.err);
  REQUIRE(piped.code == 0);
  folder.write("file.conf", fallingBall("0.01"));
  REQUIRE(run(folder, "rockable file.conf -o of -q").code == 0);
  CHECK(report(folder, "out")["stateHash"] == report(folder, "of")["stateHash"]);
  // Nothing is known of what went through a pipe, as with standard input.
  CHECK(report(folder, "out")["inputs"][0]["hash"] == "");
}

TEST_CASE("option --resume takes no state of another run", "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  folder.write("slow.conf", with(fallingBall("0.01"), "0 -10 0", "0 -1 0"));
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "rockable slow.conf -o slow -q --steps 700").code == 0);
  SECTION("in the series") {
    REQUIRE(run(folder, "cp slow/conf6 out/conf77 && cp slow/conf5 out/conf5").code == 0);
    const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
    INFO(resumed.err);
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err, Contains("out/conf77: is no state of the run of out/run.json") &&
                                Contains("resuming from out/restart.conf"));
    CHECK(folder.read("out/conf77") == folder.read("slow/conf6"));
    REQUIRE(run(folder, "rm out/conf77").code == 0);
  }
  SECTION("as restart.conf") {
    REQUIRE(run(folder, "cp slow/restart.conf out/restart.conf").code == 0);
    const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
    INFO(resumed.err);
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err, Contains("out/restart.conf: is no state") &&
                                Contains("which ends earlier") && Contains("from out/conf3"));
  }
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
  SECTION("and does not report them") {
    const Outcome checked = run(folder, "rockable case.conf -o out --resume --check --strict");
    INFO(checked.err);
    CHECK(checked.code == 0);
    const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err, !Contains("is no state"));
    CHECK(difference(folder, "out", "whole").empty());
  }
  SECTION("but takes no state of another run in their place") {
    folder.write("slow.conf", with(fallingBall("0.01"), "0 -10 0", "0 -1 0"));
    REQUIRE(run(folder, "rockable slow.conf -o slow -q && cp slow/conf7 out/conf7").code == 0);
    const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
    INFO(resumed.err);
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err, Contains("out/conf7: is no state of the run of out/run.json") &&
                                !Contains("out/conf6: is no state") &&
                                Contains("resuming from out/restart.conf"));
    CHECK(difference(folder, "out", "whole").empty());
  }
}

TEST_CASE("option --resume takes no state that was cut between two blocks",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  const std::string block = GENERATE("Interfaces", "Interactions");
  REQUIRE(run(folder, "sed -i '/^" + block + "/,$d' out/restart.conf").code == 0);
  const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, Contains("out/restart.conf: ends before its line Interfaces") &&
                              Contains("resuming from out/conf3"));
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
  CHECK_THAT(other.err, Contains("dataExtractors.txt has changed since this run began") &&
                            Contains("up to t = 0.0333"));
  REQUIRE(run(folder, "rm dataExtractors.txt").code == 0);
  CHECK_THAT(run(folder, resume).err,
             Contains("dataExtractors.txt: is gone since this run began; its tables end at t"));
}

TEST_CASE("option --resume names another time at which the conf-file begins",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, fallingBall("0.01"));
  folder.write("case.conf", with(fallingBall("0.01"), "\nt 0\n", "\nt 0.02\n"));
  const Outcome resumed = run(folder, "rockable case.conf -o out --resume");
  INFO(resumed.err);
  CHECK_THAT(resumed.err, Contains("t = 0.02, but out/conf0 has 0") && !Contains("stay missing"));
}

TEST_CASE("option --resume does not call another conf-file a changed one",
          "[golden][run][resume]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("conf0", fallingBall("0.01"));
  REQUIRE(run(folder, "rockable conf0 -q --steps 150 && rockable restart.conf -q").code == 0);
  const Outcome resumed = run(folder, "rockable conf0 --resume");
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err,
             !Contains("has changed") &&
                 Contains("conf0 differs from restart.conf, from which this run began, "
                          "and no file shows whether its bodies start in the same way"));
}
