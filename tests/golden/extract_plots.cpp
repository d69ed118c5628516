// SPDX-License-Identifier: GPL-3.0-or-later
// What the pictures of extract show, and values of walls without load.
#include "catch.hpp"
#include "command.hpp"
#include "run_cases.hpp"

#include <sstream>

using namespace scree;
using namespace scree::testing;
using Catch::Matchers::Contains;

namespace {

bool hasGnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

/// The numbers of a series in a script.
std::vector<std::vector<double>> dataOf(const std::string& script) {
  std::vector<std::vector<double>> rows;
  std::istringstream in(script.substr(std::min(script.find("$series0 << END\n"), script.size())));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line) && line != "END") {
    std::istringstream words(line);
    rows.emplace_back();
    for (double value; words >> value;) rows.back().push_back(value);
  }
  return rows;
}

}  // namespace

TEST_CASE("a picture of slices has their middles, and solid volume where phi is not known",
          "[golden][extract][plot]") {
  if (!hasGnuplot()) return skip("no gnuplot");
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("conf0", fallingBall("0.02"));
  const Outcome o = run(folder, "extract profile conf0 --axis y --bins 4 -o p.csv --plot p.svg");
  INFO(o.err);
  CHECK(o.code == 0);
  CHECK(o.err.empty());
  const std::string script = folder.read("p.gp");
  CHECK_THAT(script, Contains("set ylabel \"solid (m3)\"") &&
                         Contains("set xlabel \"middle of low and high (m)\""));
  const auto table = linesOf(
      run(folder, "extract profile conf0 --axis y --bins 4 --columns low,high,solid,phi").out);
  const auto points = dataOf(script);
  REQUIRE(points.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    std::istringstream cells(table[k + 1]);
    double low = 0, high = 0, solid = 0;
    char comma = ' ';
    cells >> low >> comma >> high >> comma >> solid;
    CHECK_THAT(table[k + 1], Contains(",nan"));
    CHECK(points[k] == std::vector<double>{0.5 * (low + high), solid});
  }
}

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
