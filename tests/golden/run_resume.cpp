// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that --resume and --replay make before they go on.
#include "tool_test.hpp"

namespace {

const std::string ballCase = fallingBall("0.01");

/// Stops a run after a third of its steps.
void beginBall(const Folder& folder, const std::string& text = ballCase,
               const std::string& options = "") {
  writeCase(folder, text);
  mustRun(folder, "rockable case.conf -o out -q --steps 333" + options);
}

}  // namespace

TEST_CASE("a run, stopped or finished, is resumed by its own case alone", "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder);
  mustRun(folder, "cp shapes.shp other.shp");
  struct Row {
    std::string from, to, options;
    int code = 0;
    std::vector<std::string> says;
  };
  const std::vector<Row> rows{
      {"Ball 0 1 1 0 0.152 0", "Ball 0 1 1 0 0.162 0", "", 0, {"other.conf: differs"}},
      {"dt 1e-4", "dt 1e-5", "", 0, {"other.conf: differs"}},
      {"shapeFile shapes.shp", "shapeFile other.shp", "", 0, {"other.conf: differs"}},
      {"muContact 0 0 0.5", "muContact 0 0 0.1", "", 0, {"other.conf: differs"}},
      {"Ball 0 1 1", "Ball 0 2 1", "", 3, {"in body 1"}},
      {"tmax 0.1", "tmax 0.03", "", 3, {"tmax = 0.03 is before t = 0."}},
      {"t 0", "t 0", " --compat rockable", 3, {"this run began without --compat rockable"}}};
  for (const bool finished : {false, true}) {
    if (finished) mustRun(folder, "rockable case.conf -o out -q --resume");
    const std::string before = folder.read("out/run.json");
    for (const Row& row : rows) {
      folder.write("other.conf", with(ballCase, row.from, row.to));
      const std::string resume = "rockable other.conf -o out --resume" + row.options;
      expect(folder, resume + " --check", row.code, row.says);
      expect(folder, resume + " --check --strict", 3);
      if (finished || row.code > 0) expect(folder, resume + " --done other.done", row.code);
      CHECK(folder.has("other.done") == (finished && row.code == 0));
      mustRun(folder, "rm -f other.done");
      CHECK(folder.read("out/run.json") == before);
    }
    folder.write("other.conf", with(ballCase, "tmax 0.1", "tmax 0.2"));
    expect(folder, "rockable other.conf -o out --resume --check --strict", 0);
  }
  CHECK(expect(folder, "rockable case.conf -o out --resume --json", 0, {"nothing to resume"}).out ==
        folder.read("out/run.json"));
  // A check writes nothing.
  expect(folder, "rockable case.conf -o out --resume --check --done done", 0);
  CHECK_FALSE(folder.has("done"));
  mustRun(folder, "rm out/conf*");
  expect(folder, "rockable case.conf -o out --resume", 0);
}

TEST_CASE("option --resume continues in a folder that was renamed or copied",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder);
  mustRun(folder, "rockable case.conf -o whole -q");
  mustRun(folder, "cp -r out copied && mkdir -p far/away && mv out far/away/moved");
  expect(folder, "rockable case.conf -o copied --resume", 0);
  CHECK(sameState(folder, "copied", "whole"));
  expect(folder, "rockable -q --replay copied/run.json", 0);
  // Its states name shapes that are not there.
  expect(folder, "rockable case.conf -o far/away/moved --resume", 4, {"shapes.shp"});
}

TEST_CASE("a run that begins again has the seed and the mechanics that it began with",
          "[golden][run][resume]") {
  const Folder folder;
  for (const std::string options : {" --seed 5", " --seed 5 --compat rockable"}) {
    beginBall(folder, ballCase + "randomlyOrientedVelocities 0.2\n", " --force" + options);
    mustRun(folder, "rockable case.conf -o whole -q --force" + options);
    mustRun(folder, "rm out/conf* out/restart.conf");
    expect(folder, "rockable case.conf -o out -q --resume --seed 4", 3,
           {"this run began with --seed 5"});
    mustRun(folder, "rockable case.conf -o out -q --resume --steps 300");
    CHECK(report(folder, "out")["compat"].is_null() == (options == " --seed 5"));
    expect(folder, "rockable --replay out/run.json -q", 0);
    mustRun(folder, "rockable case.conf -o out -q --resume");
    CHECK(report(folder, "out")["seed"] == 5);
    CHECK(sameState(folder, "out", "whole"));
  }
}

