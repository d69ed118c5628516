// SPDX-License-Identifier: GPL-3.0-or-later
// Output of clumpify cover: mass of the body, formats, refusals.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include "scree/clump/shape_pack.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using Catch::Contains;

namespace {

/// Two cubes of edge 1 that share an edge: four faces meet there, and the mesh is still a solid.
std::string twoCubes() {
  std::string out = "OFF\n14 12 0\n";
  for (const char* v : {"0 0 0", "1 0 0", "0 1 0", "1 1 0", "0 0 1", "1 0 1", "0 1 1", "1 1 1",
                        "2 1 0", "1 2 0", "2 2 0", "2 1 1", "1 2 1", "2 2 1"})
    out += std::string(v) + "\n";
  for (const char* f :
       {"4 0 2 3 1", "4 4 5 7 6", "4 0 1 5 4", "4 2 6 7 3", "4 0 4 6 2", "4 1 3 7 5", "4 3 9 10 8",
        "4 7 11 13 12", "4 3 8 11 7", "4 9 12 13 10", "4 3 7 12 9", "4 8 10 13 11"})
    out += std::string(f) + "\n";
  return out;
}

clump::PackParticle clumpIn(const std::string& path) {
  Diagnostics diagnostics;
  TextReader in = TextReader::fromFile(path);
  return clump::readShapePack(in, diagnostics).particles.at(0);
}

std::vector<mass::Ball> ballsIn(const std::string& path) {
  std::vector<mass::Ball> balls;
  for (const clump::PackMember& m : clumpIn(path).members) balls.push_back({m.centre, m.radius});
  return balls;
}

}  // namespace

TEST_CASE("a cover carries the mass properties of the body, to the bit", "[clumpify][cover]") {
  const testing::Folder folder;
  folder.write("two.off", twoCubes());
  const std::string cover = "clumpify cover two.off --spheres 4 -q ";
  REQUIRE(testing::run(folder, cover + "-o clump.txt --strict").code == 0);
  Diagnostics diagnostics;
  shape::Shape shape = shape::readShapesOrMesh(folder.path("two.off"), diagnostics).front();
  CHECK_FALSE(shape.isSurface);
  shape.faces = shape::triangulated({shape.vertices, shape.faces}).faces;
  const mass::SolidProperties body = mass::massReport(shape).solid;
  CHECK(body.volume == Approx(2.0).epsilon(1e-14));
  const clump::PackParticle clump = clumpIn(folder.path("clump.txt"));
  CHECK(clump.members.size() == 4);
  REQUIRE(clump.given());
  CHECK(clump.given()->volume == body.volume);
  CHECK(clump.given()->centre == body.centre);
  CHECK(clump.given()->inertia == Mat3(body.volume * body.inertiaPerMass));
  REQUIRE(testing::run(folder, cover + "--mass union -o balls.csv --strict").code == 0);
  CHECK_THAT(folder.read("balls.csv"), Catch::StartsWith("x,y,z,r\n"));
}

TEST_CASE("options of cover that do not go together are wrong usage", "[clumpify][cover]") {
  const testing::Folder folder;
  folder.write("two.off", twoCubes());
  for (const char* words :
       {"", "--spheres 3 --iou 0.8", "--spheres 3 --inside --objective hausdorff",
        "--spheres 3 --no-overlap", "--volume-ratio 1 --inside"})
    testing::expect(folder, std::string("clumpify cover two.off ") + words, 2);
  folder.write("open.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 1\n4 0 1 2 3\n");
  testing::expect(folder, "clumpify cover open.off --spheres 3", 3, {"open.off"});
}

