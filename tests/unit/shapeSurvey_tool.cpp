// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs of shapeSurvey as a user calls them, and imports.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using Catch::Matchers::WithinRel;

namespace {

const std::string tetrahedron =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
const std::string insideOut =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n";
const std::string open = "OFF\n4 3 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n";

/// Runs an import. @returns the shapes that it writes
std::vector<shape::Shape> import(const Folder& folder, const std::string& words) {
  mustRun(folder, "shapeSurvey import " + words + " -q --force -o imported.shp");
  Diagnostics diagnostics;
  return shape::readShapesFromFile(folder / "imported.shp", diagnostics);
}
/// Runs an import that is refused. @returns its message
std::string refusal(const Folder& folder, const std::string& words, int code = 3) {
  const Outcome outcome = expect(folder, "shapeSurvey import " + words + " -o no.shp", code);
  CHECK_FALSE(folder.has("no.shp"));
  return outcome.err;
}

double volumeOf(const shape::Shape& s, double tolerance = 1e-5) {
  return mass::massReport(s, {.tolerance = tolerance}).solid.volume;
}

/// Runs shapeSurvey. @returns the JSON it prints
nlohmann::json jsonOf(const Folder& folder, const std::string& line) {
  return parseJson(mustRun(folder, "shapeSurvey " + line + " --json").out);
}

}  // namespace

TEST_CASE("compute uses the method of --obb", "[shapeSurvey]") {
  // A block of 2 x 1 x 1 turned by 30 degrees about z, and a box of its own along the diagonal.
  const Folder folder;
  const auto turn = [](double degrees) {
    return Quat(Eigen::AngleAxisd(degrees * pi / 180.0, Vec3::UnitZ()));
  };
  shape::Shape block = samples::turnedBy(shape::makeBox(Vec3(2, 1, 1), 0.1), turn(30.0));
  block.obbGiven = true;
  block.obb.axes = rotationMatrix(turn(75.0));
  folder.write("block.shp", shape::shapesText({block}));
  // Of the skeleton 1.8 x 0.8, seen at 45 degrees, 2.6 / √2 on both sides, and twice the radius.
  const double imposed = (2.6 / std::sqrt(2.0) + 0.2) * (2.6 / std::sqrt(2.0) + 0.2);
  for (const std::string box : {"min", "pca", "aabb", "imposed"}) {
    const auto json = jsonOf(folder, "compute block.shp --force -o new.shp --obb " + box);
    const auto& obb = json["shapes"][0]["obb"];
    CHECK(obb["chosen"] == box);
    CHECK_THAT(obb["volume"].get<double>(), WithinRel(box == "imposed" ? imposed : 2.0, 1e-9));
  }
}

TEST_CASE("an open mesh is imported as a surface or not at all, one inside out is turned",
          "[shapeSurvey]") {
  const Folder folder;
  folder.write("open.off", open);
  CHECK_THAT(refusal(folder, "open.off --radius 0"), Contains("3 edges") && Contains("--surface"));
  CHECK(import(folder, "open.off --radius 0.1 --surface")[0].isSurface);
  folder.write("out.off", insideOut);
  CHECK_THAT(volumeOf(import(folder, "out.off --radius 0")[0]), WithinRel(1.0, 1e-14));
  CHECK_THAT(refusal(folder, "out.off --radius 0 --strict"), Contains("inside out"));
}

TEST_CASE("imports are scaled to a factor, a size, a volume or a mass", "[shapeSurvey]") {
  const Folder folder;
  folder.write("t.off", tetrahedron);
  folder.write("l.off", samples::offOf(samples::letterL(0.0)));
  CHECK_THAT(volumeOf(import(folder, "t.off --radius 0 --scale 2")[0]), WithinRel(8.0, 1e-14));
  CHECK(import(folder, "t.off --radius 0.1 --size 1.7")[0].vertices[3].z() == Approx(1.5));
  for (const double wanted : {0.01, 1.0, 2.0508348050722, 7.0, 1e6})
    CHECK_THAT(volumeOf(import(folder, fmt::format("t.off --radius 0.1 --volume {}", wanted))[0]),
               WithinRel(wanted, 1e-12));
  CHECK_THAT(volumeOf(import(folder, "t.off --radius 0.1 --mass 5200 --density 2600")[0]),
             WithinRel(2.0, 1e-12));
  refusal(folder, "t.off --radius 0.1 --volume 1e-3", 2);  // the rounding alone is larger
  folder.write("b.off", samples::offOf(shape::makeBoulder(60, Vec3(1, 0.9, 0.8), 0.0, 1)));
  CHECK_THAT(volumeOf(import(folder, "b.off --radius 0 --volume 1 --coplanar 25")[0]),
             WithinRel(1.0, 1e-6));
  // A body that is not convex: by the certified method, to its tolerance.
  for (const double wanted : {0.05, 6.45095569263505, 300.0})
    CHECK_THAT(
        volumeOf(import(folder, fmt::format("l.off --radius 0.2 --volume {}", wanted))[0], 1e-8),
        WithinRel(wanted, 2e-6));
}

