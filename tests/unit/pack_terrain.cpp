// SPDX-License-Identifier: GPL-3.0-or-later
// Terrains: heights by formula, and bodies let down on them by the contact geometry of runs.
#include "catch.hpp"
#include "command.hpp"
#include "pack/body_overlap.hpp"
#include "scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/shape/make.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/terrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

double wavy(double x, double z) { return 0.3 * x + 0.4 * std::sin(x) * std::cos(1.3 * z); }

/// A surface of 16 by 16 squares of side 0.5 about the origin, each of two triangles.
shape::Shape wavySurface(double radius) {
  shape::SurfaceMesh mesh;
  for (int i = 0; i <= 16; ++i)
    for (int j = 0; j <= 16; ++j) {
      const double x = 0.5 * i - 4.0, z = 0.5 * j - 4.0;
      mesh.vertices.push_back({x, wavy(x, z), z});
    }
  for (std::uint32_t i = 0; i < 16; ++i)
    for (std::uint32_t j = 0; j < 16; ++j) {
      const std::uint32_t a = 17 * i + j, b = a + 17;
      mesh.faces.add({a, a + 1, b});
      mesh.faces.add({b, a + 1, b + 1});
    }
  shape::Shape s = shape::shapeFromMesh(mesh, radius);
  s.name = "Hill";
  s.isSurface = true;
  return s;
}

HeightField fieldOf(const shape::Shape& s, const PlacedBody& body = {}) {
  std::vector<TerrainTriangle> triangles;
  addTriangles(s, body, triangles);
  return HeightField(std::move(triangles));
}

}  // namespace

TEST_CASE("a ball stands clear of planes, edges and corners by closed forms", "[pack][terrain]") {
  // A square of side 2, inclined by dy/dx = 3/4, rounded by 0.1; a ball of radius 0.5.
  shape::Shape s;
  s.radius = 0.1;
  s.vertices = {{-1, -0.75, -1}, {1, 0.75, -1}, {1, 0.75, 1}, {-1, -0.75, 1}};
  s.faces.add({0, 1, 2, 3});
  PlacedBody body;
  body.pos = {10, 500, 20};
  const HeightField field = fieldOf(s, body);
  const auto height = [&](double x, double z) {
    return *field.clearHeight(scenes::ball("ball", 0.25), 2.0, Quat::Identity(), 10 + x, 20 + z) -
           500;
  };
  CHECK_FALSE(field.heightAt(11.001, 20));
  CHECK_FALSE(field.clearHeight(scenes::ball("ball", 0.5), 1.0, Quat::Identity(), 11.61, 20));
  CHECK(std::abs(height(0, 0) - 0.6 / 0.8) < 1e-12);
  CHECK(std::abs(height(0.7, 0) - (0.75 + std::sqrt(0.36 - 0.09))) < 1e-12);    // the upper edge
  CHECK(std::abs(height(1.3, 1.2) - (0.75 + std::sqrt(0.36 - 0.13))) < 1e-12);  // the corner
  CHECK(std::abs(height(0, 1.3) - std::sqrt(0.36 - 0.09) / 0.8) < 1e-12);       // the inclined edge
}

TEST_CASE("bodies let down on a terrain touch it there, and nowhere above", "[pack][terrain]") {
  const auto kind = GENERATE(0, 1, 2, 3);
  std::vector<shape::Shape> shapes{wavySurface(0.02)};
  if (kind == 0) shapes.push_back(shape::makeBoulder(20, {0.9, 0.7, 0.5}, 0.03, 5));
  if (kind == 1) shapes.push_back(scenes::rod("rod", 1.1, 0.05));
  if (kind == 2) shapes.push_back(scenes::ball("ball", 0.3));
  if (kind == 3) {
    shapes.push_back(scenes::ball("clump", 0.2));
    shapes.back().vertices = {{-0.2, 0, 0}, {0.2, 0.1, 0}, {0, 0.1, 0.3}};
    shapes.back().radii = {0.2, 0.1, 0.15};
  }
  const BodyOverlap overlaps(shapes);
  NearSubElements scratch;
  PlacedBody ground, body;
  body.shape = 1;
  ground.homothety = 1.2, ground.pos = {300, 200, -100};
  Rng rng(7);
  ground.q = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
  const HeightField field = fieldOf(shapes[0], ground);
  const BodyPose at = overlaps.poseOf(ground);
  for (int k = 0; k < 60; ++k) {
    body.q = rng.orientation();
    body.homothety = rng.uniform(0.5, 1.5);
    const double x = 300 + rng.uniform(-4, 4), z = -100 + rng.uniform(-4, 4);
    const auto clear = field.clearHeight(shapes[1], body.homothety, body.q, x, z);
    if (!clear) continue;
    const auto touchesAt = [&](double y) {
      body.pos = {x, y, z};
      return overlaps.overlap(body, overlaps.poseOf(body), ground, at, scratch);
    };
    CHECK(touchesAt(*clear - 1e-11));
    for (double up = 1e-11; up < 5.0; up *= 1.5) REQUIRE_FALSE(touchesAt(*clear + up));
  }
}

