// SPDX-License-Identifier: GPL-3.0-or-later
// What tools find out about their input before they work on it.
#include "catch.hpp"
#include "command.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

TEST_CASE("a lattice of bodies that overlap is refused, unless they may", "[golden][checks]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp").code == 0);
  const std::string half = "packgen lattice --shape box.shp --cells 3 3 3 --spacing 0.5 ";
  const Outcome refused = run(folder, half + "-o a/conf0");
  CHECK(refused.code == 3);
  // 27 cubes of edge 1, rounded by 0.1, on 1.5³: 8 times the volume of a cube.
  CHECK_THAT(refused.err, Contains("--spacing 0.5") && Contains("solid fraction 7.80") &&
                              Contains("--allow-overlap"));
  CHECK_FALSE(folder.has("a/conf0"));

  const Outcome allowed = run(folder, half + "--allow-overlap -o b/conf0");
  CHECK(allowed.code == 0);
  CHECK_THAT(allowed.err, Contains("warning:"));
  CHECK(folder.has("b/conf0"));

  // Less than the volume of the cells, and yet too near: two corners of bcc cubes.
  const Outcome corners = run(
      folder, "packgen lattice --shape box.shp --type bcc --cells 2 2 2 --spacing 1.2 -o c/conf0");
  CHECK(corners.code == 3);
  CHECK_THAT(corners.err, Contains("--allow-overlap"));
  // Boxes that touch face to face do not overlap, although their balls do.
  CHECK(run(folder, "packgen lattice --shape box.shp --cells 2 2 2 --spacing 1 -o d/conf0").code ==
        0);
}
