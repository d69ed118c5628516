// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "folder.hpp"
#include "json.hpp"
#include "paths.hpp"
#include "shapeSurvey.hpp"
#include "skip.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <string>

using namespace scree;
using namespace scree::mesh;
using namespace scree::tools;
using Catch::Matchers::WithinRel;

namespace {

using ToolFolder = scree::testing::Folder;

const std::string tetrahedron =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
const std::string insideOut =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n";
const std::string open = "OFF\n4 3 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n";

std::vector<shape::Shape> import(const std::string& path, double radius,
                                 void (*more)(ImportOptions&) = nullptr) {
  ImportOptions options;
  options.meshes = {path};
  options.radius = radius;
  if (more) more(options);
  Diagnostics diagnostics;
  std::vector<ImportReport> reports;
  return imported(options, diagnostics, reports);
}

/// The shape-file of a made shape.
std::string made(const MakeOptions& options) { return madeText(options, madeShape(options)); }

double volumeOf(const shape::Shape& s) { return mass::massReport(s).solid.volume; }

}  // namespace

TEST_CASE("the seed's cube surveys to its exact volume and inertia", "[shapeSurvey]") {
  const ToolFolder folder;
  MakeOptions make;
  make.kind = "box";
  make.size = {1.0};
  make.radius = 0.1;
  ComputeOptions compute;
  compute.shapes = folder.write("cube.shp", made(make));
  Diagnostics diagnostics;
  const auto reports = computed(compute, diagnostics);
  REQUIRE(reports.size() == 1);
  const shape::Shape& cube = reports[0].shape;
  CHECK_THAT(cube.volume, WithinRel(0.975587013891, 1e-11));
  for (int k = 0; k < 3; ++k) CHECK_THAT(cube.inertiaPerMass[k], WithinRel(0.161966351935, 1e-11));
  CHECK((cube.obb.extent - Vec3::Constant(0.5)).norm() < 1e-15);
  CHECK(diagnostics.warnings().empty());
}

TEST_CASE("compute uses the method of --obb", "[shapeSurvey]") {
  // A block of 2 x 1 x 1 turned by 30 degrees about z, and a box of its own along the diagonal.
  const ToolFolder folder;
  shape::Shape block = shape::makeBox(Vec3(2, 1, 1), 0.1);
  const auto turn = [](double degrees) {
    return Quat(Eigen::AngleAxisd(degrees * pi / 180.0, Vec3::UnitZ()));
  };
  for (Vec3& v : block.vertices) v = rotated(turn(30.0), v);
  block.obbGiven = true;
  block.obb.axes = rotationMatrix(turn(75.0));
  ComputeOptions compute;
  compute.shapes = folder.write("block.shp", shape::shapesText({block}));
  // Of the skeleton 1.8 x 0.8, seen at 45 degrees, 2.6 / √2 on both sides, and twice the radius.
  const double imposed = (2.6 / std::sqrt(2.0) + 0.2) * (2.6 / std::sqrt(2.0) + 0.2);
  for (const char* box : {"min", "pca", "aabb", "imposed"}) {
    compute.box = box;
    Diagnostics diagnostics;
    const std::vector<ComputeReport> reports = computed(compute, diagnostics);
    const double chosen = box == std::string("imposed") ? imposed : 2.0;
    CHECK_THAT(reports.at(0).shape.obb.volume(), WithinRel(chosen, 1e-9));
    const auto json = scree::testing::parseJson(computeJson(reports, compute));
    CHECK(json["shapes"][0]["obb"]["chosen"] == box);
  }
  compute.box = "smallest";
  Diagnostics diagnostics;
  CHECK_THROWS_AS(computed(compute, diagnostics), UsageError);
}

TEST_CASE("an open mesh is imported as a surface or not at all", "[shapeSurvey]") {
  const ToolFolder folder;
  const std::string path = folder.write("open.off", open);
  CHECK_THROWS_AS(import(path, 0.1), GeometryError);
  CHECK_THROWS_WITH(import(path, 0.1), Catch::Contains("3 edges") && Catch::Contains("--surface"));
  CHECK(import(path, 0.1, [](ImportOptions& o) { o.surface = true; })[0].isSurface);
}

