// SPDX-License-Identifier: GPL-3.0-or-later
// Results of an earlier run in the folder of a run that begins; the file of --done.
#include "catch.hpp"
#include "run_cases.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

void writeBall(const Folder& folder) {
  writeCase(folder, fallingBall("0.01"));
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

TEST_CASE("a run never overwrites its inputs, whatever their names, not even by force",
          "[golden][run][room]") {
  const Folder folder;
  writeBall(folder);
  const std::string name = GENERATE("energy.txt", "kineticEnergy.txt", "staticBalance.txt",
                                    "perf.txt", "run.json", "conf1", "conf10");
  const std::string option = GENERATE("", " --force", " --check", " --resume");
  INFO(name << option);
  folder.write("d/shapes.shp", folder.read("shapes.shp"));
  folder.write("d/" + name, folder.read("case.conf"));
  const auto before = filesOf(folder, "d");
  const Outcome refused = run(folder, "cd d && rockable " + name + " -q" + option);
  INFO(refused.err);
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains(name + ": is an input of this run and would be overwritten"));
  CHECK(filesOf(folder, "d") == before);
  CHECK(folder.read("d/" + name) == folder.read("case.conf"));
}

TEST_CASE("a run that was resumed with another input is one of that input", "[golden][run][room]") {
  const Folder folder;
  writeBall(folder);
  folder.write("longer.conf", with(folder.read("case.conf"), "tmax 0.1", "tmax 0.2"));
  REQUIRE(run(folder, "rockable case.conf -o out -q --steps 700").code == 0);
  REQUIRE(run(folder, "rockable longer.conf -o out -q --resume").code == 0);
  CHECK(report(folder, "out")["resumedWith"]["path"] == "../longer.conf");
  checkRefused(folder, "rockable case.conf -o out");
  CHECK_THAT(run(folder, "rockable case.conf -o out").err,
             Contains("a finished run of longer.conf"));
  CHECK(run(folder, "rockable longer.conf -o out -q").code == 0);
  CHECK(report(folder, "out")["resumedWith"]["path"].is_null());
}

TEST_CASE("a run replaces no run.json of somebody else", "[golden][run][room]") {
  const Folder folder;
  writeBall(folder);
  const std::string notes = GENERATE("notes of my own\n", "{\"name\": \"my run\"}\n");
  folder.write("out/run.json", notes);
  const Outcome refused = run(folder, "rockable case.conf -o out -q");
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains("out/run.json") && Contains("--force"));
  CHECK(folder.read("out/run.json") == notes);
  CHECK(run(folder, "rockable case.conf -o out -q --force").code == 0);
}

TEST_CASE("a run whose conf-files could not name their shape-file is refused",
          "[golden][run][room]") {
  const Folder folder;
  const auto command = [](const std::string& in) {
    return "cp -r case " + in + " && rockable " + in + "/case.conf -o out";
  };
  folder.write("case/shapes.shp", ballAndPlate);
  folder.write("case/case.conf", fallingBall("0.01"));
  const std::string in = GENERATE("'a b'", "\"$(printf 'a\\tb')\"", "\"$(printf 'a\\nb')\"");
  for (const char* option : {" --steps 5", " --check"}) {
    const Outcome refused = run(folder, command(in) + option);
    INFO(in << option << "\n" << refused.err);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("out: a conf-file cannot name the shape-file"));
    CHECK_FALSE(folder.has("out"));
  }
  if (in != "'a b'") return;
  // Beside its shapes a run needs no such name; neither does a replay, whose folder is elsewhere.
  CHECK(run(folder, "rockable 'a b/case.conf' -o 'a b/out' -q --steps 5").code == 0);
  CHECK(run(folder, "rockable 'a b/case.conf' -o 'a b/out' -q --resume").code == 0);
  const Outcome replayed = run(folder, "rockable --replay 'a b/out/run.json' -q");
  INFO(replayed.err);
  CHECK(replayed.code == 0);
}

TEST_CASE("option --done never names an input or a file of the run", "[golden][run][done]") {
  const Folder folder;
  writeBall(folder);
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
  writeBall(folder);
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
