// SPDX-License-Identifier: GPL-3.0-or-later
// What the pictures of extract show, and values of walls without load.
#include "catch.hpp"
#include "command.hpp"
#include "run_cases.hpp"

using namespace scree;
using namespace scree::testing;
using Catch::Matchers::Contains;

namespace {

bool hasGnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("a picture that does not fit on the disk leaves the older one",
          "[golden][extract][plot]") {
  if (!hasGnuplot()) return skip("no gnuplot");
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("conf0", fallingBall("0.02"));
  for (const std::string picture : {"e.svg", "e.png"}) {
    const std::string command = "extract energy conf0 -o e.csv --force --plot " + picture;
    REQUIRE(run(folder, command).code == 0);
    const std::string before = folder.read(picture);
    REQUIRE(before.size() > 2048);
    // Files of at most four blocks of 512 bytes: table and script fit in.
    const Outcome full = run(folder, "sh -c 'ulimit -f 4; " + command + "'");
    CHECK(full.code == 4);
    CHECK_THAT(full.err, Contains(picture + ": "));
    CHECK(folder.read(picture) == before);
  }
  CHECK(std::distance(fs::directory_iterator(folder.path("")), {}) == 6);
}

TEST_CASE("the pressure of walls without load is 0, not -0", "[golden][extract][walls]") {
  const Folder folder;
  writeRocks(folder);
  const Outcome o = run(folder, "extract walls conf0 --columns wall,area,pressure");
  INFO(o.out);
  CHECK(o.code == 0);
  CHECK(linesOf(o.out).size() == 7);
  CHECK_THAT(o.out, !Contains("-0\n") && !Contains("nan"));
}
