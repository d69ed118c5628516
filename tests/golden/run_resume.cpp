// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that --resume and --replay make before they go on.
#include "catch.hpp"
#include "run_cases.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string ballLine = "Ball 0 1 1 0 0.152 0";

/// Stops a run after a third of its steps.
void beginBall(const Folder& folder, const std::string& conf, const std::string& options = "") {
  writeCase(folder, conf);
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
  folder.write("shapes.shp", with(ballAndPlate, "radius 0.1", "radius 0.11"));
  CHECK_THAT(run(folder, resume).err, Contains("the file of shapes has changed"));
}

TEST_CASE("a run can be replayed, and says what has changed where it cannot",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder, ballConf + "randomlyOrientedVelocities 0.2\n");
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  const Outcome first = run(folder, "rockable case.conf -o out --seed 5");
  REQUIRE(first.code == 0);
  CHECK_THAT(first.err, Contains("seed 5"));
  CHECK(report(folder, "out")["seed"] == 5);
  const std::string before = folder.read("out/run.json"), table = folder.read("out/ball.txt");
  const Outcome again = run(folder, "rockable --replay out/run.json -j 3");
  INFO(again.err);
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains("replayed 1000 steps") && Contains("as recorded"));
  CHECK(folder.read("out/run.json") == before);
  CHECK(folder.read("out/ball.txt") == table);
  const Outcome asJson = run(folder, "rockable --replay out/run.json --json -q");
  CHECK(parseJson(asJson.out)["same"] == true);

  // A run that was stopped, resumed, and asked to go on for longer, too.
  REQUIRE(run(folder, "rockable case.conf -o parts -q --steps 333 --seed 5").code == 0);
  CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);
  writeCase(folder, with(ballConf, "tmax 0.1", "tmax 0.2") + "randomlyOrientedVelocities 0.2\n");
  const Outcome more = run(folder, "rockable case.conf -o parts --resume --seed 5");
  REQUIRE(more.code == 0);
  CHECK(report(folder, "parts")["steps"] == 2000);
  const Outcome changed = run(folder, "rockable --replay out/run.json");
  CHECK(changed.code == 3);
  CHECK_THAT(changed.err, Contains("case.conf changed since the run"));
  writeCase(folder, ballConf + "randomlyOrientedVelocities 0.2\n");
  CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);

  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 8\n");
  CHECK_THAT(run(folder, "rockable --replay out/run.json").err,
             Contains("dataExtractors.txt changed since the run"));
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  json forged = parseJson(before);
  forged["stateHash"] = "0123456789abcdef";
  folder.write("out/run.json", forged.dump());
  const Outcome differs = run(folder, "rockable --replay out/run.json");
  CHECK(differs.code == 3);
  CHECK_THAT(differs.err, Contains("0123456789abcdef"));
  CHECK(run(folder, "rockable --replay nothere.json").code == 4);
  CHECK(run(folder, "rockable --replay case.conf").code == 3);
}

TEST_CASE("a finished run is resumed by its own case alone", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  const std::string before = folder.read("out/run.json");
  const auto refused = [&](const std::string& text, const std::string& message) {
    folder.write("other.conf", text);
    const Outcome end = run(folder, "rockable other.conf -o out --resume --done other.done");
    INFO(end.err);
    CHECK(end.code == 3);
    CHECK_THAT(end.err, Contains(message) && !Contains("nothing to resume"));
    CHECK_FALSE(folder.has("other.done"));
    CHECK(folder.read("out/run.json") == before);
  };
  refused(with(ballConf, "Ball 0 1 1", "Ball 0 2 1"), "in body 1");
  refused(with(ballConf, "tmax 0.1", "tmax 0.05"), "tmax = 0.05 is before t = 0.1");
  REQUIRE(run(folder, "rockable case.conf -o part -q --steps 700").code == 0);
  CHECK(run(folder, "rockable other.conf -o part -q --resume").code == 3);
  CHECK(run(folder, "rockable case.conf -o out --resume --compat rockable").code == 3);

  folder.write("other.conf", with(ballConf, "muContact 0 0 0.5", "muContact 0 0 0.1"));
  const Outcome changed = run(folder, "rockable other.conf -o out --resume");
  CHECK(changed.code == 0);
  CHECK_THAT(changed.err,
             Contains("other.conf: differs from the conf-file") && Contains("nothing to resume"));
  CHECK(run(folder, "rockable other.conf -o out --resume --strict").code == 3);
  const Outcome asJson = run(folder, "rockable case.conf -o out --resume --json");
  CHECK(asJson.code == 0);
  CHECK(asJson.out == before);
  // A check writes nothing.
  CHECK(run(folder, "rockable case.conf -o out --resume --check --done done").code == 0);
  CHECK_FALSE(folder.has("done"));
  REQUIRE(run(folder, "rm out/conf*").code == 0);
  CHECK(run(folder, "rockable case.conf -o out --resume").code == 0);
}

TEST_CASE("a run is resumed with the mechanics that it began with", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o own -q --steps 300").code == 0);
  const std::string before = folder.read("own/run.json");
  for (const char* without : {"", "; rm own/conf* own/restart.conf"}) {
    REQUIRE(run(folder, std::string("true") + without).code == 0);
    const Outcome refused = run(folder, "rockable case.conf -o own --resume --compat rockable");
    INFO(refused.err);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("this run began without --compat rockable"));
    CHECK(folder.read("own/run.json") == before);
  }
  REQUIRE(run(folder, "rockable case.conf -o whole -q --compat rockable").code == 0);
  REQUIRE(run(folder, "rockable case.conf -o parts -q --compat rockable --steps 300").code == 0);
  // Also where it begins again.
  for (const char* without : {"", "; rm parts/conf* parts/restart.conf"}) {
    REQUIRE(run(folder, std::string("true") + without).code == 0);
    REQUIRE(run(folder, "rockable case.conf -o parts -q --resume --steps 300").code == 0);
    CHECK(report(folder, "parts")["compat"] == "rockable");
    CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);
  }
  REQUIRE(run(folder, "rockable case.conf -o parts -q --resume").code == 0);
  CHECK(report(folder, "parts")["stateHash"] == report(folder, "whole")["stateHash"]);
}