TEST_CASE("option --resume takes no state of another run", "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder);
  folder.write("slow.conf", with(ballCase, "0 -10 0", "0 -1 0"));
  mustRun(folder, "rockable case.conf -o whole -q");
  mustRun(folder, "rockable slow.conf -o slow -q --steps 700");
  mustRun(folder, "cp slow/conf6 out/conf77 && cp slow/conf5 out/conf5");
  expect(folder, "rockable case.conf -o out --resume", 0, {"resuming from out/restart.conf"});
  CHECK(folder.read("out/conf77") == folder.read("slow/conf6"));
  mustRun(folder, "rm out/conf77");
  CHECK(difference(folder, "out", "whole").empty());
}

TEST_CASE("option --resume knows rounded states that a killed part of the run has left",
          "[golden][run][resume]") {
  const Folder folder;
  beginBall(folder, with(ballCase, "tmax 0.1", "precision 5\ntmax 0.1"));
  mustRun(folder, "rockable case.conf -o whole -q");
  // A kill before the next state at full precision leaves later conf-files and the older state.
  mustRun(folder,
          "cp out/restart.conf kept && rockable case.conf -o out -q --resume --steps 400 && "
          "mv kept out/restart.conf");
  mustRun(folder, "rockable case.conf -o out -q --resume --steps 10");
  REQUIRE(folder.has("out/conf7"));
  expect(folder, "rockable case.conf -o out --resume --check --strict", 0);
  expect(folder, "rockable case.conf -o out --resume", 0);
  CHECK(difference(folder, "out", "whole").empty());
}

TEST_CASE("option --resume reports tables that are requested otherwise", "[golden][run][resume]") {
  const Folder folder;
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 10\n");
  beginBall(folder);
  const std::string resume = "rockable case.conf -o out --resume --check";
  CHECK_THAT(run(folder, resume).err, !Contains("dataExtractors"));
  folder.write("dataExtractors.txt", "MeanVelocity ball.txt 10\n");
  expect(folder, resume, 3, {"out/ball.txt: its columns are not those of MeanVelocity"});
  folder.write("dataExtractors.txt", "TrackBody 0 ball.txt 10\n");
  expect(folder, resume, 0,
         {"the file of extractors has changed since this run began", "up to t = 0.0333"});
  mustRun(folder, "rm dataExtractors.txt");
  expect(folder, resume, 0, {"the file of extractors has changed"});
  folder.write("shapes.shp", with(ballAndPlate, "radius 0.1", "radius 0.11"));
  expect(folder, resume, 0, {"the file of shapes has changed"});
}

TEST_CASE("a run can be replayed, and says what has changed where it cannot",
          "[golden][run][replay]") {
  const Folder folder;
  const std::string random = "randomlyOrientedVelocities 0.2\n";
  writeCase(folder, ballConf + random);
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  expect(folder, "rockable case.conf -o out --seed 5", 0, {"seed 5"});
  CHECK(report(folder, "out")["seed"] == 5);
  const std::string before = folder.read("out/run.json"), table = folder.read("out/ball.txt"),
                    replay = "rockable --replay out/run.json";
  expect(folder, replay + " -j 3", 0, {"replayed 1000 steps", "as recorded"});
  CHECK(folder.read("out/run.json") == before);
  CHECK(folder.read("out/ball.txt") == table);
  CHECK(jsonOf(folder, replay + " --json -q")["same"] == true);

  // A run that was stopped, resumed, and asked to go on for longer, too.
  mustRun(folder, "rockable case.conf -o parts -q --steps 333 --seed 5");
  expect(folder, "rockable --replay parts/run.json -q", 0);
  writeCase(folder, with(ballConf, "tmax 0.1", "tmax 0.2") + random);
  mustRun(folder, "rockable case.conf -o parts --resume --seed 5");
  CHECK(report(folder, "parts")["steps"] == 2000);
  expect(folder, replay, 3, {"case.conf changed since the run"});
  writeCase(folder, ballConf + random);
  expect(folder, "rockable --replay parts/run.json -q", 0);

  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 8\n");
  expect(folder, replay, 3, {"dataExtractors.txt changed since the run"});
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  json forged = parseJson(before);
  forged["stateHash"] = "0123456789abcdef";
  forged["revision"] = "abcdef012345";
  folder.write("out/run.json", forged.dump());
  expect(folder, replay, 3, {"0123456789abcdef", "revision abcdef012345"});
  expect(folder, "rockable --replay nothere.json", 4);
  expect(folder, "rockable --replay case.conf", 3);
}