TEST_CASE("sizes of an inset import are those of the mesh itself", "[shapeSurvey][mesh]") {
  const Folder folder;
  folder.write("t.off", tetrahedron);
  // Every plane of the mesh, twice as large, touches the rounded body: the plane x = 0 does.
  const shape::Shape sized = import(folder, "t.off --inset --size 6 --radius 0.1")[0];
  double low = 1e300;
  for (const Vec3& v : sized.vertices) low = std::min(low, v.x());
  CHECK(std::abs(low - 0.1) < 1e-12);
  // The outer side, although the rounding does not reach the sharp corners.
  for (const std::string radius : {"0.001", "0.1", "1.0", "2.9"}) {
    const auto body = import(folder, "t.off --inset --size 6 --radius " + radius)[0];
    CHECK_THAT(2.0 * shape::boundsOf(body).halfSize().maxCoeff(), WithinRel(6.0, 1e-12));
  }
  refusal(folder, "t.off --inset --size 6 --radius 3", 2);
  refusal(folder, "t.off --inset --radius 0.9");
  CHECK_THAT(volumeOf(import(folder, "t.off --inset --volume 0.3 --radius 0.02")[0]),
             WithinRel(0.3, 1e-12));
}

TEST_CASE("command lines that cannot be meant are refused before the work", "[shapeSurvey]") {
  const Folder folder;
  folder.write("t.off", tetrahedron);
  REQUIRE(run(folder, "shapeSurvey make box -q -o s.shp").code == 0);
  const std::string import = "import t.off -o new.shp --radius ";
  for (const std::string& line :
       {import + "-1", import + "1 --scale 1 --size 1", import + "1 --name 'two words'",
        import + "1 --inset --surface", std::string("check s.shp -o t.shp"),
        std::string("check s.shp s.shp --fix -o t.shp"), std::string("export s.shp -o s.step")}) {
    expect(folder, "shapeSurvey " + line, 2);
    CHECK_FALSE(folder.has("new.shp"));
  }
  CHECK_THAT(run(folder, "shapeSurvey info s.shp --shape Bux").err, Contains("did you mean 'Box'"));
  // A file may be called anything.
  folder.write("#1 >.off", tetrahedron);
  const auto named = jsonOf(folder, "import '#1 >.off' --radius 0.1 -o odd.shp");
  CHECK(named["meshes"][0]["shapes"][0] == "_1_>");
  CHECK(run(folder, "shapeSurvey import t.off --radius 0 --weld 2").code == 3);
}

TEST_CASE("info prints the numbers of a surveyed file, form and size as a table", "[shapeSurvey]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box --radius 0 --size 4 2 1 -q -o box.shp").code == 0);
  std::string text = folder.read("box.shp");
  text.replace(text.find("preCompDone n"), 13, "preCompDone y");
  text.replace(text.find("volume 0"), 8, "volume 7");
  folder.write("odd.shp", text);
  const auto odd = jsonOf(folder, "info odd.shp")["shapes"][0];
  CHECK(odd["volume"] == 7.0);
  CHECK(odd["method"] == "given");
  CHECK(odd["convex"] == true);
  CHECK(odd["bound"].is_null());
  // Zingg: b/a = c/b = 1/2. A square of (2 + 1)/√2 is larger than one of side 2.
  const std::string row = "\nBox,exact-mesh,8,8000,4,2,1,0.5,0.5,blade,2,";
  CHECK_THAT(run(folder, "shapeSurvey info box.shp --density 1000 --table -").out, Contains(row));
  CHECK(run(folder, "shapeSurvey info box.shp --density 1000 --table t.csv").out.empty());
  CHECK_THAT(folder.read("t.csv"), Catch::StartsWith("name,method,volume,") && Contains(row));
  CHECK(run(folder, "shapeSurvey info box.shp --table t.csv").code == 4);
}

