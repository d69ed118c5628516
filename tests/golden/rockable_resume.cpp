// SPDX-License-Identifier: GPL-3.0-or-later
// What a replayed or resumed run compares with the one before.
#include "ball_case.hpp"
#include "catch.hpp"
#include "json.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

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
  mustRun(folder, "rockable case.conf -o parts -q --steps 333 --seed 5");
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
  mustRun(folder, "rockable case.conf -o out -q");
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
  CHECK(run(folder, "rockable case.conf -o out --resume --compat rockable").code == 3);

  folder.write("other.conf", with(ballConf, "muContact 0 0 0.5", "muContact 0 0 0.1"));
  const Outcome changed = run(folder, "rockable other.conf -o out --resume");
  CHECK(changed.code == 0);
  CHECK_THAT(changed.err, Contains("other.conf: differs from the conf-file") &&
                              Contains("muContact") && Contains("nothing to resume"));
  CHECK(run(folder, "rockable other.conf -o out --resume --strict").code == 3);
  const Outcome asJson = run(folder, "rockable case.conf -o out --resume --json");
  CHECK(asJson.code == 0);
  CHECK(asJson.out == before);
  // A check writes nothing.
  CHECK(run(folder, "rockable case.conf -o out --resume --check --done done").code == 0);
  CHECK_FALSE(folder.has("done"));
  mustRun(folder, "rm out/conf*");
  CHECK(run(folder, "rockable case.conf -o out --resume").code == 0);
}

TEST_CASE("a run is resumed with the mechanics that it began with", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  mustRun(folder, "rockable case.conf -o own -q --steps 300");
  const std::string before = folder.read("own/run.json");
  for (const char* without : {"", "; rm own/conf* own/restart.conf"}) {
    mustRun(folder, std::string("true") + without);
    const Outcome refused = run(folder, "rockable case.conf -o own --resume --compat rockable");
    INFO(refused.err);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("this run began without --compat rockable"));
    CHECK(folder.read("own/run.json") == before);
  }
  mustRun(folder, "rockable case.conf -o whole -q --compat rockable");
  mustRun(folder, "rockable case.conf -o parts -q --compat rockable --steps 300");
  // Also where it begins again.
  for (const char* without : {"", "; rm parts/conf* parts/restart.conf"}) {
    mustRun(folder, std::string("true") + without);
    mustRun(folder, "rockable case.conf -o parts -q --resume --steps 300");
    CHECK(report(folder, "parts")["compat"] == "rockable");
    CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);
  }
  mustRun(folder, "rockable case.conf -o parts -q --resume");
  CHECK(report(folder, "parts")["stateHash"] == report(folder, "whole")["stateHash"]);
}

TEST_CASE("precision rounds conf-files, not the run, and is kept by a resumed one",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  mustRun(folder, "rockable case.conf -o full -q");
  writeCase(folder, ballConf + "precision 7\n");
  mustRun(folder, "rockable case.conf -o rounded -q");
  mustRun(folder, "rockable case.conf -o parts -q --steps 555");
  CHECK(folder.read("parts/restart.conf").find("precision") == std::string::npos);
  mustRun(folder, "rockable case.conf -o parts -q --resume");
  for (const char* parts : {"rounded", "parts"})
    CHECK(report(folder, parts)["stateHash"] == report(folder, "full")["stateHash"]);
  for (const char* name : {"/conf2", "/conf5"})
    CHECK(folder.read(std::string("parts") + name) == folder.read(std::string("rounded") + name));
  CHECK_THAT(folder.read("parts/conf5"), Contains("\nprecision 7\n"));
  // The last state with all digits stands beside; without it a resumed run begins again.
  writeCase(folder, with(ballConf, "tmax 0.1", "tmax 0.2") + "precision 7\n");
  mustRun(folder, "rm parts/restart.conf");
  const Outcome rounded = run(folder, "rockable case.conf -o parts --resume");
  CHECK(rounded.code == 0);
  CHECK_THAT(rounded.err, Contains("the run starts again from case.conf"));
  mustRun(folder, "rockable case.conf -o longer -q");
  CHECK(folder.read("parts/conf10") == folder.read("longer/conf10"));
}
