// SPDX-License-Identifier: GPL-3.0-or-later
// States at full precision beside the files that were requested; runs that signals save or kill.
#include "tool_test.hpp"

TEST_CASE("checkpoints go with the run's end, and never change a result",
          "[golden][run][checkpoint]") {
  const Folder folder;
  writeRocks(folder);
  mustRun(folder, "rockable conf0 -o whole -q --checkpoint 0");
  mustRun(folder, "rockable conf0 -o often -q --checkpoint 0.001");
  CHECK(difference(folder, "whole", "often") == "");
}

TEST_CASE("a run killed while it removed an earlier one does not take that one's states",
          "[golden][run][checkpoint]") {
  const Folder folder;
  writeRocks(folder);
  mustRun(folder, "rockable conf0 -o out -q");
  folder.write("other.conf", with(folder.read("conf0"), "\ntmax 0.4\n", "\ntmax 0.2\n"));
  mustRun(folder, "rockable other.conf -o whole -q");
  // run.json as it stands then: of the new run, with what the earlier one has left.
  auto record = report(folder, "whole");
  record["status"] = "starting";
  for (auto& input : record["inputs"])
    if (input["role"] == "conf") input["path"] = "../other.conf";
  record["outputs"] = report(folder, "out")["outputs"];
  folder.write("out/run.json", record.dump());
  expect(folder, "rockable other.conf -o out --resume", 0, {"starts again"});
  CHECK(difference(folder, "whole", "out") == "");
}

TEST_CASE("temporary files of dead processes go with the next run in the folder",
          "[golden][run][checkpoint]") {
  const Folder folder;
  writeRocks(folder);
  // A process that has ended, and one that runs.
  const std::string dead = run(folder, "sh -c 'echo $$'").out;
  const std::string gone = dead.substr(0, dead.size() - 1);
  folder.write("out/conf3.tmp-" + gone, "half a fi");
  folder.write("out/run.json.tmp-" + gone, "");
  folder.write("out/conf4.tmp-1", "of a process that runs");
  folder.write("out/notes.tmp-", "no number");
  folder.write("out/conf5.tmp-12x", "no number");
  mustRun(folder, "rockable conf0 -o out -q");
  CHECK_FALSE(folder.has("out/conf3.tmp-" + gone));
  CHECK_FALSE(folder.has("out/run.json.tmp-" + gone));
  for (const char* name : {"conf4.tmp-1", "notes.tmp-", "conf5.tmp-12x"})
    CHECK(folder.has(std::string("out/") + name));
}

TEST_CASE("conf-files with 16 decimals hold all digits: a run goes on from them",
          "[golden][run][checkpoint]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  for (const std::string decimals : {"16", "17"}) {
    folder.write("case.conf",
                 with(fallingBall("0.01"), "nDriven 1", "precision " + decimals + "\nnDriven 1"));
    mustRun(folder, "rockable case.conf -o whole" + decimals + " -q");
    // Its last conf-file is the state to the bit, so that none stands beside it.
    CHECK_FALSE(folder.has("whole" + decimals + "/restart.conf"));
    const std::string out = "parts" + decimals;
    mustRun(folder, "rockable case.conf -o " + out + " -q --steps 555");
    mustRun(folder, "rm " + out + "/restart.conf");
    expect(folder, "rockable case.conf -o " + out + " --resume", 0,
           {"resuming from " + out + "/conf5 at t = 0.05"});
    CHECK(difference(folder, "whole" + decimals, out) == "");
  }
  // 15 decimals lose the last digit of some numbers.
  folder.write("case.conf", with(fallingBall("0.01"), "nDriven 1", "precision 15\nnDriven 1"));
  mustRun(folder, "rockable case.conf -o less -q");
  CHECK(folder.has("less/restart.conf"));
}

