// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a run leaves in its folder, and which of those that it finds there it may replace.
#include "tool_test.hpp"

namespace {

struct BallFolder : Folder {
  BallFolder() {
    writeCase(*this, fallingBall("0.01"));
    write("other.conf", with(fallingBall("0.01"), "0 -10 0", "0 -5 0"));
  }
};

/// Refused with 4, in one line that names the three ways out; nothing has changed.
void checkRefused(const Folder& folder, const std::string& command) {
  const auto before = filesOf(folder, "out");
  const std::string record = folder.read("out/run.json");
  const Outcome refused = expect(folder, command, 4, {"out: ", "--resume", "--force", "-o"});
  CHECK(linesOf(refused.err).size() == 1);
  CHECK(filesOf(folder, "out") == before);
  CHECK(folder.read("out/run.json") == record);
}

}  // namespace

TEST_CASE("run.json names the program, and the state of each conf-file", "[golden][run]") {
  const RocksFolder folder;
  const std::string input = folder.read("conf0");
  mustRun(folder, "rockable conf0");
  for (const char* name :
       {"conf1", "conf8", "kineticEnergy.txt", "staticBalance.txt", "perf.txt", "run.json"})
    CHECK(folder.has(name));
  CHECK_FALSE(folder.has("conf9"));
  CHECK_FALSE(folder.has("restart.conf"));
  mustRun(folder, "rockable conf0 -o whole -q");
  const json whole = report(folder, "whole"), program = jsonOf(folder, "rockable --version --json");
  CHECK(whole["status"] == "tmax");
  CHECK(whole["missedContacts"] == 0);
  CHECK(whole["revision"] == program["commit"]);
  CHECK(whole["compiler"] == program["compiler"]);
  CHECK(whole["architecture"] == program["architecture"]);
  CHECK(whole["stateHash"].get<std::string>().size() == 16);
  REQUIRE(whole["confHashes"].size() == 9);  // conf0 to conf8
  CHECK(whole["confHashes"]["conf8"] == whole["stateHash"]);
  CHECK(whole["confHashes"]["conf7"] != whole["stateHash"]);

  // Stopped and resumed, and without the conf-files themselves.
  mustRun(folder, "rockable conf0 -o parts -q --steps 333 --keep last:1");
  mustRun(folder, "rockable conf0 -o parts -q --resume --keep last:1");
  CHECK(report(folder, "parts")["confHashes"] == whole["confHashes"]);

  // From a conf-file of its own a run goes into another folder.
  const std::string fifth = folder.read("conf5");
  expect(folder, "rockable conf5 -q", 4);
  mustRun(folder, "rockable conf5 -q -o more");
  CHECK(sameState(folder, "more", "parts"));
  mustRun(folder, "rockable conf5 -q --force");
  CHECK(sameState(folder, ".", "parts"));
  CHECK(folder.read("conf5") == fifth);
  CHECK_FALSE(folder.has("conf4"));
  CHECK(folder.read("conf0") == input);
}

TEST_CASE("the last state is kept where it lies between two conf-files", "[golden][run]") {
  const RocksFolder folder;
  mustRun(folder, "rockable conf0 -o whole -q");
  const std::string input = folder.read("conf0");
  folder.write("conf0", with(input, "\ntmax 0.4\n", "\ntmax 0.33\n"));
  expect(folder, "rockable conf0 -o parts", 0, {"parts/restart.conf holds it"});
  CHECK(report(folder, "parts")["status"] == "tmax");
  expect(folder, "rockable conf0 -o parts --resume", 0, {"nothing to resume"});
  folder.write("conf0", input);
  mustRun(folder, "rockable conf0 -o parts -q --resume");
  CHECK_FALSE(folder.has("parts/restart.conf"));
  CHECK(sameState(folder, "parts", "whole"));
  const std::string table = folder.read("whole/energy.txt");
  CHECK(folder.read("parts/energy.txt") == table);
  // One that has gone begins with its header again.
  mustRun(folder, "rockable conf0 -o third -q --until 0.23; rm third/energy.txt");
  mustRun(folder, "rockable conf0 -o third -q --resume");
  const std::string again = folder.read("third/energy.txt");
  CHECK(again.substr(0, again.find('\n')) == table.substr(0, table.find('\n')));
  CHECK(table.ends_with(again.substr(again.find('\n'))));
}

