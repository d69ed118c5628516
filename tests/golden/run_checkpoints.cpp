// SPDX-License-Identifier: GPL-3.0-or-later
// States at full precision beside the files that were requested; runs that signals save, and runs
// that are killed at many moments: nothing that was written is lost or half there, and the run that
// is resumed ends in the same bits and the same files.
#include "tool_test.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"

#include <chrono>

namespace {

/// A way to run: what of the conf-file and the command line differs.
struct Way {
  std::string name, keywords, options, keep;
};
const std::vector<Way> ways{{"plain", "", "", ""},
                            {"rounded", "precision 6\n", "", ""},
                            {"packed", "", " --compress", ""},
                            {"kept", "precision 6\n", "", " --keep last:3"},
                            {"packedKept", "", " --compress", " --keep last:2"},
                            {"rest", "precision 4\n", " --rest 2,1e4,0.005", ""}};

/// The rocks with three tables and conf-files in quick succession.
void writeCases(const RocksFolder& folder) {
  folder.write("dataExtractors.txt",
               "TrackBody 7 rock.txt 3\nMeanVelocity mean.txt 10\nTrackBody 8 sub/rock.txt 7\n");
  std::string text = folder.read("conf0");
  const std::size_t at = text.find("\ninterConf ");
  REQUIRE(at != std::string::npos);
  text.replace(at, text.find('\n', at + 1) - at, "\ninterConf 0.004");
  for (const Way& way : ways)
    folder.write(way.name + ".conf", with(text, "\ntmax 0.4\n", "\ntmax 0.4\n" + way.keywords));
}

std::string commandOf(const Way& way, const std::string& out) {
  return fmt::format("rockable {}.conf -o {} -j 1 --checkpoint 0.004{}", way.name, out,
                     way.options);
}

/// Fault of the files that a killed run has left; "" where there is none. Each file of the
/// whole run is there as it is in that run, or not at all. A table may be there up to some place.
std::string damage(const Folder& folder, const std::string& out,
                   const std::map<std::string, std::string>& whole,
                   const std::set<std::string>& passing) {
  if (!folder.has(out)) return {};
  for (const auto& [name, content] : filesOf(folder, out)) {
    if (name.find(".tmp-") != std::string::npos || name == "perf.txt") continue;
    try {
      if (name == "run.json") {
        if (!parseJson(folder.read(out + "/run.json"))["outputs"].is_array())
          return "run.json names no outputs";
      } else if (name == "restart.conf") {
        if (!confAt(folder.path(out + "/" + name)).state().runState) return name + " is no state";
      } else if (sim::confNumber(name) && passing.contains(name)) {
        if (content != folder.read("all-" + out.substr(out.find('-') + 1) + "/" + name))
          return name + " is not as in the whole run";
      } else if (!whole.contains(name)) {
        return name + " is not of the whole run";
      } else if (sim::confNumber(name) ? content != whole.at(name)
                                       : !whole.at(name).starts_with(content)) {
        return name + " is not as in the whole run";
      }
    } catch (const std::exception& error) {
      return name + ": " + error.what();
    }
  }
  return {};
}

}  // namespace

TEST_CASE("checkpoints go with the run's end, and never change a result",
          "[golden][run][checkpoint]") {
  const RocksFolder folder;
  mustRun(folder, "rockable conf0 -o whole -q --checkpoint 0");
  mustRun(folder, "rockable conf0 -o often -q --checkpoint 0.001");
  CHECK(difference(folder, "whole", "often") == "");
}

TEST_CASE("a run killed while it removed an earlier one does not take that one's states",
          "[golden][run][checkpoint]") {
  const RocksFolder folder;
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
  const RocksFolder folder;
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

TEST_CASE("killed at many moments, a run loses nothing and ends in the same files",
          "[golden][run][kills]") {
  const char* wanted = std::getenv("SCREE_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 80;
  REQUIRE(kills > 0);
  const RocksFolder folder;
  writeCases(folder);
  using Clock = std::chrono::steady_clock;
  std::vector<std::map<std::string, std::string>> whole;
  std::vector<std::set<std::string>> passing;  // files that --keep removes again
  std::vector<std::string> hash;
  std::vector<double> seconds;
  for (const Way& way : ways) {
    const auto begin = Clock::now();
    mustRun(folder, commandOf(way, "whole-" + way.name) + way.keep);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    mustRun(folder, commandOf(way, "all-" + way.name));
    whole.push_back(filesOf(folder, "whole-" + way.name));
    hash.push_back(report(folder, "whole-" + way.name)["stateHash"]);
    passing.emplace_back();
    for (const auto& [name, content] : filesOf(folder, "all-" + way.name))
      if (!whole.back().contains(name)) passing.back().insert(name);
  }
  Rng rng(1);
  int done = 0, runs = 0;
  for (std::size_t k = 0; done < kills; k = (k + 1) % ways.size(), ++runs) {
    const Way& way = ways[k];
    const std::string out = fmt::format("out{}-{}", runs, way.name);
    // A run is killed again and again until it has come to its end; then it counts as resumed.
    for (int attempt = 0;; ++attempt) {
      // Some in the first moments, most on the way.
      const double moment = rng.uniform() < 0.2 ? 0.05 * rng.uniform() : 0.6 * rng.uniform();
      const Outcome end =
          run(folder, fmt::format("timeout --preserve-status --foreground -s KILL {} {}{}{}",
                                  attempt > 30 ? 0.0 : moment * seconds[k], commandOf(way, out),
                                  way.keep, attempt > 0 ? " --resume" : ""));
      INFO(way.name << ", attempt " << attempt << "\n" << end.err);
      REQUIRE((end.code == 0 || end.code == 137));
      if (end.code == 0) break;
      ++done;
      REQUIRE(damage(folder, out, whole[k], passing[k]) == "");
    }
    INFO(way.name);
    REQUIRE(difference(folder, "whole-" + way.name, out) == "");
    REQUIRE(report(folder, out)["stateHash"] == hash[k]);
    fs::remove_all(folder.path(out));
  }
  std::printf("%d kills in %d runs, all resumed to the same bits and files\n", done, runs);
}
