// SPDX-License-Identifier: GPL-3.0-or-later
// Masses and quality of clumps as clumpify prints them, and the goals of its cover by distance.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include "scree/base/math.hpp"
#include "scree/clump/shape_pack.hpp"

#include <cmath>
#include <png.h>
#include <string>

using namespace scree;
using Catch::Contains;

namespace {

/// A cuboid from 0 to 2, 1, 1.
const std::string cuboid =
    "OFF\n8 6 0\n0 0 0\n2 0 0\n0 1 0\n2 1 0\n0 0 1\n2 0 1\n0 1 1\n2 1 1\n"
    "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";

/// The result of `clumpify mass` on a text: JSON, or where it fails the code alone.
struct Weighed {
  int code = -1;
  std::string err;
  nlohmann::json json;
  std::string methods() const {
    std::string out;
    for (const auto& p : json["particles"]) out += p["method"].get<std::string>() + " ";
    return out;
  }
};
Weighed weighed(const std::string& text, const std::string& words) {
  const testing::Folder folder;
  folder.write("pack.txt", text);
  const testing::Outcome o = testing::run(folder, "clumpify mass pack.txt --json -v " + words);
  return {o.code, o.err, o.code == 0 ? testing::parseJson(o.out) : nlohmann::json()};
}

}  // namespace

TEST_CASE("cover and quality place a shape as its file does", "[clumpify][quality]") {
  const testing::Folder folder;
  // Right angles at 10 0 0, legs 2, 1 and 3.
  folder.write("tet.off",
               "OFF\n4 4 0\n10 0 0\n12 0 0\n10 1 0\n10 0 3\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n");
  for (const char* words : {"shapeSurvey import tet.off --radius 0 -q -o raw.shp",
                            "shapeSurvey compute raw.shp -q -o tet.shp",
                            "clumpify cover tet.off --inside --spheres 1 -q -o mesh.txt",
                            "clumpify cover tet.shp --inside --spheres 1 -q -o shape.txt"})
    REQUIRE(testing::run(folder, words).code == 0);
  // The largest ball inside: r = 3 V / (sum of areas), its centre r from the three faces.
  const double r = 3.0 / (1.0 + 1.5 + 3.0 + 3.5);
  for (const char* file : {"mesh.txt", "shape.txt"}) {
    Diagnostics diagnostics;
    TextReader in = TextReader::fromFile(folder.path(file));
    const clump::ShapePack pack = clump::readShapePack(in, diagnostics);
    REQUIRE(pack.particles.at(0).members.size() == 1);
    CHECK(pack.particles[0].members[0].radius == Approx(r).epsilon(1e-6));
    CHECK((pack.particles[0].members[0].centre - Vec3(10.0 + r, r, r)).norm() < 1e-5);
  }
  const auto iou = [&](const std::string& words) {
    const testing::Outcome outcome = testing::run(folder, "clumpify quality --json " + words);
    return std::stod(outcome.out.substr(outcome.out.find("\"iou\":") + 6));
  };
  const double expected = 4.0 / 3.0 * pi * r * r * r;  // the volume of the tetrahedron is 1
  CHECK(iou("mesh.txt tet.shp") == Approx(expected).epsilon(1e-4));
  CHECK(iou("shape.txt tet.off") == Approx(expected).epsilon(1e-4));
}

TEST_CASE("quality prints what it measures", "[clumpify][quality]") {
  const testing::Folder folder;
  folder.write("cuboid.off", cuboid);
  folder.write("clump.txt", "0 Sphere 0.5 0.5 0.5 0.5\n0 Sphere 1.5 0.5 0.5 0.25\n");
  const auto q = testing::parseJson(
      testing::mustRun(folder, "clumpify quality clump.txt cuboid.off --json --strict").out);
  CHECK(q["spheres"] == 2);
  CHECK(q["volumeRatio"].get<double>() ==
        Approx(4.0 / 3.0 * pi * (0.125 + 0.015625) / 2.0).epsilon(1e-12));
  const double corner = std::sqrt(0.75) - 0.25;  // beyond the small ball
  CHECK(std::fabs(q["uncovered"].get<double>() - corner) <=
        q["uncoveredBound"].get<double>() + 1e-12);
  CHECK(q["meanGap"].get<double>() > 0.1);
  CHECK(q["meanGap"].get<double>() < corner);
  CHECK(q["meanGapError"].get<double>() < 0.01 * q["meanGap"].get<double>());
}

TEST_CASE("quality writes its ParaView file and its picture", "[clumpify][quality]") {
  const testing::Folder folder;
  folder.write("cuboid.off", cuboid);
  folder.write("clump.txt", "0 Sphere 0.5 0.5 0.5 0.5\n0 Sphere 1.5 0.5 0.5 0.25\n");
  const std::string command = "clumpify quality clump.txt cuboid.off --vtp d.vtp --image q.png";
  testing::expect(folder, command, 0);
  CHECK_THAT(folder.read("d.vtp"), Catch::Contains("Name=\"distance\""));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, folder.path("q.png").c_str()));
  CHECK((image.width > 100 && image.height > 100));
  png_image_free(&image);
  testing::expect(folder, command, 4);  // both files are there already
}

TEST_CASE("clumpify mass prints the keys and numbers of its schema", "[clumpify]") {
  const testing::Folder folder;
  folder.write("pack.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Capsule 0 0 0 1.5 0 0 1\n");
  const std::string command = "clumpify mass pack.txt --density 1000";
  const auto json = testing::parseJson(testing::run(folder, command + " --json").out);
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
  CHECK_THAT(testing::run(folder, command).out, Contains("exact-union"));
}

TEST_CASE("clumpify mass lists all methods, and keeps a density that a particle carries",
          "[clumpify]") {
  const Weighed all =
      weighed("#@ id=0 density=3\n0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Sphere 9 0 0 1\n",
              "--method all --density 7");
  CHECK(all.methods() == "exact-union sum grid octree exact grid octree ");
  CHECK(all.json["particles"][0]["density"] == 3.0);
  CHECK(all.json["particles"][4]["density"] == 7.0);
  CHECK(all.json["particles"][0]["mass"].get<double>() == Approx(3 * 5.890486225).epsilon(1e-9));
}

TEST_CASE("clumpify mass --method all leaves out what does not apply to one particle",
          "[clumpify]") {
  const std::string pack = "0 Sphere 0 0 0 1\n1 Capsule 9 0 0 1.0000001 1 0 0\n";
  const Weighed all = weighed(pack, "--method all --strict");
  CHECK(all.methods() == "exact grid octree exact ");
  CHECK_THAT(all.err, Contains("grid: left out") && Contains("first: particle 1 (line 2)"));
  CHECK(weighed(pack, "--method grid").code == 3);
}