namespace {

shape::SurfaceMesh meshFrom(const std::string& text) {
  const testing::Folder folder;
  Diagnostics strict(true);
  return readTerrain(folder.write("source", text), false, strict);
}

/// A grid of 6 by 4 cells of side 2 with its south-west corner at (100, 50), all heights known.
std::string hillGrid() {
  std::string text =
      "ncols 6\nnrows 4\nxllcorner 100\nyllcorner 50\ncellsize 2\nNODATA_value -9999\n";
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 6; ++column)
      text += fmt::format("{}{}", wavy(column, row) + 10, column == 5 ? "\n" : " ");
  return text;
}

HeightField fieldOf(const shape::SurfaceMesh& mesh) {
  return fieldOf(shape::shapeFromMesh(mesh, 0.0));
}

/// Triangles of all bodies where they stand, each with its least corner first [1e-9 m].
std::multiset<std::array<double, 9>> trianglesOf(const Packing& packing) {
  std::multiset<std::array<double, 9>> all;
  std::vector<TerrainTriangle> triangles;
  for (const PlacedBody& body : packing.bodies)
    addTriangles(packing.shapes[body.shape], body, triangles);
  for (const TerrainTriangle& t : triangles) {
    const auto whole = [](const Vec3& v) {
      return std::array{std::round(1e9 * v.x()), std::round(1e9 * v.y()), std::round(1e9 * v.z())};
    };
    std::array corners{whole(t.a), whole(t.b), whole(t.c)};
    std::ranges::rotate(corners, std::ranges::min_element(corners));
    std::array<double, 9> flat;
    for (std::size_t k = 0; k < 9; ++k) flat[k] = corners[k / 3][k % 3];
    all.insert(flat);
  }
  return all;
}

}  // namespace

TEST_CASE("grids become terrains and grids again", "[pack][terrain]") {
  const std::string text = hillGrid();
  const HeightField field = fieldOf(meshFrom(text));
  CHECK(field.box().low.x() == 101);
  CHECK(field.box().high.z() == -51);  // south
  CHECK(field.box().low.z() == -57);   // north
  CHECK(*field.heightAt(101, -57) == wavy(0, 0) + 10);
  CHECK(*field.heightAt(111, -51) == wavy(5, 3) + 10);
  CHECK(gridText(gridOf(field, 2.0)) == text);  // all digits
  // Elsewhere the triangles differ from the bilinear surface by |a - b - c + d| / 4 at most.
  const HeightGrid fine = gridOf(field, 0.25);
  CHECK(fine.columns == 41);
  double worst = 0.0;
  for (std::size_t row = 0; row < fine.rows; ++row)
    for (std::size_t column = 0; column < fine.columns; ++column) {
      const double c = std::min((fine.x(column) - 101) / 2, 4.999999),
                   r = std::min((fine.z(row) + 57) / 2, 2.999999), i = std::floor(c),
                   j = std::floor(r), u = c - i, v = r - j;
      const auto at = [&](double di, double dj) { return wavy(i + di, j + dj) + 10; };
      const double bilinear =
          (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1));
      const double bound = std::abs(at(0, 0) - at(1, 0) - at(0, 1) + at(1, 1)) / 4;
      const double off = std::abs(fine.values[row * fine.columns + column] - bilinear);
      CHECK(off <= bound + 1e-5);
      worst = std::max(worst, off / bound);
    }
  CHECK(worst > 0.99);  // in the middle of each cell
}

