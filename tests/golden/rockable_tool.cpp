// SPDX-License-Identifier: GPL-3.0-or-later
// Work of rockable before and after the steps: redirections, checks, options that end a run.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("a redirection leads to another conf-file, and its files are found there",
          "[golden][rockable]") {
  const Folder folder;
  folder.write("far/away/shapes.shp", ballAndPlate);
  folder.write("far/away/case.conf", ballConf);
  folder.write("far/away/drivingSystem.txt", "Control _x_Vel_ 0 1\n");
  folder.write("go.txt", "redirection far/away/ case.conf\n");
  folder.write("goOn.txt", "redirection ./ go.txt\n");
  mustRun(folder, "rockable far/away/case.conf -o direct -q");
  const Outcome led = mustRun(folder, "rockable goOn.txt -o led -q");
  CHECK(report(folder, "led")["stateHash"] == report(folder, "direct")["stateHash"]);
  CHECK(report(folder, "led")["inputs"].size() == 4);
  // A driving file beside the file that was named comes first.
  folder.write("drivingSystem.txt", "Control _x_Vel_ 0 2\n");
  mustRun(folder, "rockable goOn.txt -o other -q");
  CHECK(report(folder, "other")["stateHash"] != report(folder, "direct")["stateHash"]);

  folder.write("round.txt", "redirection ./ round.txt\n");
  const Outcome circle = run(folder, "rockable round.txt -o no");
  CHECK(circle.code == 3);
  CHECK_THAT(circle.err, Contains("cycle"));
  folder.write("lost.txt", "redirection nowhere/ case.conf\n");
  CHECK(run(folder, "rockable lost.txt -o no").code == 4);
  CHECK_FALSE(folder.has("no"));
}

TEST_CASE("a run that is refused leaves nothing, and one with nothing to do says so",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 1\nTrackBody 7 other.txt 1\n");
  // A check refuses it alike, and names the place once.
  for (const char* check : {"", " --check"}) {
    CAPTURE(check);
    folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 1\nTrackBody 7 other.txt 1\n");
    const Outcome absent = run(folder, std::string("rockable case.conf -o out") + check);
    CHECK(absent.code == 3);
    CHECK_THAT(absent.err, Contains("dataExtractors.txt:2:") && Contains(": there is no body 7"));
    CHECK_FALSE(folder.has("out"));
    folder.write("dataExtractors.txt", "TrackBody 1 conf3 1\n");
    CHECK(run(folder, std::string("rockable case.conf -o out") + check).code == 3);
    folder.write("dataExtractors.txt", "TrackBody 1 shapes.shp 1\n");
    CHECK(run(folder, std::string("rockable case.conf") + check).code == 3);
  }
  CHECK(folder.read("shapes.shp") == ballAndPlate);
  folder.write("dataExtractors.txt", "");
  folder.write("mine/conf3", "precious");
  const Outcome refused = run(folder, "rockable case.conf -o mine");
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains("mine/conf3"));
  CHECK_FALSE(folder.has("mine/conf1"));
  CHECK_FALSE(folder.has("mine/run.json"));
  writeCase(folder, with(ballConf, "t 0\n", "t 5\n"));
  const Outcome late = run(folder, "rockable case.conf -o late");
  CHECK(late.code == 0);
  CHECK_THAT(late.err, Contains("tmax = 0.1 is before t = 5"));
}

TEST_CASE("The option --check says what would run, and what looks wrong", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  folder.write("dataExtractors.txt", "dnStat gaps.txt 10\n");
  const Outcome text = mustRun(folder, "rockable --check case.conf -o out");
  CHECK_FALSE(folder.has("out"));
  CHECK_THAT(text.out,
             Contains("confFiles             5\n") && Contains("driven                1\n"));
  CHECK_THAT(text.err, !Contains("warning"));
  const json check = parseJson(run(folder, "rockable --dry-run case.conf --json").out);
  CHECK(check["bodies"] == 2);
  CHECK(check["steps"] == 1000);
  CHECK(check["confFiles"] == 5);
  const double mass = 2600 * 0.004188790204786391;
  CHECK(check["mass"].get<double>() == Approx(mass).epsilon(1e-14));
  CHECK(check["contactPeriod"].get<double>() == Approx(3.14159265358979 * std::sqrt(mass / 1e5)));
  CHECK(check["deepOverlaps"] == 0);
  CHECK(check["driven"] == 1);
  CHECK(check["predictedSeconds"].get<double>() > 0.0);
  CHECK(check["byThreads"].size() == 1);  // the whole run took no longer than the trial
  CHECK(check["peakMemoryBytes"].get<double>() > 1e6);
  writeCase(folder, with(ballConf, "tmax 0.1", "tmax 1e6"));
  const json byThreads =
      parseJson(mustRun(folder, "rockable --check case.conf --json -j 3").out)["byThreads"];
  REQUIRE(byThreads.size() == 3);
  for (const int k : {0, 1, 2}) {
    CHECK(byThreads[k]["threads"] == k + 1);
    CHECK(byThreads[k]["predictedSeconds"].get<double>() ==
          Approx(1e10 * byThreads[k]["secondsPerStep"].get<double>()));
  }

  // A ball 10 mm into the plate, a small one inside it, and a step that is too long.
  writeCase(folder, with(with(with(ballConf, "0 0.152 0", "0 0.14 0"), "dt 1e-4", "dt 0.01"),
                         "interConf 0.02", "interConf 1e-300"));
  const Outcome odd = run(folder, "rockable --check case.conf --json");
  const json wrong = parseJson(odd.out);
  CHECK(wrong["deepOverlaps"] == 1);
  CHECK(wrong["largestOverlap"].get<double>() == Approx(0.01));
  CHECK(wrong["largestOverlapOverSize"].get<double>() == Approx(0.05));
  CHECK(wrong["worstPair"] == json::array({0, 1}));
  CHECK(wrong["confFiles"] == wrong["steps"]);
  writeCase(folder, with(ballConf, "dt 1e-4", "dt 0.03"));
  CHECK_THAT(run(folder, "rockable --check case.conf").err, Contains("critical time step"));
  for (const std::string& line : {odd.out, text.out}) {
    std::istringstream lines(line);
    for (std::string l; std::getline(lines, l);) CHECK(l.size() < 160);
  }
}

