// SPDX-License-Identifier: GPL-3.0-or-later
// `clumpify convert` from and to shape-files and conf-files.
#include "catch.hpp"
#include "command.hpp"
#include "converted.hpp"
#include "random_pack.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

using Names = std::vector<std::string>;

std::vector<shape::Shape> shapesOf(const std::string& text) {
  Diagnostics strict(true);
  TextReader in("made.shp", text);
  return shape::readShapes(in, strict);
}
Names namesIn(const std::string& text) {
  Names names;
  for (const shape::Shape& s : shapesOf(text)) names.push_back(s.name);
  return names;
}
std::vector<clump::ParticleMass> massesOf(const std::string& pack) {
  return clump::packMasses(testing::packOf(pack));
}
/// Checks that two packs have the same volumes, centres and inertia.
void checkSameMass(const std::string& pack, const std::string& back) {
  INFO(back);
  const auto a = massesOf(pack), b = massesOf(back);
  REQUIRE(b.size() == a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK(b[k].solid.volume == Approx(a[k].solid.volume).epsilon(1e-12));
    CHECK((a[k].solid.centre - b[k].solid.centre).norm() < 1e-12);
    CHECK((a[k].solid.inertiaPerMass - b[k].solid.inertiaPerMass).norm() < 1e-12);
  }
}

}  // namespace

TEST_CASE("particles become shapes, and shapes the same particles again", "[clumpify][convert]") {
  // Two equal spheres: V and I/m of the published check values.
  const std::string text = file(convert("3 Sphere 1 0 -0.6 1\n3 Sphere 1 0 0.6 1\n", "exadem"), "");
  const auto shapes = shapesOf(text);
  REQUIRE(shapes.size() == 1);
  CHECK(shapes[0].name == "particle3");
  CHECK(shapes[0].volume == Approx(7.506312047).epsilon(1e-9));
  CHECK(shapes[0].inertiaPerMass.minCoeff() == Approx(2.944 / 7.0).epsilon(1e-9));
  CHECK(shapes[0].inertiaPerMass.maxCoeff() == Approx(0.832).epsilon(1e-9));
  CHECK_THAT(file(convert(text, "shapepack"), ""), Contains("Sphere 1 0 ") && Contains(" 1\n"));

  // A rounded tetrahedron, there and back: the same mass, centre and inertia.
  const std::string tetra = "#@ id=0 radius=0.1\n0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 2\n";
  checkSameMass(tetra, file(convert(file(convert(tetra, "shp"), ""), "shapepack"), ""));
}

TEST_CASE("shapes keep their names, or the loss is reported once", "[clumpify][convert]") {
  const auto shapeText = [](const std::string& name, const std::string& place) {
    return "<\nname " + name + "\nradius 0.5\nnv 2\n0 0 -1\n0 0 1\nne 1\n0 1\nnf 0\nposition " +
           place + "\n>\n";
  };
  const std::string two = shapeText("rockA", "0 0 0") + shapeText("rockB", "5 0 0");
  const Names given{"rockA", "rockB"};
  CHECK(namesIn(file(convert(two, "shp", false, true), "")) == given);
  CHECK(namesIn(file(convert(two, "conf", false, true), ".shp")) == given);
  CHECK(namesIn(file(convert(two, "exadem"), "")) == given);
  std::vector<std::string> warnings;
  convert(two, "shapepack", false, false, &warnings);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Contains("names of shapes"));
  CHECK_THROWS_AS(convert(two, "shapepack", false, true), ModelError);
}

/// The pack that a conf-file and its shape-file, as `convert` gives them, become again.
template <class Files>
std::string packTextOf(const Files& files) {
  const scree::testing::Folder folder;
  folder.write("T2.shp", file(files, ".shp"));
  ConvertOptions options;
  options.input = folder.write("T2", file(files, ""));
  options.to = "shapepack";
  Diagnostics diagnostics;
  return converted(options, diagnostics).at(0).text;
}

TEST_CASE("a pack becomes a conf-file and the same pack again", "[clumpify][convert]") {
  const std::string pack =
      "0 Sphere 1 2 3 0.5\n#@ id=1 density=2600\n1 Capsule 5 0 0 1.5 0.6 0.8 0\n2 Sphere 9 9 9 2\n"
      "3 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 2\n";
  const auto files = convert(pack, "conf");
  const std::string back = packTextOf(files);
  checkSameMass(pack, back);
  const auto a = massesOf(pack), b = massesOf(back);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(b[k].kind == a[k].kind);
    CHECK(b[k].density == a[k].density.value_or(1000.0));
  }
  CHECK_THROWS_WITH(convert("0 Ellipsoid 0 0 0 3 0 0 0 1 2 3\n" + pair, "conf"),
                    Contains("Ellipsoid") && Contains("--lossy"));
}