TEST_CASE("the curve of a cover has a row for each number of spheres", "[clumpify][cover]") {
  const testing::Folder folder;
  folder.write("two.off", twoCubes());
  const std::string cover = "clumpify cover two.off --spheres 4 --inside ";
  CHECK(testing::run(folder, cover + "--curve curve.csv -o pack.txt").code == 0);
  std::istringstream in(folder.read("curve.csv"));
  std::string line;
  std::getline(in, line);
  CHECK(line ==
        "spheres,volumeRatio,centreError,inertiaError,uncovered,protruding,rmin,iou,inside,outside,"
        "hausdorff");
  const auto balls = ballsIn(folder.path("pack.txt"));
  double before = 0.0;
  std::size_t rows = 0;
  for (; std::getline(in, line); ++rows) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    REQUIRE(row.size() == 11);
    const std::span<const mass::Ball> some(balls.data(), rows + 1);
    CHECK(row[0] == static_cast<double>(rows + 1));
    CHECK(row[1] == Approx(mass::ballUnionMoments(some).moments.m0 / 2.0).epsilon(1e-8));
    CHECK(row[1] > before);
    before = row[1];
    CHECK(row[5] < 1e-9);
    CHECK(row[6] == some.back().radius);
    // All of the balls is inside.
    CHECK(row[7] == Approx(row[1]).epsilon(1e-5));
    CHECK(row[8] == Approx(row[1]).epsilon(1e-5));
    CHECK(row[9] == 0.0);
    CHECK(row[10] == row[4]);
  }
  CHECK(rows == balls.size());
  // One document a file, and one on standard output.
  for (const char* other :
       {"--curve -", "--curve a.csv -o a.csv", "--curve - -o b.txt --json", "--json"})
    CHECK(testing::run(folder, cover + other).code == 2);
}

TEST_CASE("shapeSurvey check accepts a cover that has the mass of the body", "[clumpify][cover]") {
  const testing::Folder folder;
  folder.write("two.off", twoCubes());
  const std::string cover = "clumpify cover two.off --spheres 5 ";
  const std::string seed = "# clumpify cover: seed 1\n", mark = "#@ properties=body\n";
  CHECK(testing::run(folder, cover + "-o clump.shp").code == 0);
  CHECK_THAT(folder.read("clump.shp"), Catch::StartsWith(seed + mark + "<\n"));
  CHECK_THAT(testing::expect(folder, "shapeSurvey check clump.shp --strict", 0).out,
             Contains("0 errors, 0 warnings") && Contains("spheres stand"));
  testing::expect(folder, "packgen lattice --shape clump.shp --library c/lib.shp -o c/conf0", 0);
  testing::expect(folder, "shapeSurvey check c/lib.shp --strict", 0);
  INFO("without the line the values are wrong");
  folder.write("plain.shp", folder.read("clump.shp").substr((seed + mark).size()));
  CHECK(testing::run(folder, "shapeSurvey check plain.shp").code == 3);
}

TEST_CASE("a cover that misses its goal is written, and the exit code is 3", "[clumpify][cover]") {
  const testing::Folder folder;
  REQUIRE(testing::run(folder, "shapeSurvey make box --size 2 1 1 -o box.shp").code == 0);
  folder.write("two.off", twoCubes());
  int number = 0;
  for (const auto& [goal, reached] :
       {std::pair("two.off --volume-ratio 0.999 --inside --rmin 0.4", "volume ratio 0."),
        std::pair("box.shp --iou 0.99 --rmin 0.45", "IoU 0."),
        std::pair("box.shp --volume-ratio 0.9 --equal --no-overlap --rmin 0.2",
                  "volume ratio 0.")}) {
    const std::string name = "hard" + std::to_string(++number) + ".txt";
    const testing::Outcome outcome = testing::expect(
        folder, fmt::format("clumpify cover {0} --json -o {1} --curve {1}.csv", goal, name), 3,
        {reached, name + " holds this cover"});
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') <= 3);
    REQUIRE(folder.has(name));
    CHECK_THAT(folder.read(name), Contains("# clumpify cover: seed 1\n#@ id=0 volume="));
    const auto balls = ballsIn(folder.path(name));
    CHECK(testing::parseJson(outcome.out)["spheres"] == balls.size());
    const std::string curve = folder.read(name + ".csv");
    CHECK(std::count(curve.begin(), curve.end(), '\n') ==
          static_cast<std::ptrdiff_t>(balls.size() + 1));
  }
}