TEST_CASE("Options --until, --steps, --keep and --done do what they say", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  CHECK(run(folder, "rockable case.conf -o a -q --until 0.0333 --done a/done").code == 0);
  CHECK(report(folder, "a")["steps"] == 333);
  CHECK(report(folder, "a")["status"] == "stopped");
  CHECK_FALSE(folder.has("a/done"));
  CHECK(run(folder, "rockable case.conf -o b -q --steps 333").code == 0);
  CHECK(report(folder, "a")["stateHash"] == report(folder, "b")["stateHash"]);
  CHECK(run(folder, "rockable case.conf -o b -q --resume --keep last:1 --done b/done").code == 0);
  CHECK(folder.has("b/done"));
  CHECK(folder.has("b/conf5"));
  CHECK_FALSE(folder.has("b/conf4"));
  CHECK(parseJson(folder.read("b/done"))["status"] == "tmax");
  // The conf-file of the start stays.
  CHECK(run(folder, "rockable case.conf -o c -q --keep last:1").code == 0);
  for (int k = 0; k <= 5; ++k)
    CHECK(folder.has("c/conf" + std::to_string(k)) == (k == 0 || k == 5));
  CHECK(run(folder, "rockable case.conf --until 1 --steps 1").code == 2);
  const Outcome early = run(folder, "rockable case.conf -o early --until -1");
  CHECK(early.code == 2);
  CHECK_THAT(early.err, Contains("--until: -1 is before t = 0"));
  CHECK_FALSE(folder.has("early"));
  for (const char* folderExists : {"", "mkdir ./-; "}) {
    const Outcome stream = run(folder, std::string(folderExists) + "rockable case.conf -o -");
    CHECK(stream.code == 2);
    CHECK_THAT(stream.err, Contains("-o: expected the name of a folder"));
    CHECK_FALSE(folder.has("-/run.json"));
  }
  CHECK(run(folder, "rockable case.conf --keep last:0").code == 2);
}

TEST_CASE(
    "The option --until-rest ends a run at rest, at the same step however often it was stopped",
    "[golden][rockable]") {
  const Folder folder;
  // Without the velocity along the plate, since a ball rolls on.
  writeCase(folder, with(with(ballConf, "tmax 0.1", "tmax 30"), "0.152 0 0.5", "0.152 0 0"));
  const Outcome whole =
      mustRun(folder, "rockable case.conf -o whole --until-rest --rest 1e-3,1e-4,0.05");
  CHECK_THAT(whole.err, Contains("at rest: unbalanced force"));
  const json end = report(folder, "whole");
  CHECK(end["status"] == "rest");
  CHECK(end["time"].get<double>() < 29.0);
  CHECK(end["rest"]["unbalanced"].get<double>() < 1e-3);
  CHECK(end["rest"]["energy"].get<double>() < 1e-4);
  CHECK(end["time"].get<double>() - end["calmSince"].get<double>() == Approx(0.05).margin(0.011));
  CHECK_THAT(run(folder, "rockable case.conf -o whole --resume --until-rest").err,
             Contains("nothing to resume"));
  CHECK(run(folder, "rockable --replay whole/run.json -q").code == 0);

  // Stopped in the middle of the calm time, and once more a step later.
  const auto steps = end["steps"].get<std::uint64_t>();
  const std::string rest = " -q -o parts --rest 1e-3,1e-4,0.05";
  mustRun(folder, "rockable case.conf --steps " + std::to_string(steps - 150) + rest);
  mustRun(folder, "rockable case.conf --resume --steps 1" + rest);
  mustRun(folder, "rockable case.conf --resume" + rest);
  CHECK(report(folder, "parts")["steps"] == end["steps"]);
  CHECK(report(folder, "parts")["stateHash"] == end["stateHash"]);
}

TEST_CASE(
    "The option --until-rest says where tmax came first, and refuses limits that mean nothing",
    "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  const Outcome early = run(folder, "rockable case.conf -o out --until-rest");
  CHECK(early.code == 0);
  CHECK_THAT(early.err, Contains("tmax reached before rest: unbalanced force"));
  CHECK(report(folder, "out")["status"] == "tmax");
  for (const std::string rule :
       {"1e-3", "1e-3,1e-3", "0,1,1", "1,nan,1", "1,1,-1", "1,1,1,1", "x"}) {
    const Outcome wrong = run(folder, "rockable case.conf -o no --rest " + rule);
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.err, Contains("expected UNBALANCED,ENERGY,SECONDS"));
    CHECK(!folder.has("no"));
  }
}
