// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "command.hpp"
#include "sample_shapes.hpp"
#include "shapeSurvey.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

using namespace scree;
using namespace scree::tools;
using Catch::Matchers::WithinRel;
using testing::Folder;

namespace {

ExportOptions optionsFor(const Folder& folder, const std::string& output) {
  ExportOptions options;
  options.shapes = folder.path("s.shp");
  options.output = folder.path(output);
  return options;
}

/// A boulder in its body frame, which stood elsewhere before.
shape::Shape surveyedBoulder() {
  shape::Shape s =
      samples::movedBy(shape::makeBoulder(20, Vec3(1, 0.7, 0.5), 0.05, 3), Vec3(4, 5, 6));
  s = samples::turnedBy(s, Quat(Eigen::AngleAxisd(0.8, Vec3(1, 1, 3).normalized())));
  mass::survey(s);
  return s;
}

}  // namespace

TEST_CASE("skeletons exported are the vertices and faces of the file", "[shapeSurvey][export]") {
  const Folder folder;
  const shape::Shape s = surveyedBoulder();
  folder.write("s.shp", shape::shapesText({s}));
  Diagnostics diagnostics(true);
  for (const char* name : {"s.obj", "s.ply", "s.off"}) {
    INFO(name);
    exported(optionsFor(folder, name), diagnostics);
    const shape::SurfaceMesh mesh = shape::readMeshFromFile(folder.path(name));
    CHECK(mesh.vertices == s.vertices);
    CHECK(mesh.faces.size() == s.faces.size());
    CHECK_THAT(shape::signedVolume(mesh.vertices, mesh.faces),
               WithinRel(shape::signedVolume(s.vertices, shape::coreOf(s).faces), 1e-15));
    CHECK_THROWS_AS(exported(optionsFor(folder, name), diagnostics), IoError);
  }
  ExportOptions original = optionsFor(folder, "o.obj");
  original.original = true;
  exported(original, diagnostics);
  const shape::SurfaceMesh mesh = shape::readMeshFromFile(folder.path("o.obj"));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    CHECK(mesh.vertices[v] == s.position + rotated(s.orientation, s.vertices[v]));
}

TEST_CASE("rounded surfaces exported close in on the exact volume with the square of the fineness",
          "[shapeSurvey][export]") {
  const Folder folder;
  const shape::Shape s = surveyedBoulder();
  folder.write("s.shp", shape::shapesText({s}));
  Diagnostics diagnostics(true);
  double last = 0.0;
  for (const int fineness : {2, 4, 8, 16}) {
    ExportOptions options = optionsFor(folder, fmt::format("s{}.ply", fineness));
    options.fineness = fineness;
    exported(options, diagnostics);
    const shape::SurfaceMesh mesh = shape::readMeshFromFile(options.output);
    CHECK(shape::meshTopology(mesh.vertices.size(), mesh.faces).closed());
    const double missing = 1.0 - shape::signedVolume(mesh.vertices, mesh.faces) / s.volume;
    CHECK(missing > 0.0);  // a mesh with its points on a convex body lies inside it
    if (last > 0.0) CHECK(missing < 0.4 * last);
    last = missing;
  }
  CHECK(last < 1e-3);
}

TEST_CASE("several shapes go into a folder, under names that files may have",
          "[shapeSurvey][export]") {
  const Folder folder;
  shape::Shape a = samples::box(1, 1, 1, 0.1), b = samples::stick(1, 0.2);
  a.name = "../x/Rod";
  b.name = "..?x:Rod";
  folder.write("s.shp", shape::shapesText({a, b}));
  Diagnostics diagnostics;
  CHECK_THROWS_WITH(exported(optionsFor(folder, "all.stl"), diagnostics),
                    Catch::Contains("2 shapes") && Catch::Contains("--shape"));
  CHECK_THROWS_WITH(exported(optionsFor(folder, "meshes"), diagnostics),
                    Catch::Contains("no faces") && Catch::Contains("--rounded"));
  ExportOptions options = optionsFor(folder, "round/");
  options.fineness = 2;
  options.format = "vtp";
  options.threads = 2;
  const auto files = exported(options, diagnostics);
  REQUIRE(files.size() == 2);
  CHECK(folder.has("round/_._x_Rod.vtp"));
  CHECK(folder.has("round/_._x_Rod_2.vtp"));
  CHECK_THAT(exportJson(files), Catch::Contains("\"schema\": 1"));
  options.shape = "../x/Rood";
  CHECK_THROWS_WITH(exported(options, diagnostics), Catch::Contains("did you mean '../x/Rod'"));
  options.shape.clear();
  options.format = "step";
  CHECK_THROWS_AS(exported(options, diagnostics), UsageError);
}

TEST_CASE("edges without faces are written where the format has lines", "[shapeSurvey][export]") {
  const Folder folder;
  folder.write("s.shp", shape::shapesText({samples::stick(1, 0.2)}));
  Diagnostics diagnostics;
  exported(optionsFor(folder, "s.obj"), diagnostics);
  CHECK_THAT(folder.read("s.obj"), Catch::Contains("\nl 1 2\n"));
  ExportOptions vtp = optionsFor(folder, "s.vtp");
  vtp.ascii = true;
  exported(vtp, diagnostics);
  CHECK_THAT(folder.read("s.vtp"), Catch::Contains("NumberOfLines=\"1\""));
  CHECK_THROWS_AS(exported(optionsFor(folder, "s.off"), diagnostics), GeometryError);
  CHECK(diagnostics.warnings().empty());
}
