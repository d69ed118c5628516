// SPDX-License-Identifier: GPL-3.0-or-later
// The solid of a mesh: random boxes against their cells, cases from the field, and bounded time
// where many faces meet.
#include "../../libshape/src/detail/crossings.hpp"
#include "catch.hpp"
#include "folder.hpp"
#include "paths.hpp"
#include "sample_meshes.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/morphology.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

using namespace scree;
using namespace scree::mass;
using shape::trianglesOf;
using shape::detail::crossings;

namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// Thin tetrahedra along the lines of a hyperboloid of one family, of which no two meet.
shape::SurfaceMesh needles(std::uint32_t n) {
  shape::SurfaceMesh mesh;
  for (std::uint32_t k = 0; k < n; ++k) {
    const double a = 2.0 * pi * k / n;
    const Vec3 out(std::cos(a), std::sin(a), 0.0), way(-std::sin(a), std::cos(a), 1.0);
    const Vec3 low = out - 3.0 * way, high = out + 3.0 * way;
    const Vec3 across = 1e-5 * way.cross(out).normalized();
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec3& v : {low, Vec3(high - across), Vec3(high + across), Vec3(high + 1e-5 * out)})
      mesh.vertices.push_back(v);
    for (const Triangle& t : {Triangle{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
      mesh.faces.add({first + t[0], first + t[1], first + t[2]});
  }
  return mesh;
}

bool meet(const shape::SurfaceMesh& mesh, const std::vector<Triangle>& triangles) {
  return !crossings(mesh.vertices, triangles).pairs.empty();
}

/// Boxes on a grid of 6 x 6 x 6 cells.
struct GridBox {
  std::array<int, 3> low{}, high{};
  bool inverted = false;
  bool holds(const GridBox& b, int margin) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (b.low[k] < low[k] + margin || b.high[k] > high[k] - margin) return false;
    return true;
  }
  bool has(int x, int y, int z) const { return holds({{x, y, z}, {x + 1, y + 1, z + 1}}, 0); }
};

/// Volume of boxes that are wound alike, by counting cells; -1 where one lies inside another, which
/// makes it a cavity.
int cellsOf(const std::vector<GridBox>& boxes) {
  for (const GridBox& a : boxes)
    for (const GridBox& b : boxes)
      if (a.holds(b, 1)) return -1;
  int count = 0;
  for (int cell = 0; cell < 216; ++cell)
    count += std::ranges::any_of(
        boxes, [&](const GridBox& b) { return b.has(cell % 6, cell / 6 % 6, cell / 36); });
  return count;
}

void addBox(shape::SurfaceMesh& mesh, const GridBox& box, bool doubled, Rng& rng) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (int k = 0; k < 8; ++k)
    mesh.vertices.emplace_back(k & 1 ? box.high[0] : box.low[0], k & 2 ? box.high[1] : box.low[1],
                               k & 4 ? box.high[2] : box.low[2]);
  const std::array<std::array<std::uint32_t, 4>, 6> sides{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (std::size_t k = 0; k < 7; ++k) {
    if (k == 6 && (!doubled || rng.uniform(0.0, 1.0) > 0.3)) break;  // else a wall is doubled
    auto side = sides[k < 6 ? k : static_cast<std::size_t>(rng.uniform(0.0, 6.0))];
    if (box.inverted) std::reverse(side.begin(), side.end());
    for (std::uint32_t& c : side) c += first;
    const int cut = static_cast<int>(rng.uniform(0.0, 3.0));
    if (cut == 1) std::rotate(side.begin(), side.begin() + 1, side.end());
    if (cut == 2) {
      mesh.faces.add(side);
    } else {
      mesh.faces.add({side[0], side[1], side[2]});
      mesh.faces.add({side[0], side[2], side[3]});
    }
  }
}

/// Random boxes that cross, touch and repeat each other; @returns how many sets were wrong.
int wrongUnions(std::uint64_t seed, int trials) {
  Rng rng(seed);
  int wrong = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<GridBox> boxes;
    const int n = 1 + static_cast<int>(rng.uniform(0.0, 4.0));
    const bool inverted = rng.uniform() < 0.25;  // all of them
    shape::SurfaceMesh mesh;
    for (int k = 0; k < n; ++k) {
      GridBox box;
      for (std::size_t a = 0; a < 3; ++a) {
        const int p = static_cast<int>(rng.uniform(0.0, 7.0)),
                  q = static_cast<int>(rng.uniform(0.0, 6.0));
        box.low[a] = std::min(p, q + (q >= p)), box.high[a] = std::max(p, q + (q >= p));
      }
      box.inverted = inverted;
      boxes.push_back(box);
    }
    for (const GridBox& box : boxes) addBox(mesh, box, true, rng);
    const int right = cellsOf(boxes);
    if (right < 0) continue;
    double volume = 0.0;
    try {
      volume = massReport(shape::shapeFromMesh(mesh, 0.0)).solid.volume;
    } catch (const GeometryError&) {
    }
    if (std::abs(volume - right) <= 1e-12 * right) continue;
    ++wrong;
    std::string text;
    for (const GridBox& b : boxes)
      text += fmt::format("({} {} {}, {} {} {}{}) ", b.low[0], b.low[1], b.low[2], b.high[0],
                          b.high[1], b.high[2], b.inverted ? " inverted" : "");
    UNSCOPED_INFO("trial " << trial << ": " << volume << " instead of " << right << ": " << text);
  }
  return wrong;
}

