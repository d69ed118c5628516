// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "convert.hpp"
#include "folder.hpp"
#include "json.hpp"
#include "lump.hpp"
#include "mass.hpp"

#include "scree/base/files.hpp"

#include <cmath>
#include <cstdio>
#include <string>

using namespace scree;
using namespace scree::tools;
using Catch::Contains;

namespace {

/// A pack in a file that goes at the end.
struct Scratch {
  scree::testing::Folder folder;
  std::string path;
  explicit Scratch(const std::string& text) : path(folder.write("pack.txt", text)) {}
};

}  // namespace

TEST_CASE("clumpify mass prints the keys and numbers of its schema", "[clumpify]") {
  const Scratch file("0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Capsule 0 0 0 1.5 0 0 1\n");
  Diagnostics diagnostics;
  const double density = 1000.0;
  const auto particles = masses({file.path, density, "auto", 1}, diagnostics);
  const auto json = scree::testing::parseJson(massJson(particles, density));
  CHECK(json["schema"] == 1);
  REQUIRE(json["particles"].size() == 2);
  const auto& clump = json["particles"][0];
  CHECK(clump["kind"] == "clump");
  CHECK(clump["spheres"] == 2);
  CHECK(clump["method"] == "exact-union");
  CHECK(clump["mass"].get<double>() == Approx(5890.486225).epsilon(1e-9));
  CHECK(clump["centre"][2].get<double>() == Approx(0.383333333).epsilon(1e-8));
  REQUIRE(clump["inertiaTensor"].size() == 9);
  CHECK(clump["inertiaTensor"][8].get<double>() == Approx(2157.390580).epsilon(1e-9));
  CHECK(clump["principal"][0].get<double>() == Approx(4181.836158).epsilon(1e-9));
  CHECK(clump["orientation"] == nlohmann::json({1.0, 0.0, 0.0, 0.0}));
  CHECK(clump["boundRad"].get<double>() == Approx(1.5).epsilon(1e-13));
  CHECK(clump["equivRad"].get<double>() ==
        Approx(std::cbrt(0.75 * 5.890486225 / pi)).epsilon(1e-9));
  CHECK(json["particles"][1]["kind"] == "Capsule");
  CHECK_THAT(massTable(particles, density),
             Contains("exact-union") && Contains("2 particles, density 1000"));
}

TEST_CASE("clumpify mass lists all methods, and keeps a density that a particle carries",
          "[clumpify]") {
  const Scratch file(
      "#@ id=0 density=3\n0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Sphere 9 0 0 1\n");
  Diagnostics diagnostics;
  const auto particles = masses({file.path, 7.0, "all", 1}, diagnostics);
  std::string methods;
  for (const auto& p : particles) methods += std::string(p.method) + " ";
  CHECK(methods == "exact-union sum grid octree exact grid octree ");
  const auto json = scree::testing::parseJson(massJson(particles, 7.0));
  CHECK(json["particles"][0]["density"] == 3.0);
  CHECK(json["particles"][4]["density"] == 7.0);
  CHECK(json["particles"][0]["mass"].get<double>() == Approx(3 * 5.890486225).epsilon(1e-9));
}

TEST_CASE("clumpify mass measures rounded tetrahedra of no volume on a grid", "[clumpify]") {
  // A triangle, and a point, swept by a ball: their repeated corners span no edges.
  const Scratch file(
      "#@ id=0 radius=0.1\n0 Tetra 0.5 0.5 0 1 0 0 0 1 0 0 0 1 0 0 1 0\n"
      "#@ id=1 radius=0.1\n1 Tetra 5 0 0 1 5 0 0 5 0 0 5 0 0 5 0 0\n");
  Diagnostics diagnostics;
  const auto particles = masses({file.path, 1.0, "grid", 1}, diagnostics);
  REQUIRE(particles.size() == 2);
  const double r = 0.1, ball = 4.0 / 3.0 * pi * r * r * r;
  // Steiner's formula: area 1/2, perimeter 2 + sqrt(2). Five cells to a radius make 6 % of a ball.
  const double triangle = r + 0.5 * pi * r * r * (2.0 + std::sqrt(2.0)) + ball;
  CHECK(particles[0].solid.volume == Approx(triangle).epsilon(0.06));
  CHECK(particles[1].solid.volume == Approx(ball).epsilon(0.06));
  CHECK(masses({file.path, 1.0, "all", 1}, diagnostics).size() == 6);
}