TEST_CASE("facets become prisms of tetrahedra with the same mass", "[clumpify][convert]") {
  const std::string facet = "0 Facet 0 0 0 1 0 0 0 3 0 0 0 4 0 0.1\n";
  // Area 6, thickness 0.2.
  CHECK(massesOf(facet)[0].solid.volume == Approx(1.2).epsilon(1e-14));
  const std::string shapes = file(convert(facet, "shp"), "");
  CHECK_THAT(shapes, Contains("radius 0\n") && Contains("nv 6\n") && Contains("nf 5\n"));
  checkSameMass(facet, file(convert(shapes, "shapepack"), ""));
  checkSameMass(facet, packTextOf(convert(facet, "conf")));
  // Facets, also with tetrahedra, that fill a box, as one polyhedron.
  const std::string square =
      "0 Facet 0 0 0 1 0 0 0 1 0 0 1 1 0 0.1\n0 Facet 0 0 0 1 0 0 0 1 1 0 0 1 0 0.1\n";
  CHECK_THAT(file(convert(square, "shp"), ""), Contains("nv 8\n") && Contains("nf 6\n"));
  checkSameMass(square, file(convert(file(convert(square, "shp"), ""), "shapepack"), ""));
  CHECK_THROWS_WITH(convert("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 0\n", "conf"),
                    Contains("particle 0 has a Facet without thickness") && Contains("--lossy"));
  CHECK_THROWS_WITH(convert("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 1\n0 Sphere 5 0 0 1\n", "conf"),
                    Contains("polyhedra and other shapes"));
  CHECK_THROWS_WITH(
      convert("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 1\n0 Facet 0 0 9 1 0 0 9 1 0 9 0 1 9 1\n", "conf"),
      Contains("fill no convex body"));
}

TEST_CASE("a flat face with a rounding becomes flat tetrahedra, and a face again",
          "[clumpify][convert]") {
  const std::string plate =
      "<\nname plate\nradius 0.25\npreCompDone n\nnv 5\n0 0 0\n2 0 0\n3 1 0\n1 2 0\n0 1 0\nne 0\n"
      "nf 1\n5 0 1 2 3 4\n>\n";
  const std::string pack = file(convert(plate, "shapepack"), "");
  CHECK_THAT(pack, Contains("#@ id=0 radius=0.25\n0 Tetra ") && !Contains("volume="));
  const std::string text = file(convert(pack, "shp"), "");
  const shape::Shape back = shapesOf(text).at(0);
  CHECK(back.vertices.size() == 5);
  CHECK(back.faces.size() == 1);
  const auto own = mass::massReport(shapesOf(plate).at(0)).solid;
  CHECK(back.volume == Approx(own.volume).epsilon(1e-13));
  CHECK((back.position - own.centre).norm() < 1e-13);
  CHECK(back.inertiaPerMass.sum() == Approx(own.inertiaPerMass.trace()).epsilon(1e-12));
  CHECK_THROWS_AS(convert("0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 1 1 0\n", "shp"), ModelError);
}

TEST_CASE("a periodic cell comes back from a conf-file", "[clumpify][convert]") {
  const std::string pack = "##PERIODIC:: 9 8 7\n#@ id=0 density=2 group=1:conf\n0 Sphere 1 1 1 1\n";
  std::vector<std::string> warnings;
  const auto files = convert(pack, "conf", false, false, &warnings);
  CHECK(warnings.empty());
  CHECK_THAT(file(files, ""),
             Contains("usePeriodicCell 1\nh 9 0 0 0 8 0 0 0 7\n") && Contains("gravity 0 0 0\n"));
  CHECK(packTextOf(files) == pack);
  CHECK_THAT(
      file(convert("##PERIODIC:: 9 8 0\n0 Sphere 1 1 1 1\n", "conf", false, false, &warnings), ""),
      !Contains("usePeriodicCell 1"));
  CHECK_THAT(warnings.at(0), Contains("periodic along some axes only"));
}

TEST_CASE("a clump of different radii becomes a shape with radii, its mass to the bit",
          "[clumpify][convert]") {
  const std::string text = file(convert(pair, "shp"), "");
  CHECK(text.find("radius") == std::string::npos);
  const shape::Shape s = shapesOf(text).at(0);
  CHECK(s.radii == std::vector<double>{1.0, 0.8});
  CHECK(s.radius == 1.0);
  CHECK(shape::shapesText({s}) == text);
  const mass::SolidProperties solid = massesOf(pair).front().solid;
  CHECK(s.volume == solid.volume);
  CHECK(s.position.z() == solid.centre.z());
  // Other programs know one radius only.
  CHECK_THROWS_AS(convert(pair, "exadem"), ModelError);
  const auto conf = convert(pair, "conf");
  CHECK_THAT(file(conf, ".shp"), Contains("radii 1 0.8"));
}