/// A mesh of the field data as `info` reads it.
shape::Shape fieldShape(const std::string& name) {
  Diagnostics diagnostics;
  const std::string path = scree::testing::dataFolder() + "/field/shapes/" + name;
  return shape::readShapesOrMesh(path, diagnostics).at(0);
}

}  // namespace

TEST_CASE("boxes that cross count as they are wound", "[mass][solid]") {
  Rng rng(1);
  struct Row {
    std::vector<GridBox> boxes;
    double volume;
  };
  for (const Row& row :
       {Row{{{{0, 0, 0}, {4, 4, 4}}, {{1, 1, 1}, {3, 3, 3}, true}, {{0, 1, 1}, {3, 2, 2}}},
            58.0},                                                       // a bar across a cavity
        {{{{1, 0, 0}, {5, 4, 4}}, {{0, 1, 1}, {6, 2, 2}, true}}, 60.0},  // tunnel
        {{{{0, 0, 0}, {4, 4, 4}}, {{3, 1, 1}, {6, 2, 2}, true}}, 63.0},
        {{{{0, 0, 0}, {6, 6, 6}}, {{1, 1, 1}, {3, 3, 3}, true}, {{2, 2, 2}, {4, 4, 4}}}, 209.0}}) {
    for (const bool insideOut : {false, true}) {
      shape::SurfaceMesh mesh;
      for (GridBox box : row.boxes) {
        box.inverted = box.inverted != insideOut;
        addBox(mesh, box, false, rng);
      }
      CHECK(massReport(shape::shapeFromMesh(mesh, 0.0)).solid.volume == Approx(row.volume));
    }
  }
}

