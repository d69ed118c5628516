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
}

TEST_CASE("edges without faces are written where the format has lines", "[shapeSurvey][export]") {
  const Folder folder;
  folder.write("s.shp", shape::shapesText({samples::stick(1, 0.2)}));
  Diagnostics diagnostics;
  exported(optionsFor(folder, "s.obj"), diagnostics);
  CHECK_THAT(folder.read("s.obj"), Catch::Contains("\nl 1 2\n"));
  exported(optionsFor(folder, "s.vtp"), diagnostics);
  CHECK_THAT(folder.read("s.vtp"), Catch::Contains("NumberOfLines=\"1\""));
  CHECK_THROWS_AS(exported(optionsFor(folder, "s.off"), diagnostics), GeometryError);
  CHECK_THROWS_AS(exported(optionsFor(folder, "s.step"), diagnostics), UsageError);
  folder.write("s.shp", shape::shapesText({samples::stick(1, 0.2), samples::box(1, 1, 1, 0.1)}));
  CHECK_THROWS_AS(exported(optionsFor(folder, "two.obj"), diagnostics), UsageError);
}
