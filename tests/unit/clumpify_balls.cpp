// SPDX-License-Identifier: GPL-3.0-or-later
// Balls that come to other programs: masses, capsules without a shaft, doubled spheres, particles
// that are lost.
#include "catch.hpp"
#include "command.hpp"
#include "converted.hpp"
#include "json.hpp"

#include "scree/shape/shape_file.hpp"

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

TEST_CASE("a density that is written scales a given inertia", "[clumpify][convert]") {
  const Folder folder;
  folder.write("pack.txt",
               "#@ id=0 volume=2 position=0,0,0 inertia=0.3,0.4,0.5,0,0,0\n0 Sphere 0 0 0 1\n"
               "#@ id=1 density=5 volume=2 position=0,0,0 inertia=3,4,5,0,0,0\n1 Sphere 9 0 0 1\n");
  const Outcome dense = run(folder, "clumpify convert pack.txt --to shapepack --density 1000");
  CHECK_THAT(dense.out, Contains("density=1000 volume=2 position=0,0,0 inertia=300,400,500,0,0,0"));
  CHECK_THAT(dense.out, Contains("density=5 volume=2 position=0,0,0 inertia=3,4,5,0,0,0"));
  // So does the mass that a shape states.
  folder.write("box.shp",
               "<\nname a\nradius 1\npreCompDone y\nnv 1\n0 0 0\nne 0\nnf 0\n"
               "obb.extent 1 1 1\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
               "obb.center 0 0 0\nposition 0 0 0\norientation 1 0 0 0\nvolume 2\n"
               "I/m 0.2 0.2 0.2\n>\n");
  const Outcome stated =
      run(folder, "clumpify convert box.shp --to shapepack --density 1000 -o out.txt");
  INFO(stated.err);
  CHECK(stated.code == 0);
  const auto json = parseJson(run(folder, "clumpify mass out.txt --json").out)["particles"][0];
  CHECK(json["mass"].get<double>() == Approx(2000.0).epsilon(1e-14));
  CHECK(json["inertiaTensor"][0].get<double>() == Approx(400.0).epsilon(1e-14));
}

TEST_CASE("blocks that stay beside a new clump do not become one", "[clumpify][create]") {
  const Folder folder;
  folder.write("pack.txt", "0 Sphere 0 0 0 1\n1 Sphere 5 0 0 1\n0 Sphere 9 0 0 1\n");
  const Outcome outcome = run(folder, "clumpify create pack.txt --ids 1 -o out.txt");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, Contains("1 particle(s) would follow one of the same ID"));
  CHECK(parseJson(run(folder, "clumpify mass out.txt --json").out)["particles"].size() == 3);
}

TEST_CASE("spheres inside others are left out, and equal radii must be equal",
          "[clumpify][convert]") {
  const std::string doubled = pair + "0 Sphere 0 0 0 1\n0 Sphere 0 0 0.1 0.5\n";
  std::vector<std::string> warnings;
  CHECK(file(convert(doubled, "csv", false, false, &warnings), "") ==
        "x,y,z,r\n0,0,0,1\n0,0,1.2,0.8\n");
  CHECK_THAT(warnings.at(0), Contains("2 sphere(s) wholly inside others"));
  CHECK_THROWS_WITH(convert(doubled, "csv", false, true), Contains("wholly inside others"));
  CHECK(file(convert(doubled, "shapepack"), "") == doubled);
  // One that reaches out by the last digit stays; so do members that are not clumped.
  const std::string out = "0 Sphere 0 0 0 1\n0 Sphere 0 0 0.5 0.500000000001\n";
  CHECK_THAT(file(convert(out, "csv"), ""), Contains("0,0,0.5,0.500000000001\n"));
  CHECK_THAT(file(convert("0u Sphere 0 0 0 1\n0u Sphere 0 0 0 1\n", "csv"), ""),
             Contains("0,0,0,1,-1\n0,0,0,1,-1\n"));

  const std::string radii =
      file(convert("0 Sphere 0 0 0 1\n0 Sphere 0 0 1 1.0000000000005\n", "shp"), "");
  CHECK_THAT(radii, Contains("radii 1 1.0000000000005\n"));

  const Folder folder;
  folder.write("doubled.txt", doubled);
  CHECK_THAT(run(folder, "clumpify create doubled.txt -o clump.txt").err,
             Contains("2 of its spheres lie wholly inside others"));
  REQUIRE(run(folder, "shapeSurvey make box --size 2 2 2 -o box.shp").code == 0);
  const Outcome quality = run(folder, "clumpify quality doubled.txt box.shp --json");
  CHECK(parseJson(quality.out)["spheres"] == 2);
  CHECK_THAT(quality.err, Contains("2 sphere(s) lie wholly inside others"));
  folder.write("apart.txt", "0u Sphere 0 0 0 1\n0u Sphere 0 0 1 1\n");
  const Outcome apart = run(folder, "clumpify quality apart.txt box.shp");
  CHECK(apart.code == 3);
  CHECK_THAT(apart.err, Contains("not clumped"));
}