TEST_CASE("random unions of boxes have the volume of their cells", "[mass][solid]") {
  CHECK(wrongUnions(1, 1'000) == 0);
}

TEST_CASE("100,000 random unions of boxes have the volume of their cells",
          "[.][long][mass][solid]") {
  for (std::uint64_t seed = 2; seed < 12; ++seed) CHECK(wrongUnions(seed, 10'000) == 0);
}

TEST_CASE("the bound of a mesh whose parts cross counts the rounding of its points",
          "[mass][solid]") {
  // Two tetrahedra far from the origin; the volume of their union is from exact fractions.
  const scree::testing::Folder folder;
  folder.write("far.obj",
               "v 1000000 1000001 1000004\nv 1000000 1000001 1000001\nv 1000001 999997 1000000\n"
               "v 999999 1000003 999998\nv 1000004 999997 1000001\nv 999996 1000002 999997\n"
               "v 1000002 999998 999998\nv 1000001 999997 1000002\n"
               "f 2 3 4\nf 1 4 3\nf 1 2 4\nf 1 3 2\nf 6 7 8\nf 5 8 7\nf 5 6 8\nf 5 7 6\n");
  Diagnostics diagnostics;
  const MassReport far =
      massReport(shape::readShapesOrMesh(folder.path("far.obj"), diagnostics).at(0));
  const double error = std::abs(far.solid.volume / 6.812292397660818 - 1.0);
  CHECK(error > 1e-12);
  CHECK(error <= far.bound.value().volume);
  CHECK(far.bound.value().volume < 1e-8);
}

TEST_CASE("a cavity that touches the skin with its first corner counts", "[mass][solid]") {
  shape::Shape body = shape::makeBox(Vec3::Ones(), 0.0);
  const auto n = static_cast<std::uint32_t>(body.vertices.size());
  body.vertices.insert(body.vertices.end(), {Vec3(0, 0, 0.5), Vec3(-0.2, -0.2, -0.1),
                                             Vec3(0.2, -0.2, -0.1), Vec3(0, 0.2, -0.1)});
  for (const auto& [a, b, c] : {std::array{0u, 2u, 1u}, {0u, 3u, 2u}, {0u, 1u, 3u}, {1u, 2u, 3u}})
    body.faces.add({n + a, n + b, n + c});
  const shape::SurfaceMesh mesh{body.vertices, body.faces};
  CHECK(massReport(shape::shapeFromMesh(mesh, 0.0)).solid.volume ==
        Approx(1.0 - 0.5 * 0.4 * 0.4 * 0.6 / 3.0).epsilon(1e-12));
}

TEST_CASE("solids far apart and thin ones keep their volume, within the bound", "[mass][solid]") {
  const auto meshOf = [](std::initializer_list<std::pair<Vec3, Vec3>> boxes) {
    shape::SurfaceMesh mesh;
    for (const auto& [low, size] : boxes) {
      const shape::Shape one = shape::makeBox(Vec3::Ones(), 0.0);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const Vec3& v : one.vertices)
        mesh.vertices.push_back(low + size.cwiseProduct(v + Vec3::Constant(0.5)));
      for (std::size_t f = 0; f < one.faces.size(); ++f) {
        std::vector<std::uint32_t> corners;
        for (const std::uint32_t v : one.faces[f]) corners.push_back(first + v);
        mesh.faces.add(corners);
      }
    }
    return shape::shapeFromMesh(mesh, 0.0);
  };
  const Vec3 one = Vec3::Ones();
  for (const auto& [body, volume] :
       {std::pair(meshOf({{Vec3::Zero(), one}, {Vec3::Constant(1e7), one}}), 2.0),
        std::pair(
            meshOf({{Vec3::Zero(), Vec3(1, 1e-6, 1e-6)}, {Vec3(0, 5, 0), Vec3(1, 1e-6, 1e-6)}}),
            2e-12)}) {
    const MassReport report = massReport(body);
    CHECK(std::abs(report.solid.volume / volume - 1.0) < 1e-8);  // 1e7 has no more digits
  }
  // A cube within a cube, walls of 1e-6: the small difference of large volumes.
  shape::Shape shell =
      meshOf({{Vec3::Zero(), one}, {Vec3::Constant(1e-6), Vec3::Constant(1.0 - 2e-6)}});
  const MassReport report = massReport(shell);
  const double inner = 1.0 - 2e-6, right = 1.0 - inner * inner * inner;
  CHECK(std::abs(report.solid.volume / right - 1.0) < report.bound->volume);
  CHECK(report.bound->volume < 1e-9);
}

TEST_CASE("meshes of the field have the volume, area and form of their solid",
          "[mass][solid][data]") {
  if (scree::testing::publicData("field/shapes").empty()) return;
  struct Row {
    const char* file;
    double volume, area;
  };
  for (const Row& row :
       {Row{"W1-part-that-crosses-another-taken-for-a-cavity/u-and-bar.obj", 7.5, 0.0},
        {"W1-part-that-crosses-another-taken-for-a-cavity/bar-starts-outside.obj", 7.25, 0.0},
        {"W1-part-that-crosses-another-taken-for-a-cavity/wheel.obj", 0.26340692789442, 0.0},
        {"R1-import-refuses-boxes-that-share-a-face/two-boxes.stl", 2.0, 10.0},
        {"R1-import-refuses-boxes-that-share-a-face/two-cells-one-wall.obj", 2.0, 10.0},
        {"W4-area-of-concave-polygon-faces/U-polygons.obj", 7.0, 30.0},
        {"W4-area-of-concave-polygon-faces/U-triangles.obj", 7.0, 30.0},
        {"W4-area-of-concave-polygon-faces/thin-U.obj", 0.0, 19.56},
        {"W4-area-of-concave-polygon-faces/two-boxes-overlap.obj", 0.0, 10.5},
        {"W5-advice-fill-holes-for-unwelded-seams-gives-10-times-the-volume/funnel.obj",
         924087.776518, 0.0},
        {"W5-advice-fill-holes-for-unwelded-seams-gives-10-times-the-volume/tube.obj",
         8.61853879571, 0.0},
        {"W5-advice-fill-holes-for-unwelded-seams-gives-10-times-the-volume/cyl_r1_h2.obj",
         6.17800377, 0.0},
        {"W6-info-counts-unused-vertices/box-stray-vertex.obj", 1.0, 6.0},
        {"W6-info-counts-unused-vertices/box-dropped-sliver.obj", 1.0, 6.0},
        {"W6-info-counts-unused-vertices/box-far-stray.obj", 1.0, 6.0},
        {"P5-decompose-fills-cavities/hollow-box.obj", 936.0, 0.0}}) {
    CAPTURE(row.file);
    const shape::Shape body = fieldShape(row.file);
    const MassReport report = massReport(body);
    CHECK(report.exact());
    if (row.volume > 0.0)
      CHECK_THAT(report.solid.volume, Catch::Matchers::WithinRel(row.volume, 1e-9));
    if (row.area > 0.0)
      CHECK_THAT(morphology(body, report.core, {}, {}, Mat3::Identity()).area->area,
                 Catch::Matchers::WithinRel(row.area, 1e-9));
    if (std::string(row.file).starts_with("W6")) {
      CHECK(report.core.convex);
      CHECK_THAT(shape::orientedBox(body, shape::BoxMethod::minimum).volume(),
                 Catch::Matchers::WithinRel(1.0, 1e-9));
    }
  }
  // Six blocks around a cavity cover the body without excess.
  const shape::Shape hollow = fieldShape("P5-decompose-fills-cavities/hollow-box.obj");
  const shape::Decomposition blocks = shape::convexParts({hollow.vertices, hollow.faces}, 6);
  CHECK(blocks.parts.size() == 6);
  CHECK(std::abs(blocks.excess()) < 1e-9);
  for (const char* open :
       {"tray-with-baffle.obj", "false-floor.obj", "bottom-doubled.stl", "tray.obj"}) {
    CAPTURE(open);
    shape::Shape body = fieldShape(
        std::string("W3-open-box-with-inner-wall-counts-as-closed-convex-solid/") + open);
    CHECK(body.isSurface);
    body.isSurface = false;
    CHECK_THROWS_WITH(massReport(body), Catch::Contains("without a second face"));
  }
  for (const char* flat : {"W8-body-of-zero-volume-gets-volume-9e-28-with-a-false-bound-after-a-"
                           "minute/chair_model.obj",
                           "P1-doubled-sheet-scale-it-up/piston_bas.stl"}) {
    shape::Shape body = fieldShape(flat);
    body.isSurface = false;
    CHECK_THROWS_WITH(massReport(body), Catch::Contains("back to back"));
  }
  shape::Shape sheet = fieldShape("W4-area-of-concave-polygon-faces/sheet-polygon.obj");
  sheet.radius = 0.01;
  CHECK_THAT(massReport(sheet, {.method = MassOptions::Choice::sheet}).solid.volume,
             Catch::Matchers::WithinRel(0.14, 1e-12));
}

// Half a minute: it asks 40 million pairs before it gives up.
TEST_CASE("too many faces near one place bound nothing that is known",
          "[.][long][mass][solid][crossings]") {
  const shape::SurfaceMesh few = needles(200);
  const shape::SurfaceMesh many = needles(8'000);
  CHECK_FALSE(meet(few, trianglesOf(few)));
  // What cannot be decided has no volume that is called exact.
  CHECK_THROWS_WITH(massReport(shape::shapeFromMesh(many, 0.0)),
                    Catch::Contains("lie close together"));
}