TEST_CASE("a mesh turned inside out is turned back, with a warning", "[shapeSurvey]") {
  const ToolFolder folder;
  ImportOptions options;
  options.meshes = {folder.write("out.off", insideOut)};
  Diagnostics diagnostics, strict(true);
  std::vector<ImportReport> reports;
  const auto shapes = imported(options, diagnostics, reports);
  CHECK_THAT(volumeOf(shapes[0]), WithinRel(1.0, 1e-14));
  REQUIRE(diagnostics.warnings().size() == 1);
  CHECK_THAT(diagnostics.warnings()[0], Catch::Contains("inside out"));
  CHECK_THROWS_AS(imported(options, strict, reports), ModelError);
}

TEST_CASE("imports are scaled to a factor, a size, a volume or a mass", "[shapeSurvey]") {
  const ToolFolder folder;
  const std::string path = folder.write("t.off", tetrahedron);
  CHECK_THAT(volumeOf(import(path, 0.0, [](ImportOptions& o) { o.scale = 2.0; })[0]),
             WithinRel(8.0, 1e-14));
  CHECK(import(path, 0.1, [](ImportOptions& o) { o.size = 1.7; })[0].vertices[3].z() ==
        Approx(1.5));
  for (const double wanted : {0.01, 1.0, 2.0508348050722, 7.0, 1e6})
    CHECK_THAT(volumeOf([&] {
                 ImportOptions o;
                 o.meshes = {path};
                 o.radius = 0.1;
                 o.volume = wanted;
                 Diagnostics diagnostics;
                 std::vector<ImportReport> reports;
                 return imported(o, diagnostics, reports)[0];
               }()),
               WithinRel(wanted, 1e-12));
  const auto heavy =
      import(path, 0.1, [](ImportOptions& o) { o.mass = 5200.0, o.density = 2600.0; });
  CHECK_THAT(volumeOf(heavy[0]), WithinRel(2.0, 1e-12));
  // The rounding alone is larger than this.
  CHECK_THROWS_AS(import(path, 0.1, [](ImportOptions& o) { o.volume = 1e-3; }), UsageError);
}

TEST_CASE("a body that is not convex is scaled to a volume, too", "[shapeSurvey]") {
  // An L of three cubes; volumes of the certified method, to its tolerance.
  const ToolFolder folder;
  const std::string path = folder.write(
      "l.off",
      "OFF\n12 8 0\n0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n0 0 1\n2 0 1\n2 1 1\n1 1 1\n1 2 1\n"
      "0 2 1\n6 5 4 3 2 1 0\n6 6 7 8 9 10 11\n4 0 1 7 6\n4 1 2 8 7\n4 2 3 9 8\n4 3 4 10 9\n"
      "4 4 5 11 10\n4 5 0 6 11\n");
  for (const double wanted : {0.05, 6.45095569263505, 300.0}) {
    ImportOptions o;
    o.meshes = {path};
    o.radius = 0.2;
    o.volume = wanted;
    Diagnostics diagnostics;
    std::vector<ImportReport> reports;
    const shape::Shape s = imported(o, diagnostics, reports)[0];
    CHECK(diagnostics.warnings().empty());
    CHECK_THAT(mass::massReport(s, {.tolerance = 1e-8}).solid.volume, WithinRel(wanted, 2e-6));
  }
}

TEST_CASE("options that exclude each other and numbers out of range are refused", "[shapeSurvey]") {
  const std::string importMesh = "import t.off --radius 0.1 ", compute = "compute s.shp ";
  for (const std::string& line :
       {std::string("import t.off --radius -1"), importMesh + "--mass 1",
        importMesh + "--scale 1 --size 1", importMesh + "--name \"two words\"",
        importMesh + "--name #x", importMesh + "--size nan", importMesh + "--size 1e300",
        importMesh + "--scale -1", importMesh + "--weld -1", importMesh + "--coplanar 90",
        importMesh + "--simplify 3", importMesh + "--decompose 0", importMesh + "--inset --surface",
        compute + "--tolerance 0", std::string("check s.shp --fix"),
        std::string("check s.shp -o t.shp"), std::string("info s.shp --density 0")}) {
    INFO(line);
    CLI::App app;
    CommonOptions common;
    std::vector<Verb> verbs;  // they own the options
    for (auto* add : {addImportVerb, addComputeVerb, addInfoVerb, addCheckVerb})
      verbs.push_back(add(app, common));
    CHECK_THROWS_AS(app.parse(line), CLI::ParseError);
  }
  const ToolFolder folder;
  ComputeOptions options;
  options.shapes = folder.write("t.off", tetrahedron);
  options.method = "certfied";
  Diagnostics diagnostics;
  CHECK_THROWS_AS(computed(options, diagnostics), UsageError);
  CHECK_THROWS_AS(import(folder / "absent.stl", 0.1), IoError);
}
TEST_CASE("info tells the numbers of a surveyed file", "[shapeSurvey]") {
  const ToolFolder folder;
  MakeOptions make;
  make.kind = "box";
  make.radius = 0.1;
  std::string text = made(make);
  text.replace(text.find("preCompDone n"), 13, "preCompDone y");
  text.replace(text.find("volume 0"), 8, "volume 7");
  InfoOptions options;
  options.shapes = folder.write("odd.shp", text);
  Diagnostics diagnostics;
  const auto json = scree::testing::parseJson(infoJson(infoOf(options, diagnostics)))["shapes"][0];
  CHECK(json["volume"] == 7.0);
  CHECK(json["method"] == "given");
  CHECK(json["convex"] == true);
  options.shape = "Bux";
  CHECK_THROWS_WITH(infoOf(options, diagnostics), Catch::Contains("did you mean 'Box'"));
}

