// SPDX-License-Identifier: GPL-3.0-or-later
// What a run reports about its own accuracy.
#include "ball_case.hpp"
#include "catch.hpp"
#include "json.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("the run monitor reports deep overlaps and of bodies inside each other",
          "[golden][rockable]") {
  const Folder folder;
  // Dropped at 5 m/s. Undamped, it would go in by v sqrt(m/kn) = 5.2 cm, more than the two radii of
  // a ball and a plate of 5 mm.
  writeCase(folder,
            with(with(ballConf, "0.5 0 0", "0 -5 0"), "knContact 0 0 1e5", "knContact 0 0 1e4"));
  const Outcome deep = run(folder, "rockable case.conf -o out");
  REQUIRE(deep.code == 0);
  CHECK_THAT(deep.err, Contains("overlaps of up to"));
  CHECK(report(folder, "out")["findings"].size() >= 1);
  CHECK(run(folder, "rockable case.conf -o out --strict").code == 3);
  writeCase(folder, with(ballConf, "knContact 0 0 1e5", "knContact 0 0 1e7"));
  const Outcome fine = run(folder, "rockable case.conf -o fine --strict");
  INFO(fine.err);
  CHECK(fine.code == 0);
  CHECK(report(folder, "fine")["findings"].empty());
}

TEST_CASE("the run monitor reports bodies that can pass through each other in a step",
          "[golden][rockable]") {
  const Folder folder;
  // At 2000 m/s a step of 1e-4 s is 20 cm, more than ball and plate are rounded by together. It is
  // through before any look.
  writeCase(folder, with(ballConf, "0.5 0 0", "0 -2000 0"));
  const Outcome fast = run(folder, "rockable case.conf -o fast");
  REQUIRE(fast.code == 3);  // the ball is below the plate at the end
  INFO(fast.err);
  CHECK_THAT(fast.err, Contains("near bodies move by 1.33 times their rounding in a step") &&
                           Contains("(bodies 0 and 1 at t = 0.000"));
  // At 40 cm a step it is never so near as lists look: 5 cm above the plate, then 5 cm below.
  writeCase(folder, with(with(ballConf, "0.5 0 0", "0 -4000 0"), "0 0.152 0", "0 0.6 0"));
  CHECK_THAT(run(folder, "rockable case.conf -o leap").err,
             Contains("bodies move by 2 times their size in a step") && Contains("(body 1 at"));
  // Sharper than a step is long, but high above the plate: nothing to tell. On its way down, when
  // the plate is nearer than the step is long, there is.
  mustRun(folder, "shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.001 -q -o box.shp");
  writeCase(folder, with(with(ballConf, "Ball 0", "Box 0"), "0.5 0 0", "0 -40 0"));
  folder.write("shapes.shp",
               with(ballAndPlate, "radius 0.05", "radius 0.001") + folder.read("box.shp"));
  const Outcome near = run(folder, "rockable case.conf -o near --steps 20");
  INFO(near.err);
  CHECK_THAT(near.err, Contains("times their rounding in a step"));
  folder.write("case.conf", with(folder.read("case.conf"), "0 0.152 0", "0 1.152 0"));
  CHECK_THAT(run(folder, "rockable case.conf -o high --steps 20").err, !Contains("rounding"));
}

TEST_CASE("periods in which the lists of --compat rockable may miss contacts are counted",
          "[golden][rockable][compat]") {
  const Folder folder;
  // Lists are made each second, when the ball is ten times as high above the plate as they look. At
  // 5 m/s it is there after 20 ms and falls through.
  writeCase(
      folder,
      with(with(with(with(ballConf, "interVerlet 0.01", "interVerlet 1"), "0.5 0 0", "0 -5 0"),
                "0 0.152 0", "0 0.25 0"),
           "tmax 0.1", "tmax 2"));
  mustRun(folder, "rockable case.conf -o as --compat rockable --until 1.1");
  CHECK(report(folder, "as")["missedContacts"] == 1);
  CHECK(report(folder, "as")["quality"]["withinBounds"] == false);
  mustRun(folder, "rockable case.conf -o own --until 1.1");
  CHECK(report(folder, "own")["missedContacts"] == 0);
}
