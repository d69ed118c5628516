// SPDX-License-Identifier: GPL-3.0-or-later
// Which signals save a run.
#include "catch.hpp"
#include "run_cases.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

TEST_CASE("INT, TERM, HUP and USR1 save a run and end it with 75", "[golden][run][signals]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("whole.conf", with(fallingBall("0.05"), "tmax 0.1", "tmax 1000"));
  const std::string signal = GENERATE("INT", "TERM", "HUP", "USR1");
  INFO(signal);
  // The shell that starts background jobs has INT ignored for them; `kill` waits for the folder.
  const Outcome stopped =
      run(folder,
          "rockable whole.conf -o out & pid=$!; while ! [ -e out/conf1 ]; do sleep 0.002; "
          "done; kill -" +
              signal + " $pid; wait $pid");
  INFO(stopped.err);
  CHECK(stopped.code == 75);
  CHECK(folder.has("out/restart.conf"));
  CHECK(report(folder, "out")["status"] == "stopped");
  CHECK_THAT(stopped.err, Contains("--resume"));
  CHECK(run(folder, "rockable whole.conf -o out -q --resume --steps 10").code == 0);
}

TEST_CASE("before the first step a signal ends the program at once", "[golden][run][signals]") {
  const Folder folder;
  const std::string signal = GENERATE("INT", "TERM", "HUP", "USR1");
  INFO(signal);
  const Outcome stopped =
      run(folder, "mkfifo never; rockable never -o out & pid=$!; sleep 0.3; kill -" + signal +
                      " $pid; wait $pid");
  CHECK(stopped.code == 75);
  CHECK_THAT(stopped.err, Contains("stopped before the first step"));
  CHECK_FALSE(folder.has("out"));
}