TEST_CASE("a shape of balls with radii of their own: read, refused, measured", "[shapeSurvey]") {
  const ToolFolder folder;
  const std::string clump =
      "<\nname two\nradii 1 0.8\npreCompDone n\nnv 2\n0 0 0\n0 0 1.2\nne 0\nnf 0\n>\n";
  InfoOptions options;
  options.shapes = folder.write("two.shp", clump);
  Diagnostics strict(true);
  const auto infos = infoOf(options, strict);
  // The union of two balls in closed form; its surface is that of two caps.
  const double z = (1.44 + 1.0 - 0.64) / 2.4;
  CHECK_THAT(infos.at(0).volume, WithinRel(5.890486225, 1e-9));
  CHECK_THAT(infos[0].centre.z(), WithinRel(0.383333333, 1e-8));
  CHECK_THAT(infos[0].morphology.area->area,
             WithinRel(2 * pi * (1.0 + z) + 2 * pi * 0.8 * (0.8 + 1.2 - z), 1e-6));
  const std::string json = infoJson(infos);
  CHECK_THAT(json, Catch::Contains("\"radius\": null") && Catch::Contains("\"radii\": [\n") &&
                       Catch::Contains("exact-union") && Catch::Contains("\"extent\": [\n"));
  const shape::Obb box = shape::orientedBox(infos[0].given, shape::BoxMethod::aabb);
  CHECK((box.extent - Vec3(1.0, 1.0, 1.5)).norm() < 1e-15);
  CHECK((box.centre - Vec3(0, 0, 0.5)).norm() < 1e-15);

  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = clump;
    text.replace(text.find(from), from.size(), to);
    TextReader in("two.shp", text);
    Diagnostics quiet;
    try {
      shape::readShapes(in, quiet);
    } catch (const ParseError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("radii 1 0.8", "radii\n1\n0.8").empty());
  CHECK_THAT(refused("radii 1 0.8", "radii 1"), Catch::Contains("1 radii for 2 vertices"));
  CHECK_THAT(refused("radii 1 0.8", "radii 1 0"), Catch::Contains("two.shp:3:9"));
  CHECK_THAT(refused("radii", "radius 1\nradii"), Catch::Contains("radius and radii"));
  CHECK_THAT(refused("ne 0", "radius 1\nne 0"), Catch::Contains("radius and radii"));
  CHECK_THAT(refused("ne 0", "ne 1\n0 1"),
             Catch::Contains("radii are for shapes of vertices only"));
}

TEST_CASE("an import says what the rounding adds to the mesh", "[shapeSurvey]") {
  const ToolFolder folder;
  ImportOptions options;
  options.meshes = {folder.write("t.off", tetrahedron)};
  options.radius = 0.1;
  options.density = 1000.0;
  Diagnostics diagnostics;
  std::vector<ImportReport> reports;
  const shape::Shape body = imported(options, diagnostics, reports).at(0);
  const ImportStep& step = reports[0].steps.back();
  CHECK(step.step == "rounding");
  CHECK_THAT(step.figures[0].second, WithinRel(volumeOf(body), 1e-12));
  CHECK_THAT(step.text, Catch::Contains("mass 1000 and") && Catch::Contains("--inset"));
}