TEST_CASE("a run does not resume from a state that it has not reached, or that is cut",
          "[golden][run]") {
  const RocksFolder folder;
  mustRun(folder, "rockable conf0 -o whole -q");
  mustRun(folder, "rockable conf0 -o later -q --until 0.3");
  const std::string state = folder.read("later/restart.conf");
  for (const std::string& wrong : {state, state.substr(0, state.find("\nInterfaces ") + 1)}) {
    mustRun(folder, "rockable conf0 -o parts -q --force --until 0.1");
    folder.write("parts/restart.conf", wrong);
    expect(folder, "rockable conf0 -o parts --resume", 0, {"is no whole state of the run"});
    CHECK(sameState(folder, "parts", "whole"));
  }
}

TEST_CASE("two runs do not write into one folder at a time, and a limit on files kills none",
          "[golden][run]") {
  const RocksFolder folder;
  mustRun(folder, "mkdir out");
  expect(folder, "flock -x out rockable conf0 -o out", 4,
         {"out: another run is writing into this folder"});
  CHECK_FALSE(folder.has("out/run.json"));
  expect(folder, "rockable conf0 -o out -q", 0);
  expect(folder, "ulimit -f 1 && rockable conf0 -o small", 4, {"small/"});
}

TEST_CASE("a state that was driven tells where its drives are not found", "[golden][run]") {
  const Folder folder;
  folder.write("case/conf0", ballConf);
  folder.write("case/shapes.shp", ballAndPlate);
  folder.write("case/drivingSystem.txt", "Control _y_Vel_ 0 0.01\n");
  mustRun(folder, "rockable case/conf0 -o case/out -q");
  expect(folder, "rockable case/out/conf2 -o again", 0, {"driven by case/drivingSystem.txt"});
  folder.write("case/out/drivingSystem.txt", folder.read("case/drivingSystem.txt"));
  CHECK_THAT(run(folder, "rockable case/out/conf2 -o last").err, !Contains("driven by"));
  CHECK(sameState(folder, "last", "case/out"));
}

TEST_CASE("a finished run is replaced by one of the same input, others are refused",
          "[golden][run][room]") {
  const BallFolder folder;
  mustRun(folder, "rockable case.conf -o out -q");
  const auto files = filesOf(folder, "out");
  // All but run.json, which is never absent.
  expect(
      folder, "rockable case.conf -o out", 0,
      {fmt::format("out: {} files of the earlier run of case.conf removed\n", files.size() - 1)});
  CHECK(filesOf(folder, "out") == files);
  checkRefused(folder, "rockable other.conf -o out");
  checkRefused(folder, "rockable - -o out < other.conf");
  // The same text under another name is the same input; so is the same file with another text.
  for (const char* text : {"case.conf", "other.conf"}) {
    folder.write("copy.conf", folder.read(text));
    expect(folder, "rockable copy.conf -o out -q", 0);
  }
  expect(folder, "rockable case.conf -o out --force", 0,
         {"files of the earlier run of copy.conf removed"});
  // Nothing is lost where the files are gone already.
  mustRun(folder, "cd out && find . -type f ! -name run.json -delete");
  expect(folder, "rockable other.conf -o out -q", 0);
}

TEST_CASE("an unfinished run is refused without --resume or --force", "[golden][run][room]") {
  const BallFolder folder;
  mustRun(folder, "rockable case.conf -o whole -q");
  const auto begin = [&] { mustRun(folder, "rockable case.conf -o out -q --steps 333"); };
  begin();
  checkRefused(folder, "rockable case.conf -o out");
  checkRefused(folder, "rockable other.conf -o out");
  mustRun(folder, "rockable case.conf -o out -q --resume");
  CHECK(difference(folder, "whole", "out") == "");
  begin();
  mustRun(folder, "rockable case.conf -o out -q --force");
  CHECK(difference(folder, "whole", "out") == "");
  // Without a state to go on from, --resume begins again, but never over another input's run.
  begin();
  mustRun(folder, "rm out/conf* out/restart.conf");
  checkRefused(folder, "rockable other.conf -o out --resume -q");
  mustRun(folder, "rockable case.conf -o out -q --resume");
  CHECK(difference(folder, "whole", "out") == "");
}