TEST_CASE("a body as heavy as one in millimetres would be warns", "[shapeSurvey]") {
  const Folder folder;
  const auto warns = [&](const char* size) {
    const Outcome o =
        run(folder, fmt::format("shapeSurvey make box --size {} -q | shapeSurvey info - "
                                "--density 2700",
                                size));
    CHECK(o.code == 0);
    return o.err.find("millimetres") != std::string::npos;
  };
  CHECK(warns("170"));
  CHECK_FALSE(warns("5"));
}

TEST_CASE("a shape of balls with radii of their own: read, refused, measured", "[shapeSurvey]") {
  const Folder folder;
  const std::string clump =
      "<\nname two\nradii 1 0.8\npreCompDone n\nnv 2\n0 0 0\n0 0 1.2\nne 0\nnf 0\n>\n";
  folder.write("two.shp", clump);
  const auto json = jsonOf(folder, "info two.shp --strict")["shapes"][0];
  // The union of two balls in closed form; its surface is that of two caps.
  const double z = (1.44 + 1.0 - 0.64) / 2.4;
  CHECK_THAT(json["volume"].get<double>(), WithinRel(5.890486225, 1e-9));
  CHECK_THAT(json["centre"][2].get<double>(), WithinRel(0.383333333, 1e-8));
  CHECK_THAT(json["area"].get<double>(),
             WithinRel(2 * pi * (1.0 + z) + 2 * pi * 0.8 * (0.8 + 1.2 - z), 1e-6));
  CHECK(json["radius"].is_null());
  CHECK(json["radii"] == nlohmann::json({1.0, 0.8}));
  CHECK(json["method"] == "exact-union");
  CHECK(json["bounds"]["high"] == nlohmann::json({1.0, 1.0, 2.0}));
}

TEST_CASE("what an import does to a mesh is reported, step by step", "[shapeSurvey][mesh]") {
  const Folder folder;
  folder.write("open.off", open);
  folder.write("whole.off", tetrahedron);
  const std::string command =
      "import open.off whole.off --radius 0.05 --fill-holes --inset --coplanar 1 -o new.shp";
  const auto json = jsonOf(folder, command);
  CHECK(json["schema"] == 1);
  const auto& first = json["meshes"][0];
  CHECK(first["found"]["openEdges"] == nlohmann::json({{"count", 3}, {"faces", {0, 1, 2}}}));
  REQUIRE(first["steps"].size() == 3);
  CHECK(first["steps"][0]["step"] == "fill-holes");
  CHECK(first["steps"][0]["holes"] == 1);
  CHECK(json["meshes"][1]["steps"][1]["exact"] == 1);
  CHECK(json["meshes"][1]["left"]["closed"] == true);
  CHECK_THAT(
      run(folder, "shapeSurvey " + command + " --force").err,
      Contains("found: 3 open edges, first at faces 0, 1, 2") && Contains("holes 1, holesLeft 0"));
  // The hole closed, both are the same body; moved in by the radius it is similar to itself.
  const double inradius = 3.0 * 1.0 / (1.0 + 1.5 + 3.0 + 3.5);  // 3 V / area
  Diagnostics diagnostics;
  for (shape::Shape core : shape::readShapesFromFile(folder.path("new.shp"), diagnostics)) {
    CHECK(core.vertices.size() == 4);
    core.radius = 0.0;
    CHECK_THAT(volumeOf(core), WithinRel(std::pow(1.0 - 0.05 / inradius, 3.0), 1e-12));
  }
  // The volume that rounding adds is printed.
  const auto rounded = jsonOf(folder, "import whole.off --radius 0.1 -o rounded.shp");
  const auto& step = rounded["meshes"][0]["steps"][0];
  CHECK(step["step"] == "rounding");
  CHECK_THAT(step["bodyVolume"].get<double>(),
             WithinRel(volumeOf(import(folder, "whole.off --radius 0.1")[0]), 1e-12));
}