TEST_CASE("a run that was stopped a step before its end leaves the files of one that was not",
          "[golden][run][checkpoint]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  // Conf-file 1 is of step 999 of 1,000. The clock of --compat rockable sums 200 steps of
  // 1e-4 to 0.01999..., so that a step follows.
  folder.write("before.conf", fallingBall("0.0999"));
  folder.write("at.conf", with(fallingBall("0.01"), "tmax 0.1", "tmax 0.02"));
  folder.write("rounded.conf", with(fallingBall("0.0999"), "tmax 0.1", "precision 6\ntmax 0.1"));
  folder.write("one.conf", with(fallingBall("0.1"), "tmax 0.1", "tmax 1e-4"));
  struct Case {
    std::string name, options, steps;
    bool leavesRestart;
  };
  for (const Case& c : std::vector<Case>{{"before", "", "999", false},
                                         {"before", " --compress", "999", false},
                                         {"before", "", "998", false},
                                         {"at", " --compat rockable", "200", false},
                                         {"at", " --compat rockable", "199", false},
                                         {"one", "", "0", false},
                                         {"rounded", "", "999", true}}) {
    INFO(c.name << c.options << " " << c.steps);
    const std::string command = "rockable " + c.name + ".conf -q" + c.options;
    mustRun(folder, "rm -rf whole parts; " + command + " -o whole");
    mustRun(folder, command + " -o parts --steps " + c.steps);
    CHECK(folder.has("parts/restart.conf"));
    mustRun(folder, command + " -o parts --resume");
    CHECK(folder.has("whole/restart.conf") == c.leavesRestart);
    CHECK(difference(folder, "whole", "parts") == "");
  }
}

TEST_CASE("INT, TERM, HUP and USR1 save a run and end it with 75", "[golden][run][signals]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("whole.conf", with(fallingBall("0.05"), "tmax 0.1", "tmax 1000"));
  const std::string signal = GENERATE("INT", "TERM", "HUP", "USR1");
  INFO(signal);
  // The shell that starts background jobs has INT ignored for them; `kill` waits for the folder.
  expect(folder,
         "rockable whole.conf -o out & pid=$!; while ! [ -e out/conf1 ]; do sleep 0.002; done; "
         "kill -" +
             signal + " $pid; wait $pid",
         75, {"--resume"});
  CHECK(folder.has("out/restart.conf"));
  CHECK(report(folder, "out")["status"] == "stopped");
  expect(folder, "rockable whole.conf -o out -q --resume --steps 10", 0);
  // Before the first step it ends the program at once.
  expect(folder,
         "mkfifo never; rockable never -o none & pid=$!; sleep 0.3; kill -" + signal +
             " $pid; wait $pid",
         75, {"stopped before the first step"});
  CHECK_FALSE(folder.has("none"));
}

TEST_CASE("a conf-file that cannot be written ends the run with 4, and those before it stay",
          "[golden][run]") {
  const Folder folder;
  // Ten conf-files of 100,000 steps each: the folder conf4 is there long before its turn.
  writeCase(folder, with(fallingBall("1", "1e-5"),
                         {{"tmax 0.1", "tmax 10"}, {"0.152 0 0.5", "0.152 0 0"}}));
  mustRun(folder, "rockable case.conf -o whole -q");
  expect(folder,
         "rockable case.conf -o out -q & pid=$!; while ! [ -e out/conf1 ]; do sleep 0.001; done; "
         "mkdir out/conf4; wait $pid",
         4, {"out/conf4: cannot"});
  for (const char* name : {"conf0", "conf1", "conf2", "conf3"})
    CHECK(folder.read(std::string("out/") + name) == folder.read(std::string("whole/") + name));
  CHECK_FALSE(folder.has("out/conf5"));  // nothing behind the one that failed
  const json record = report(folder, "out");
  CHECK(record["status"] == "failed");
  CHECK(record["time"].get<double>() > 3.0);  // the time at which the failure was reported
  for (const auto& [name, content] : filesOf(folder, "out"))
    CHECK(name.find("tmp") == std::string::npos);
  // Once there is room the run goes on from what it had written.
  fs::remove(folder.path("out/conf4"));
  mustRun(folder, "rockable case.conf -o out -q --resume");
  CHECK(folder.read("out/conf10") == folder.read("whole/conf10"));
}
