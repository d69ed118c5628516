// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "convert.hpp"
#include "folder.hpp"
#include "json.hpp"
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
