// SPDX-License-Identifier: GPL-3.0-or-later
// Work of rockable before and after the steps: redirections, checks, options that end a run.
#include "tool_test.hpp"

TEST_CASE("a redirection leads to another conf-file, and its files are found there",
          "[golden][rockable]") {
  const Folder folder;
  folder.write("far/away/shapes.shp", ballAndPlate);
  folder.write("far/away/case.conf", ballConf);
  folder.write("far/away/drivingSystem.txt", "Control _x_Vel_ 0 1\n");
  folder.write("go.txt", "redirection far/away/ case.conf\n");
  folder.write("goOn.txt", "redirection ./ go.txt\n");
  mustRun(folder, "rockable far/away/case.conf -o direct -q");
  mustRun(folder, "rockable goOn.txt -o led -q");
  CHECK(sameState(folder, "led", "direct"));
  CHECK(report(folder, "led")["inputs"].size() == 4);
  // A driving file beside the file that was named comes first.
  folder.write("drivingSystem.txt", "Control _x_Vel_ 0 2\n");
  mustRun(folder, "rockable goOn.txt -o other -q");
  CHECK_FALSE(sameState(folder, "other", "direct"));

  folder.write("round.txt", "redirection ./ round.txt\n");
  expect(folder, "rockable round.txt -o no", 3, {"cycle"});
  folder.write("lost.txt", "redirection nowhere/ case.conf\n");
  expect(folder, "rockable lost.txt -o no", 4);
  CHECK_FALSE(folder.has("no"));
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
  const json check = jsonOf(folder, "rockable --dry-run case.conf --json");
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
  const json byThreads = jsonOf(folder, "rockable --check case.conf --json -j 3")["byThreads"];
  REQUIRE(byThreads.size() == 3);
  for (const int k : {0, 1, 2}) {
    CHECK(byThreads[k]["threads"] == k + 1);
    CHECK(byThreads[k]["predictedSeconds"].get<double>() ==
          Approx(1e10 * byThreads[k]["secondsPerStep"].get<double>()));
  }

  // A ball 10 mm into the plate, a small one inside it, and a step that is too long.
  writeCase(folder, with(ballConf, {{"0 0.152 0", "0 0.14 0"},
                                    {"dt 1e-4", "dt 0.01"},
                                    {"interConf 0.02", "interConf 1e-300"}}));
  const json wrong = jsonOf(folder, "rockable --check case.conf --json");
  CHECK(wrong["deepOverlaps"] == 1);
  CHECK(wrong["largestOverlap"].get<double>() == Approx(0.01));
  CHECK(wrong["largestOverlapOverSize"].get<double>() == Approx(0.05));
  CHECK(wrong["worstPair"] == json::array({0, 1}));
  CHECK(wrong["confFiles"] == wrong["steps"]);
  writeCase(folder, with(ballConf, "dt 1e-4", "dt 0.03"));
  expect(folder, "rockable --check case.conf", 0, {"critical time step"});
}

TEST_CASE("Options --until, --steps, --keep and --done do what they say", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  expect(folder, "rockable case.conf -o a -q --until 0.0333 --done a/done", 0);
  CHECK(report(folder, "a")["steps"] == 333);
  CHECK(report(folder, "a")["status"] == "stopped");
  CHECK_FALSE(folder.has("a/done"));
  expect(folder, "rockable case.conf -o b -q --steps 333", 0);
  CHECK(sameState(folder, "a", "b"));
  expect(folder, "rockable case.conf -o b -q --resume --keep last:1 --done b/done", 0);
  CHECK(folder.has("b/done"));
  CHECK(folder.has("b/conf5"));
  CHECK_FALSE(folder.has("b/conf4"));
  CHECK(parseJson(folder.read("b/done"))["status"] == "tmax");
  // The conf-file of the start stays.
  expect(folder, "rockable case.conf -o c -q --keep last:1", 0);
  for (int k = 0; k <= 5; ++k)
    CHECK(folder.has("c/conf" + std::to_string(k)) == (k == 0 || k == 5));
  writeCase(folder, with(ballConf, "t 0\n", "t 5\n"));
  expect(folder, "rockable case.conf -o late", 0, {"tmax = 0.1 is before t = 5"});
}

TEST_CASE(
    "The option --until-rest ends a run at rest, at the same step however often it was stopped",
    "[golden][rockable]") {
  const Folder folder;
  // Without the velocity along the plate, since a ball rolls on.
  writeCase(folder, with(ballConf, {{"tmax 0.1", "tmax 30"}, {"0.152 0 0.5", "0.152 0 0"}}));
  expect(folder, "rockable case.conf -o whole --until-rest --rest 1e-3,1e-4,0.05", 0,
         {"at rest: unbalanced force"});
  const json end = report(folder, "whole");
  CHECK(end["status"] == "rest");
  CHECK(end["time"].get<double>() < 29.0);
  CHECK(end["rest"]["unbalanced"].get<double>() < 1e-3);
  CHECK(end["rest"]["energy"].get<double>() < 1e-4);
  CHECK(end["time"].get<double>() - end["calmSince"].get<double>() == Approx(0.05).margin(0.011));
  expect(folder, "rockable case.conf -o whole --resume --until-rest", 0, {"nothing to resume"});
  expect(folder, "rockable --replay whole/run.json -q", 0);

  // Stopped in the middle of the calm time, and once more a step later.
  const auto steps = end["steps"].get<std::uint64_t>();
  const std::string rest = " -q -o parts --rest 1e-3,1e-4,0.05";
  mustRun(folder, "rockable case.conf --steps " + std::to_string(steps - 150) + rest);
  mustRun(folder, "rockable case.conf --resume --steps 1" + rest);
  mustRun(folder, "rockable case.conf --resume" + rest);
  CHECK(report(folder, "parts")["steps"] == end["steps"]);
  CHECK(sameState(folder, "parts", "whole"));

  // Where tmax comes first.
  writeCase(folder);
  expect(folder, "rockable case.conf -o early --until-rest", 0,
         {"tmax reached before rest: unbalanced force"});
  CHECK(report(folder, "early")["status"] == "tmax");
}