TEST_CASE("imports make one shape for each solid, and do not move in what touches itself",
          "[shapeSurvey][data]") {
  const Folder folder;
  const std::string two =
      "OFF\n8 8 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n5 0 0\n7 0 0\n5 2 0\n5 0 2\n3 0 2 1\n3 0 1 3\n"
      "3 0 3 2\n3 1 2 3\n3 4 6 5\n3 4 5 7\n3 4 7 6\n3 5 6 7\n";
  folder.write("two.off", two);
  const auto split = import(folder, "two.off --radius 0 --split");
  REQUIRE(split.size() == 2);
  CHECK_THAT(volumeOf(split[0]), WithinRel(8.0 / 6.0, 1e-14));
  CHECK(split[1].name == "two_2");
  folder.write("edge.off",  // two tetrahedra that share an edge
               "OFF\n6 8 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0 -1 0\n3 0 2 1\n3 0 1 3\n"
               "3 0 3 2\n3 1 2 3\n3 0 5 4\n3 0 4 3\n3 0 3 5\n3 4 5 3\n");
  const auto atEdge = import(folder, "edge.off --radius 0 --split");
  REQUIRE(atEdge.size() == 2);
  for (const shape::Shape& half : atEdge) CHECK_THAT(volumeOf(half), WithinRel(1.0 / 6.0, 1e-14));
  const std::string touching =
      publicData("field/shapes/R7-inset-blames-the-radius-where-the-mesh-is-not-manifold");
  if (touching.empty()) return;
  for (const auto& [file, what] : {std::pair("two-boxes-at-an-edge.stl", "more than two faces"),
                                   std::pair("two-boxes-at-a-vertex.stl", "touch in a point")})
    CHECK_THAT(refusal(folder, touching + "/" + file + " --radius 0.1 --inset"),
               Contains(what) && Contains("--wrap"));
}

TEST_CASE("the description of shape-files has a row for each keyword", "[shapeSurvey][docs]") {
  std::string rows;
  for (const shape::ShapeKeyword& k : shape::shapeKeywords()) {
    std::string arguments(k.arguments);
    if (const std::size_t bar = arguments.find('|'); bar != std::string::npos)
      arguments.insert(bar, 1, '\\');
    rows += fmt::format("| `{}` | {} | {} | {} | {} |\n", k.name, arguments, k.unit, k.byDefault,
                        k.help);
  }
  CHECK_THAT(readFile(docsFolder() + "/formats/shape.md"), Contains(rows));
}

TEST_CASE("the line above a made shape makes it again", "[shapeSurvey]") {
  const Folder folder;
  const std::string options = "make boulder --size 2 1.5 1 --faces 12 --radius 0.05 --seed 42";
  const Outcome made = run(folder, "shapeSurvey " + options + " | tee first.shp | head -1");
  CHECK(made.out == "# shapeSurvey " + options + "\n");
  CHECK(run(folder, "shapeSurvey list first.shp --strict").code == 0);
  CHECK(run(folder, "$(head -1 first.shp | cut -c3-)").out == folder.read("first.shp"));
}

TEST_CASE("exported meshes are the vertices and faces of the file", "[shapeSurvey][export]") {
  const Folder folder;
  shape::Shape s =
      samples::movedBy(shape::makeBoulder(20, Vec3(1, 0.7, 0.5), 0.05, 3), Vec3(4, 5, 6));
  mass::survey(s);
  folder.write("s.shp", shape::shapesText({s}));
  for (const std::string name : {"s.obj", "s.ply", "s.off"}) {
    const auto json = jsonOf(folder, "export s.shp --strict -o " + name);
    CHECK(json["files"][0]["bytes"] == folder.read(name).size());
    const shape::SurfaceMesh mesh = shape::readMeshFromFile(folder.path(name));
    CHECK(mesh.vertices == s.vertices);
    CHECK_THAT(shape::signedVolume(mesh.vertices, mesh.faces),
               WithinRel(shape::signedVolume(s.vertices, shape::coreOf(s).faces), 1e-15));
    CHECK(run(folder, "shapeSurvey export s.shp -o " + name).code == 4);
  }
  // Edges without faces, where the format has lines.
  folder.write("rod.shp", shape::shapesText({samples::stick(1, 0.2)}));
  jsonOf(folder, "export rod.shp -o rod.obj");
  CHECK_THAT(folder.read("rod.obj"), Contains("\nl 1 2\n"));
  jsonOf(folder, "export rod.shp -o rod.vtp");
  CHECK_THAT(folder.read("rod.vtp"), Contains("NumberOfLines=\"1\""));
  CHECK(run(folder, "shapeSurvey export rod.shp -o rod.off").code == 3);
  folder.write("two.shp", folder.read("rod.shp") + folder.read("s.shp"));
  CHECK(run(folder, "shapeSurvey export two.shp -o two.obj").code == 2);
}