TEST_CASE("clumpify mass --method all leaves out what does not apply to one particle",
          "[clumpify]") {
  const Scratch file("0 Sphere 0 0 0 1\n1 Capsule 9 0 0 1.0000001 1 0 0\n");
  Diagnostics diagnostics(true);
  const auto particles = masses({file.path, 1.0, "all", 1}, diagnostics);
  std::string methods;
  for (const auto& p : particles) methods += std::string(p.method) + " ";
  CHECK(methods == "exact grid octree exact ");
  REQUIRE_FALSE(diagnostics.notes().empty());
  CHECK_THAT(diagnostics.notes().front(),
             Contains("grid: left out for 1 of 2 particles, first: particle 1 (line 2): the grid "
                      "has more than 1e9 cells"));
  CHECK_THROWS_WITH(masses({file.path, 1.0, "grid", 1}, diagnostics), Contains("1e9 cells"));
}

TEST_CASE("totals state the density and the particles that count", "[clumpify]") {
  // One carries a density; of the second, two members are not clumped.
  const Scratch file(
      "#@ id=0 density=2\n0 Sphere 0 0 0 1\n1u Sphere 5 0 0 0.5\n1u Sphere 9 0 0 0.25\n");
  Diagnostics diagnostics;
  const auto particles = masses({file.path, 50.0, "auto", 1}, diagnostics);
  CHECK_THAT(massTable(particles, 50.0),
             Contains("2 particles in 3 bodies, density 2 to 50, equivRad 0.25 to 1, boundRad "
                      "0.25 to 1"));
  const auto total = scree::testing::parseJson(massJson(particles, 50.0))["total"];
  CHECK(total["particles"] == 2);
  CHECK(total["bodies"] == 3);
  CHECK(total["volume"].get<double>() == Approx(4.0 / 3.0 * pi * 1.140625).epsilon(1e-13));
  CHECK(total["mass"].get<double>() == Approx(4.0 / 3.0 * pi * (2 + 50 * 0.140625)).epsilon(1e-13));
  CHECK(total["density"] == nlohmann::json({2.0, 50.0}));
  CHECK(total["equivRad"][0].get<double>() == Approx(0.25).epsilon(1e-13));
  CHECK(total["boundRad"] == nlohmann::json({0.25, 1.0}));
  const Scratch carried("#@ id=0 density=2\n0 Sphere 0 0 0 1\n");
  CHECK_THAT(massTable(masses({carried.path, 50.0, "auto", 1}, diagnostics), 50.0),
             Contains("1 particles, density 2, "));
  // Methods side by side have no total.
  CHECK(!scree::testing::parseJson(massJson(particles, 50.0, false)).contains("total"));

  const Scratch tetra("0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n");
  LumpVerbOptions lump;
  lump.input = tetra.path;
  lump.density = 6.0;
  const auto nodes = scree::testing::parseJson(lumpJson(lumped(lump, diagnostics)))["total"];
  CHECK(nodes["nodes"] == 4);
  CHECK(nodes["mass"].get<double>() == Approx(1.0).epsilon(1e-14));
}

TEST_CASE("given mass properties that replace a method are named", "[clumpify]") {
  const Scratch file(
      "#@ id=0 volume=1 position=0,0,0 inertia=1,1,1,0,0,0\n0 Sphere 0 0 0 1\n1 Sphere 5 0 0 1\n");
  for (const char* method : {"exact", "sum", "grid", "octree"}) {
    INFO(method);
    Diagnostics diagnostics;
    CHECK(masses({file.path, 1.0, method, 1}, diagnostics)[0].method == "given");
    REQUIRE(!diagnostics.notes().empty());
    CHECK_THAT(diagnostics.notes().back(),
               Contains(std::string("--method ") + method + ": 1 of 2 particles carry given"));
  }
  Diagnostics diagnostics;
  masses({file.path, 1.0, "auto", 1}, diagnostics);
  CHECK(diagnostics.notes().empty());
}

TEST_CASE("clumpify refuses what this version lacks, and says what there is", "[clumpify]") {
  const Scratch file("0 Sphere 0 0 0 1\n");
  Diagnostics diagnostics;
  for (const char* method : {"magic", "voxels"})
    CHECK_THROWS_AS(masses({file.path, 1.0, method, 1}, diagnostics), UsageError);
  const auto converting = [&](const char* from, const char* to) {
    ConvertOptions options;
    options.input = file.path;
    options.from = from;
    options.to = to;
    return converted(options, diagnostics).at(0).text;
  };
  CHECK_THROWS_WITH(converting("shapepack", "shapepak"), Contains("did you mean 'shapepack'"));
  CHECK_THROWS_AS(converting("lammps", "shapepack"), UsageError);
  CHECK(converting("shapepack", "shapepack") == "0 Sphere 0 0 0 1\n");
  const Scratch shapes("<\nname Cube\n>\n");
  CHECK_THROWS_WITH(masses({shapes.path, 1.0, "auto", 1}, diagnostics), Contains("shape-file"));
}