TEST_CASE("given mass of every kind of shape comes back from shapes and conf-files",
          "[clumpify][convert]") {
  for (const char* lines :
       {"0 Sphere 1 0 0 1\n", "0 Capsule 1 0 0 1.5 0.6 0.8 0\n",
        "0 Sphere 1 0 -0.6 1\n0 Sphere 1 0 0.6 1\n", "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 2\n"}) {
    INFO(lines);
    const std::string pack =
        std::string("#@ id=0 volume=5 position=1,0,0.1 inertia=20,22,10,0,0,0\n") + lines;
    const std::string back = file(convert(file(convert(pack, "shp"), ""), "shapepack"), "");
    const clump::ShapePack read = testing::packOf(back);
    REQUIRE(read.particles.at(0).carried().given);
    const clump::GivenMass& given = *read.particles[0].carried().given;
    CHECK(given.volume == 5.0);
    CHECK((given.centre - Vec3(1, 0, 0.1)).norm() < 1e-12);
    CHECK((given.inertia - Mat3(Vec3(20, 22, 10).asDiagonal())).norm() < 1e-12);
    // What has the mass of its geometry carries none.
    CHECK_THAT(file(convert(file(convert(lines, "shp"), ""), "shapepack"), ""),
               !Contains("volume="));
  }
  const std::string heavy =
      "#@ id=0 density=3 volume=5 position=0,0,0 inertia=60,66,30,0,0,0\n0 Sphere 0 0 0 1\n";
  const auto files = convert(heavy, "conf");
  CHECK_THAT(packTextOf(files), Contains("density=3 volume=5 position=0,0,0 inertia="));
}

TEST_CASE("members that are not clumped become bodies of their own", "[clumpify][convert]") {
  const std::string loose =
      "#@ id=6 density=2600\n6u Sphere 0 0 0 1\n6u Capsule 5 0 0 1 0.5 0 0\n7 Sphere 9 0 0 1\n";
  for (const char* to : {"conf", "shp", "exadem"}) {
    std::vector<std::string> warnings;
    const auto files = convert(loose, to, false, false, &warnings);
    CHECK_THAT(warnings.at(0), Contains("the mark u"));
    CHECK_THROWS_WITH(convert(loose, to, false, true), Contains("mark u"));
    if (to == std::string("conf")) {
      const std::string back = packTextOf(files);
      CHECK_THAT(back, Contains("0 Sphere 0 0 0 1") && Contains("1 Capsule 5 0 0 1 ") &&
                           Contains("#@ id=1 density=2600") && Contains("2 Sphere 9 0 0 1"));
    } else {
      CHECK_THAT(file(files, ""), Contains("name particle6\n") && Contains("name particle6-2\n"));
    }
  }
  const std::string given =
      "#@ id=0 volume=3 position=0,0,0 inertia=1,1,1,0,0,0\n0u Sphere 0 0 0 1\n0u Sphere 5 0 0 1\n";
  CHECK(convert(given, "conf").size() == 2);  // the given mass is lost, with a warning
}

TEST_CASE("groups of a conf-file stay, whatever their densities", "[clumpify][convert]") {
  const std::string pack =
      "#@ id=0 density=2 group=4:conf\n0 Sphere 0 0 0 1\n"
      "#@ id=1 density=2 group=1:conf\n1 Sphere 5 0 0 1\n"
      "#@ id=2 density=2\n2 Sphere 9 0 0 1\n"
      "#@ id=3 density=3 group=rock:conf\n3 Sphere 13 0 0 1\n";
  std::vector<std::string> warnings;
  const auto files = convert(pack, "conf", false, false, &warnings);
  CHECK(warnings.size() == 1);  // a name is no number of a group
  CHECK_THAT(file(files, ""),
             Contains("density 1 2\ndensity 2 2\ndensity 3 3\ndensity 4 2\n") &&
                 Contains("\nball 4 1 1 0 0 0") && Contains("\nball 1 2 1 5 0 0") &&
                 Contains("\nball 2 3 1 9 0 0") && Contains("\nball 3 4 1 13 0 0"));
  const std::string back = packTextOf(files);
  CHECK(back ==
        "#@ id=0 density=2 group=4:conf\n0 Sphere 0 0 0 1\n"
        "#@ id=1 density=2 group=1:conf\n1 Sphere 5 0 0 1\n"
        "#@ id=2 density=2 group=2:conf\n2 Sphere 9 0 0 1\n"
        "#@ id=3 density=3 group=3:conf\n3 Sphere 13 0 0 1\n");
  CHECK(file(convert(back, "conf", false, true), "") == file(files, ""));
  convert(back, "csv", false, false, &warnings);
  CHECK_THAT(warnings.back(), Contains("groups"));
  const std::string mixed =
      "#@ id=0 density=2 group=4:conf\n0 Sphere 0 0 0 1\n"
      "#@ id=1 density=3 group=4:conf\n1 Sphere 5 0 0 1\n";
  CHECK_THAT(file(convert(mixed, "conf", false, false, &warnings), ""),
             Contains("density 1 3\ndensity 4 2\n"));
  CHECK_THAT(warnings.at(0), Contains("group numbers of bodies"));
}
