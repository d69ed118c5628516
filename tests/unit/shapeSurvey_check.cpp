// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "sample_meshes.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/mesh/audit.hpp"
#include "scree/mesh/import.hpp"
#include "scree/shape/shape_file.hpp"

#include <algorithm>

using namespace scree;
using namespace scree::mesh;
using shape::Shape;
using testing::Folder;

namespace {

Shape soundBoulder() {
  Shape s = samples::turnedBy(shape::makeBoulder(14, Vec3(1, 0.7, 0.5), 0.05, 7),
                              Quat(Eigen::AngleAxisd(0.8, Vec3(1, 1, 3).normalized())));
  mass::survey(s);
  return s;
}

struct Planted {
  const char* what;
  Severity severity;
  void (*plant)(Shape&);
};

const Planted defects[] = {
    {"volume", Severity::error, [](Shape& s) { s.volume *= 1.07; }},
    {"volume", Severity::warning, [](Shape& s) { s.volume *= 1.001; }},
    {"volume", Severity::note, [](Shape& s) { s.volume *= 1.00001; }},
    {"inertia", Severity::error, [](Shape& s) { s.inertiaPerMass[1] *= 0.64; }},
    {"centre", Severity::error,
     [](Shape& s) {
       for (Vec3& v : s.vertices) v.x() += 0.1;
       s.obb.centre.x() += 0.1;
     }},
    {"frame", Severity::error,
     [](Shape& s) {
       const Quat q(Eigen::AngleAxisd(0.3, Vec3::UnitZ()));
       for (Vec3& v : s.vertices) v = rotated(q, v);
       s.obb.axes = (rotationMatrix(q) * s.obb.axes).eval();
       s.obb.centre = rotated(q, s.obb.centre);
     }},
    {"box", Severity::error, [](Shape& s) { s.obb.extent.y() -= s.radius; }},
    {"box-axes", Severity::error, [](Shape& s) { s.obb.axes.col(1) = s.obb.axes.col(0); }},
    {"no-box", Severity::error, [](Shape& s) { s.obbGiven = false; }},
    {"orientation", Severity::warning, [](Shape& s) { s.orientation.coeffs() *= 1.0005; }},
    {"duplicate-vertices", Severity::warning,
     [](Shape& s) {
       s.vertices.push_back(s.vertices[3]);
       s.edges.push_back({2, static_cast<std::uint32_t>(s.vertices.size() - 1)});
     }},
    {"unused-vertices", Severity::warning, [](Shape& s) { s.vertices.emplace_back(0, 0, 0); }},
    {"duplicate-edges", Severity::warning,
     [](Shape& s) {
       s.edges.emplace_back(shape::Edge{s.edges[2][1], s.edges[2][0]});
     }},
    {"zero-length-edges", Severity::warning,
     [](Shape& s) {
       s.edges.emplace_back(shape::Edge{1, 1});
     }},
    {"missing-edges", Severity::error, [](Shape& s) { s.edges.erase(s.edges.begin() + 4); }},
    {"duplicate-faces", Severity::warning,
     [](Shape& s) {
       s.faces.add(std::vector<std::uint32_t>(s.faces[0].begin(), s.faces[0].end()));
     }},
    {"degenerate-faces", Severity::warning,
     [](Shape& s) {
       s.faces.add(std::array{s.edges[0][0], s.edges[0][1], s.edges[0][0]});
     }},
    {"inside-out", Severity::note,
     [](Shape& s) { std::reverse(s.faces[2].begin(), s.faces[2].end()); }},
};

bool has(const std::vector<Finding>& findings, std::string_view what) {
  return std::ranges::find(findings, what, &Finding::what) != findings.end();
}

}  // namespace