TEST_CASE("headers of grids mean the same in all forms", "[pack][terrain]") {
  const std::string text = hillGrid(), values = text.substr(text.rfind("-9999\n") + 6);
  const auto header = GENERATE(
      "NCOLS 6\nNROWS 4\nXLLCENTER 101\nYLLCENTER 51\nCELLSIZE 2\n",
      "nrows 4\r\nncols 6\r\ncellSize 2\r\nYllCorner 50\r\nxllcorner 100\r\nnodata_value 7\r\n",
      "xllcenter 101\nyllcorner 50\ncellsize 2.0\nncols 6 nrows 4\n");
  CHECK(gridText(readGrid(TextReader("g", header + values))) == text);
  // An unknown height leaves a hole: the four squares around it are missing.
  const auto hole = meshFrom(
      "ncols 3\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value nan\n0 0 0\n0 0 0\n"
      "0 nan 0\n0 0 0\n");
  CHECK(hole.faces.size() == 4);
  CHECK(*fieldOf(hole).heightAt(1.5, -3) == 0);
  CHECK_FALSE(fieldOf(hole).heightAt(1.5, -1));
}

TEST_CASE("tiles and zones have each triangle once, and each edge", "[pack][terrain]") {
  const shape::Shape hill = wavySurface(0.0);
  const std::vector<TerrainSource> one{{"hill", {hill.vertices, hill.faces}, 0}};
  const Packing whole = terrainOf(one, {.radius = 0.05});
  REQUIRE(whole.bodies.size() == 1);
  const auto triangles = trianglesOf(whole);
  CHECK(triangles.size() == 512);
  const auto [tile, bodies] =
      GENERATE(std::pair(2.0, 16), std::pair(1.3, 49), std::pair(100.0, 1), std::pair(0.5, 256));
  TerrainOptions options{.radius = 0.05, .tile = tile};
  SECTION("tiles") {
    const Packing tiles = terrainOf(one, options);
    CHECK(tiles.bodies.size() == static_cast<std::size_t>(bodies));
    CHECK((trianglesOf(tiles) == triangles));
    std::size_t edges = 0;
    for (const shape::Shape& s : tiles.shapes) {
      edges += s.edges.size();
      CHECK(s.isSurface);
      CHECK(s.preCompDone);
    }
    CHECK(edges == whole.shapes[0].edges.size());
  }
  SECTION("zones") {
    // Two meshes that share a border, and in both an outline: the middles of a square of 3 by 3.
    std::vector<TerrainSource> two{one[0], one[0]};
    two[1].group = 2;
    for (Vec3& v : two[1].mesh.vertices) v.x() += 8;
    options.zones.push_back({{{2.5, -1}, {5.5, -1}, {5.5, 2}, {2.5, 2}}, 5});
    const Packing zones = terrainOf(two, options);
    std::map<std::uint32_t, std::size_t> count;
    std::vector<TerrainTriangle> inZone;
    for (const PlacedBody& body : zones.bodies) {
      count[body.group] += zones.shapes[body.shape].faces.size();
      if (body.group == 5) addTriangles(zones.shapes[body.shape], body, inZone);
    }
    CHECK(count == std::map<std::uint32_t, std::size_t>{{0, 512 - 36}, {2, 512 - 36}, {5, 72}});
    double inPlan = 0.0;
    for (const TerrainTriangle& t : inZone) inPlan += 0.5 * (t.b - t.a).cross(t.c - t.a).y();
    CHECK(std::abs(inPlan) == Approx(9.0).epsilon(1e-13));
    CHECK(trianglesOf(zones).size() == 1024);
    options.zones[0].outline.resize(2);
    CHECK_THROWS_WITH(terrainOf(two, options), Catch::Contains("no face"));
  }
}