TEST_CASE("a run that was resumed with another input is one of that input", "[golden][run][room]") {
  const BallFolder folder;
  folder.write("longer.conf", with(folder.read("case.conf"), "tmax 0.1", "tmax 0.2"));
  mustRun(folder, "rockable case.conf -o out -q --steps 700");
  mustRun(folder, "rockable longer.conf -o out -q --resume");
  CHECK(report(folder, "out")["resumedWith"]["path"] == "../longer.conf");
  checkRefused(folder, "rockable case.conf -o out");
  expect(folder, "rockable case.conf -o out", 4, {"a finished run of longer.conf"});
  expect(folder, "rockable longer.conf -o out -q", 0);
  CHECK(report(folder, "out")["resumedWith"]["path"].is_null());
}

TEST_CASE("a run replaces no input, and no file of somebody else", "[golden][run][room]") {
  const std::string option = GENERATE("", " --force", " --check", " --resume");
  INFO(option);
  for (const std::string name : {"energy.txt", "kineticEnergy.txt", "staticBalance.txt", "perf.txt",
                                 "run.json", "conf1", "conf10"}) {
    const Folder folder;
    folder.write("shapes.shp", ballAndPlate);
    folder.write(name, fallingBall("0.01"));
    const auto before = filesOf(folder, "");
    expect(folder, "rockable " + name + " -q" + option, 4,
           {name + ": is an input of this run and would be overwritten"});
    CHECK(filesOf(folder, "") == before);
    CHECK(folder.read(name) == fallingBall("0.01"));
  }
  // The file of --done.
  const BallFolder folder;
  folder.write("dataExtractors.txt", "TrackBody 1 tracks/ball.txt 10\n");
  const auto before = filesOf(folder, "");
  for (const std::string name :
       {"case.conf", "./shapes.shp", "dataExtractors.txt", "out/energy.txt", "out/run.json",
        "out/conf3.zst", "out/tracks/ball.txt"}) {
    if (option == " --resume") continue;
    expect(folder, "rockable case.conf -o out -q --done " + name + option, 4);
    CHECK(filesOf(folder, "") == before);
  }
}

TEST_CASE("a run replaces no run.json of somebody else", "[golden][run][room]") {
  for (const std::string notes : {"notes of my own\n", "{\"name\": \"my run\"}\n"}) {
    const BallFolder folder;
    folder.write("out/run.json", notes);
    expect(folder, "rockable case.conf -o out -q", 4, {"out/run.json", "--force"});
    CHECK(folder.read("out/run.json") == notes);
    expect(folder, "rockable case.conf -o out -q --force", 0);
  }
}

TEST_CASE("a run whose conf-files could not name their shape-file is refused",
          "[golden][run][room]") {
  const Folder folder;
  folder.write("a b/shapes.shp", ballAndPlate);
  folder.write("a b/case.conf", fallingBall("0.01"));
  for (const char* option : {" --steps 5", " --check"})
    expect(folder, std::string("rockable 'a b/case.conf' -o out") + option, 3,
           {"out: a conf-file cannot name the shape-file"});
  CHECK_FALSE(folder.has("out"));
  // Beside its shapes a run needs no such name; neither does a replay, whose folder is elsewhere.
  expect(folder, "rockable 'a b/case.conf' -o 'a b/out' -q --steps 5", 0);
  expect(folder, "rockable 'a b/case.conf' -o 'a b/out' -q --resume", 0);
  expect(folder, "rockable --replay 'a b/out/run.json' -q", 0);
}

TEST_CASE("option --done replaces the file of an earlier run of the case alone",
          "[golden][run][done]") {
  const BallFolder folder;
  folder.write("done", "of somebody\n");
  const std::string command = "rockable case.conf -o out -q --done done";
  expect(folder, command, 4);
  CHECK_FALSE(folder.has("out"));
  CHECK(folder.read("done") == "of somebody\n");
  mustRun(folder, command + " --force");
  const std::string done = folder.read("done");
  CHECK_THAT(done, Contains("\"status\":\"tmax\""));
  // The last two: its run was restarted, and stopped before it came to its end.
  for (const char* option : {"", " --resume", " --steps 333", " --resume"})
    expect(folder, command + option, 0);
  CHECK(folder.read("done") == done);
  folder.write("done", "of somebody\n");
  expect(folder, "rockable case.conf -o new -q --done done", 4);
  mustRun(folder, "rockable case.conf -o out -q");
  expect(folder, command + " --resume", 4);
  CHECK(folder.read("done") == "of somebody\n");
  // A run that is done gets the file that it did not ask for.
  for (int k = 0; k < 2; ++k)
    expect(folder, "rockable case.conf -o out -q --resume --done other", 0);
  CHECK(folder.read("other") == done);
}