TEST_CASE("a surveyed shape has no findings, and repair keeps it to the bit",
          "[shapeSurvey][check]") {
  for (Shape s : {soundBoulder(), samples::stick(1, 0.2), shape::makePlate(1, 2, 0.1),
                  shape::makeSphere(1), samples::box(1, 2, 3, 0.1)}) {
    mass::survey(s);
    INFO(s.name);
    CHECK(audited(s).empty());
    CHECK(shape::shapesText({repaired(s)}) == shape::shapesText({s}));
  }
}

TEST_CASE("each planted defect is found, mended, and repair comes to rest",
          "[shapeSurvey][check]") {
  for (const Planted& defect : defects) {
    INFO(defect.what);
    Shape s = soundBoulder();
    const Shape sound = s;
    defect.plant(s);
    const std::vector<Finding> findings = audited(s);
    const auto found = std::ranges::find(findings, defect.what, &Finding::what);
    REQUIRE(found != findings.end());
    CHECK(found->severity == defect.severity);
    CHECK(found->mendable);
    const Shape mended = repaired(s);
    for (const Finding& f : audited(mended)) FAIL_CHECK("left: " << f.what << ": " << f.message);
    CHECK(mended.name == s.name);
    CHECK(mended.volume == Approx(sound.volume).epsilon(1e-12));
    CHECK((mended.inertiaPerMass - sound.inertiaPerMass).norm() < 1e-12);
    CHECK(mended.vertices.size() == sound.vertices.size());
    CHECK(shape::shapesText({repaired(mended)}) == shape::shapesText({mended}));
    // Where the body stood is remembered through the repair.
    for (std::size_t v = 0; v < sound.vertices.size(); ++v)
      CHECK((sound.position + rotated(sound.orientation, s.vertices[v]) - mended.position -
             rotated(mended.orientation, mended.vertices[v]))
                .norm() < 1e-3);
  }
}

TEST_CASE("surfaces that pass through themselves are found, but not where rounding did it",
          "[shapeSurvey][check]") {
  // Two boxes in one shape, the second through the first; then beside it.
  const Shape box = samples::box(1, 1, 1, 0.0), rod = samples::box(0.5, 0.5, 2, 0.0);
  const auto pair = [&](const Shape& other, const Vec3& shift, const Quat& q) {
    const Shape beside = samples::movedBy(other, shift);
    return samples::mapped(
        samples::joined({box.vertices, box.faces}, {beside.vertices, beside.faces}),
        [&](const Vec3& v) { return rotated(q, v); });
  };
  const auto asShape = [](const shape::SurfaceMesh& mesh) {
    return shape::shapeFromMesh(mesh, 0.05);
  };
  const std::vector<Finding> findings =
      audited(asShape(pair(rod, Vec3(0.1, 0.05, 0), Quat::Identity())));
  const auto found = std::ranges::find(findings, "self-intersecting", &Finding::what);
  REQUIRE(found != findings.end());
  CHECK(found->severity == Severity::warning);
  CHECK_FALSE(found->mendable);
  CHECK_FALSE(found->elements.empty());
  CHECK_FALSE(
      has(audited(asShape(pair(rod, Vec3(5, 0, 0), Quat::Identity()))), "self-intersecting"));
  // Boxes stacked at an angle pass through each other by rounding alone; the import unites them.
  const Folder folder;
  const shape::SurfaceMesh stack =
      pair(box, Vec3(0.3, 0.2, 1.0), Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())));
  ImportOptions options;
  options.meshes = {folder.write("stack.obj", shape::meshBytes(stack, shape::MeshFormat::obj))};
  options.radius = 0.01;
  Diagnostics diagnostics;
  std::vector<ImportReport> reports;
  CHECK_FALSE(has(audited(imported(options, diagnostics, reports).at(0)), "self-intersecting"));
}

TEST_CASE("repair keeps balls beside a solid, and cuts bent faces inside their outlines",
          "[shapeSurvey][check]") {
  Shape ball = samples::box(1, 2, 3, 0.1);
  ball.vertices.emplace_back(5, 5, 5);
  Shape letter = samples::letterL(0.2);
  letter.vertices[7].z() += 1e-4;
  for (Shape* s : {&ball, &letter}) {
    mass::survey(*s);
    CHECK(repaired(*s).volume == Approx(s->volume).epsilon(1e-4));
  }
}