TEST_CASE("info prints form and size as a table", "[shapeSurvey]") {
  const ToolFolder folder;
  MakeOptions make;
  make.kind = "box";
  make.radius = 0.0;
  make.size = {4.0, 2.0, 1.0};
  InfoOptions options;
  options.shapes = folder.write("box.shp", made(make));
  options.density = 1000.0;
  Diagnostics diagnostics;
  // Zingg: b/a = c/b = 1/2. Sneed & Folk: c/a = 1/4, (a - b)/(a - c) = 2/3. A square of (2 + 1)/√2
  // is larger than one of side 2.
  CHECK_THAT(infoCsv(infoOf(options, diagnostics)),
             Catch::Contains("\nBox,exact-mesh,8,8000,4,2,1,0.5,0.5,blade,VE,2,"));
  options.shapes = folder.write("two.off", "OFF\n4 0 0\n");
  CHECK_THROWS_AS(infoOf(options, diagnostics), ParseError);
}

TEST_CASE("imports make one shape for each solid, and do not move in what touches itself",
          "[shapeSurvey][data]") {
  const std::string field = scree::testing::dataFolder() + "/field/shapes/";
  if (!std::filesystem::exists(field)) return scree::testing::skip("no " + field);
  const auto inset = [](ImportOptions& o) { o.inset = true; };
  const std::string touching = field + "R7-inset-blames-the-radius-where-the-mesh-is-not-manifold/";
  CHECK_THROWS_WITH(import(touching + "two-boxes-at-an-edge.stl", 0.1, inset),
                    Catch::Contains("more than two faces") && Catch::Contains("--wrap"));
  CHECK_THROWS_WITH(import(touching + "two-boxes-at-a-vertex.stl", 0.1, inset),
                    Catch::Contains("touch in a vertex") && Catch::Contains("--wrap"));
  const ToolFolder folder;
  const std::string two =
      "OFF\n8 8 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n5 0 0\n7 0 0\n5 2 0\n5 0 2\n3 0 2 1\n3 0 1 3\n"
      "3 0 3 2\n3 1 2 3\n3 4 6 5\n3 4 5 7\n3 4 7 6\n3 5 6 7\n";
  const auto split =
      import(folder.write("two.off", two), 0.0, [](ImportOptions& o) { o.split = true; });
  REQUIRE(split.size() == 2);
  CHECK_THAT(volumeOf(split[0]), WithinRel(8.0 / 6.0, 1e-14));
  CHECK(split[1].name == "two_2");
}

TEST_CASE("the description of shape-files has a row for each keyword", "[shapeSurvey][docs]") {
  const std::filesystem::path docs = scree::testing::docsFolder();
  const std::string page = readFile((docs / "formats/shape.md").string());
  std::string rows;
  for (const shape::ShapeKeyword& k : shape::shapeKeywords()) {
    std::string arguments(k.arguments);
    if (const std::size_t bar = arguments.find('|'); bar != std::string::npos)
      arguments.insert(bar, 1, '\\');
    rows += fmt::format("| `{}` | {} | {} | {} | {} |\n", k.name, arguments, k.unit, k.byDefault,
                        k.help);
  }
  CHECK_THAT(page, Catch::Contains(rows));
}

TEST_CASE("what make says above a shape makes it again", "[shapeSurvey]") {
  MakeOptions make;
  make.kind = "boulder";
  make.faces = 12;
  make.size = {2.0, 1.5, 1.0};
  make.radius = 0.05;
  make.seed = 42;
  const std::string text = made(make);
  CHECK_THAT(text,
             Catch::StartsWith(
                 "# shapeSurvey make boulder --size 2 1.5 1 --faces 12 --radius 0.05 --seed 42\n"));
  Diagnostics diagnostics;
  TextReader in("boulder.shp", text);
  CHECK(shape::readShapes(in, diagnostics).size() == 1);
  CHECK(diagnostics.warnings().empty());
  make.kind = "cone";
  CHECK_THROWS_AS(made(make), UsageError);
}