TEST_CASE("faces in one plane become one, edges between tiles stay", "[pack][terrain]") {
  std::string text = "ncols 9\nnrows 9\nxllcorner -0.5\nyllcorner -0.5\ncellsize 1\n";
  for (int k = 0; k < 81; ++k) text += fmt::format("{} ", 0.25 * (k % 9));
  const std::vector<TerrainSource> plane{{"plane", meshFrom(text), 0}};
  const Packing tiles = terrainOf(plane, {.radius = 0.1, .tile = 4.0});
  REQUIRE(tiles.shapes.size() == 4);
  std::size_t edges = 0;
  for (const shape::Shape& s : tiles.shapes) {
    CHECK(s.faces.size() == 1);
    CHECK(s.vertices.size() == 4);
    edges += s.edges.size();
  }
  CHECK(edges == 12);
}

TEST_CASE("a boulder strikes tiles and the whole mesh at one time and place",
          "[pack][terrain][data]") {
  const std::string data = testing::publicData("authume/STL");
  if (data.empty()) return;
  Diagnostics quiet;
  std::vector<TerrainSource> quarry;
  for (const char* zone : {"Blue", "Gray", "Red"})
    quarry.push_back({zone,
                      readTerrain(fmt::format("{}/DTM_{}_zone.stl", data, zone), false, quiet),
                      quarry.empty() ? 0u : 1u + static_cast<std::uint32_t>(quarry.size())});
  shape::Shape boulder = shape::shapeFromMesh(shape::readMeshFromFile(data + "/SP3A.stl"), 0.005);
  boulder.name = "SP3A";
  mass::survey(boulder);
  const Packing whole = terrainOf(quarry, {.radius = 0.02}),
                tiles = terrainOf(quarry, {.radius = 0.02, .tile = 5.0});
  const auto fieldOfAll = [](const Packing& packing) {
    std::vector<TerrainTriangle> triangles;
    for (const PlacedBody& body : packing.bodies)
      addTriangles(packing.shapes[body.shape], body, triangles);
    return HeightField(std::move(triangles));
  };
  const HeightField field = fieldOfAll(whole), fieldOfTiles = fieldOfAll(tiles);
  CHECK(whole.bodies.size() == 3);
  CHECK(tiles.bodies.size() > 100);
  Rng rng(11);
  for (int release = 0; release < 12; ++release) {
    PlacedBody body;
    body.q = rng.orientation();
    body.vel = Vec3(rng.uniform(-1, 1), -3, rng.uniform(-1, 1));
    body.vrot = 2 * rng.direction();
    std::optional<double> y;
    while (!y) {
      body.pos = field.box().low + rng.uniform() * (field.box().high - field.box().low);
      body.pos.z() = rng.uniform(field.box().low.z(), field.box().high.z());
      if (field.heightAt(body.pos.x(), body.pos.z()))
        y = field.clearHeight(boulder, 1.0, body.q, body.pos.x(), body.pos.z());
    }
    CHECK(*fieldOfTiles.clearHeight(boulder, 1.0, body.q, body.pos.x(), body.pos.z()) ==
          Approx(*y).margin(1e-11));
    body.pos.y() = *y + 0.01;
    struct Strike {
      std::uint64_t steps = 0;
      Vec3 pos = Vec3::Zero(), vel = Vec3::Zero();
      double depth = 0.0;
    };
    const auto strike = [&](Packing packing) {
      body.shape = static_cast<std::uint32_t>(packing.shapes.size());
      packing.shapes.push_back(boulder);
      packing.bodies.push_back(body);
      PackSettings settings;
      settings.dt = 1e-5;
      CompletedConf made = completed(packing, settings, quiet);
      Simulation run(made.conf, made.shapes, {}, 1, quiet);
      Strike s;
      for (; s.depth == 0.0 && s.steps < 2000; ++s.steps) {
        run.step();
        s.depth = overlapsOf(run).worstDepth;
      }
      s.pos = run.bodies().pos[packing.bodies.size() - 1];
      s.vel = run.bodies().vel[packing.bodies.size() - 1];
      return s;
    };
    const Strike a = strike(whole), b = strike(tiles);
    REQUIRE(a.depth > 0.0);
    CHECK(a.steps == b.steps);
    CHECK((a.pos - b.pos).norm() < 1e-9);
    CHECK(std::abs(a.depth - b.depth) < 1e-9);  // so the first touch differs by 1e-9 s / 3
  }
}