TEST_CASE("what cannot be mended is found and said so", "[shapeSurvey][check]") {
  Shape open = soundBoulder();
  shape::Polygons fewer;
  for (std::size_t f = 1; f < open.faces.size(); ++f) fewer.add(open.faces[f]);
  open.faces = fewer;
  REQUIRE(has(audited(open), "open"));
  CHECK_FALSE(audited(open)[0].mendable);
  CHECK(shape::shapesText({repaired(open)}) == shape::shapesText({open}));

  Shape bent = samples::box(1, 1, 1, 0.1);
  bent.vertices[0] *= 1.1;
  CHECK(has(audited(bent), "not-plane"));
  CHECK(audited(repaired(bent)).empty());

  Shape fin = samples::box(1, 1, 1, 0.0);
  fin.vertices.emplace_back(0, 0, 2);
  fin.faces.add({0, 1, 8});
  CHECK_FALSE(audited(fin).empty());
}

TEST_CASE("files are checked with lines, JSON and exit code", "[shapeSurvey][check]") {
  const Folder folder;
  Shape good = soundBoulder(), bad = soundBoulder();
  good.name = "Good";
  bad.name = "Bad";
  bad.volume *= 1.5;
  bad.edges.pop_back();
  folder.write("a.shp", "# two of them\n" + shape::shapesText({good, bad}));
  folder.write("b.shp", shape::shapesText({good}));
  const testing::Outcome both = run(folder, "shapeSurvey check a.shp b.shp --json");
  CHECK(both.code == 3);
  const auto json = testing::parseJson(both.out);
  REQUIRE(json["files"].size() == 2);
  CHECK(json["files"][1]["findings"].empty());
  const auto& findings = json["files"][0]["findings"];
  REQUIRE(findings.size() == 2);
  CHECK(findings[0]["finding"] == "missing-edges");
  CHECK(findings[1]["finding"] == "volume");
  CHECK(findings[1]["error"].get<double>() == Approx(0.5));
  const int line = findings[1]["line"];
  CHECK_THAT(run(folder, "sed -n " + std::to_string(line) + "p a.shp").out,
             Catch::StartsWith("volume "));
  CHECK_THAT(run(folder, "shapeSurvey check a.shp").out,
             Catch::Contains("a.shp:" + std::to_string(line) + ": error: Bad: volume "));

  CHECK(run(folder, "shapeSurvey check b.shp --fix -o same.shp").code == 0);
  CHECK(folder.read("same.shp") == folder.read("b.shp"));
  CHECK(run(folder, "shapeSurvey check a.shp --fix -o mended.shp").code == 0);
  CHECK_THAT(run(folder, "shapeSurvey check mended.shp").out,
             Catch::Contains("0 errors, 0 warnings, 0 notes"));
  CHECK(run(folder, "shapeSurvey check a.shp --fix -o mended.shp").code == 4);
}

TEST_CASE("public shape-files are off as is known", "[shapeSurvey][check]") {
  const std::string octahedron = testing::publicData("shapes/octahedron.shp");
  const std::string polyhedra = testing::publicData("rockable-cases/518_poly_default/shape.shp");
  if (octahedron.empty() || polyhedra.empty()) return;
  const std::pair<std::string, double> known[] = {{octahedron, 0.0492}, {polyhedra, -0.0750}};
  for (const auto& [file, off] : known) {
    Diagnostics diagnostics;
    const Shape s = shape::readShapesFromFile(file, diagnostics)[0];
    const std::vector<Finding> findings = audited(s);
    const auto volume = std::ranges::find(findings, "volume", &Finding::what);
    REQUIRE(volume != findings.end());
    CHECK(*volume->error == Approx(off).margin(1e-4));
    CHECK(audited(repaired(s)).empty());
  }
}