TEST_CASE("what an import does to a mesh is reported, step by step", "[shapeSurvey][mesh]") {
  const ToolFolder folder;
  ImportOptions options;
  options.meshes = {folder.write("open.off", open), folder.write("whole.off", tetrahedron)};
  options.radius = 0.05;
  options.fillHoles = options.inset = true;
  options.coplanar = 1.0;
  options.threads = 2;
  Diagnostics diagnostics;
  std::vector<ImportReport> reports;
  const auto shapes = imported(options, diagnostics, reports);
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[0].name == "open");
  // The hole closed, both are the same body; moved in by the radius it is similar to itself.
  CHECK(shapes[0].vertices.size() == 4);
  const double inradius = 3.0 * 1.0 / (1.0 + 1.5 + 3.0 + 3.5);  // 3 V / area
  const double ratio = 1.0 - 0.05 / inradius;
  for (const auto& s : shapes) {
    shape::Shape core = s;
    core.radius = 0.0;
    CHECK_THAT(volumeOf(core), WithinRel(ratio * ratio * ratio, 1e-12));
  }
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].found.openEdges.count == 3);
  CHECK(reports[0].left.sound());
  REQUIRE(reports[0].steps.size() == 3);
  CHECK(reports[0].steps[0].step == "fill-holes");
  CHECK(reports[0].steps[1].step == "inset");
  CHECK(reports[0].steps[2].step == "coplanar");
  const std::string lines = fmt::format("{}", fmt::join(importLines(reports), "\n"));
  CHECK_THAT(lines,
             Catch::Contains("3 open edges, first at faces 0, 1, 2") &&
                 Catch::Contains("1 hole closed by 1 triangle") &&
                 Catch::Contains("the rounded surface meets every plane of the convex mesh"));
  const auto json = scree::testing::parseJson(importJson(reports));
  CHECK(json["schema"] == 1);
  CHECK(json["meshes"][0]["found"]["openEdges"]["count"] == 3);
  CHECK(json["meshes"][0]["steps"][0]["holes"] == 1);
  CHECK(json["meshes"][1]["steps"][1]["exact"] == 1);
  CHECK(json["meshes"][1]["left"]["closed"] == true);
}

TEST_CASE("sizes of an inset import are those of the mesh itself", "[shapeSurvey][mesh]") {
  const ToolFolder folder;
  const std::string path = folder.write("t.off", tetrahedron);
  const auto sized = import(path, 0.1, [](ImportOptions& o) { o.size = 6.0, o.inset = true; })[0];
  // Every plane of the mesh, twice as large, touches the rounded body: the plane x = 0 does.
  double low = 1e300;
  for (const Vec3& v : sized.vertices) low = std::min(low, v.x());
  CHECK_THAT(low - 0.1, Catch::Matchers::WithinAbs(0.0, 1e-12));
  // The outer side, although the rounding does not reach the sharp corners.
  for (const double radius : {0.001, 0.1, 1.0, 2.9}) {
    const auto body =
        import(path, radius, [](ImportOptions& o) { o.size = 6.0, o.inset = true; })[0];
    CHECK_THAT(2.0 * shape::boundsOf(body).halfSize().maxCoeff(), WithinRel(6.0, 1e-12));
  }
  CHECK_THROWS_AS(import(path, 3.0, [](ImportOptions& o) { o.size = 6.0, o.inset = true; }),
                  UsageError);
  const auto heavy = import(
      path, 0.1, [](ImportOptions& o) { o.mass = 5200.0, o.density = 2600.0, o.inset = true; })[0];
  CHECK_THAT(volumeOf(heavy), WithinRel(2.0, 1e-12));
  const auto larger =
      import(path, 0.02, [](ImportOptions& o) { o.volume = 0.3, o.inset = true; })[0];
  CHECK_THAT(volumeOf(larger), WithinRel(0.3, 1e-12));
}

TEST_CASE("names that no reader takes and steps that leave nothing are refused",
          "[shapeSurvey][mesh]") {
  const ToolFolder folder;
  const std::string path = folder.write("t.off", tetrahedron);
  MakeOptions make;
  make.kind = "box";
  for (const char* name : {"", ">", "<", "#x", "/x", "!x", "a b", "a\tb"}) {
    make.name = name;
    CHECK_THROWS_AS(made(make), UsageError);
  }
  CHECK(shape::nameProblem("rock#1").empty());
  // A file may be called anything.
  CHECK(import(folder.write("#1 >.off", tetrahedron), 0.1)[0].name == "_1_>");
  CHECK_THROWS_AS(import(path, 0.1, [](ImportOptions& o) { o.weld = 2.0; }), GeometryError);
  CHECK_THROWS_AS(import(path, 0.9, [](ImportOptions& o) { o.inset = true; }), GeometryError);
}
