// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <algorithm>

using namespace scree;
using namespace scree::shape;
using Catch::Matchers::WithinRel;

namespace {

double distanceToSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double s = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - s * (b - a)).norm();
}

void checkNormals(const RoundedSurface& surface) {
  REQUIRE(surface.points.size() == surface.normals.size());
  for (const Vec3& n : surface.normals) CHECK(std::abs(n.norm() - 1.0) < 1e-12);
  for (std::size_t c = 0; c < surface.cells.size(); ++c) {
    const auto cell = surface.cells[c];
    REQUIRE(cell.size() >= 3);
    Vec3 area = Vec3::Zero(), normal = Vec3::Zero();
    for (std::size_t k = 0; k < cell.size(); ++k) {
      const Vec3 o = surface.points[cell[0]];
      area += (surface.points[cell[k]] - o).cross(surface.points[cell[(k + 1) % cell.size()]] - o);
      normal += surface.normals[cell[k]];
    }
    // Cells run counter-clockwise about the normals of their points.
    if (area.norm() > 1e-12) CHECK(area.dot(normal) > 0.0);
  }
}

}  // namespace

TEST_CASE("convex bodies have one closed surface that closes in on their volume and area",
          "[shape][rounded]") {
  for (const Shape& body :
       {samples::box(0.8, 0.8, 0.8, 0.1), samples::regularTetrahedron(1, 0.1),
        samples::octahedron(1, 0.2), samples::dodecahedron(0.445, 0.05),
        samples::rightTetrahedron(1, 2, 3, 0.3), makePlate(1, 0.5, 0.1), samples::stick(1, 0.2),
        makeSphere(1), makeBoulder(30, Vec3(1, 0.8, 0.6), 0.1, 1)}) {
    double lastError = 1.0;
    const double exact = mass::massReport(body).solid.volume;
    for (const int fineness : {1, 2, 3, 8, 16}) {
      INFO(body.name << " " << fineness);
      const RoundedSurface surface = roundedSurface(body, fineness);
      checkNormals(surface);
      const MeshTopology topology = meshTopology(surface.points.size(), surface.cells);
      CHECK(topology.closed());
      CHECK(topology.oriented());
      CHECK(topology.components == 1);
      const double volume = signedVolume(surface.points, surface.cells);
      const double error = 1.0 - volume / exact;
      CHECK(error > 0.0);  // inscribed
      CHECK(error < lastError);
      lastError = error;
    }
    CHECK(lastError < 5e-3);  // 64 segments around a ball
  }
}

TEST_CASE("cube and dodecahedron have the known numbers of cells and points", "[shape][rounded]") {
  const auto counts = [](const Shape& s, int fineness) {
    const RoundedSurface surface = roundedSurface(s, fineness);
    return std::pair(surface.cells.size(), surface.points.size());
  };
  const Shape cube = samples::box(0.8, 0.8, 0.8, 0.1);
  CHECK(counts(cube, 1) == std::pair<std::size_t, std::size_t>(26, 24));
  CHECK(counts(cube, 2) == std::pair<std::size_t, std::size_t>(62, 48));
  CHECK(counts(cube, 4) == std::pair<std::size_t, std::size_t>(182, 120));
  CHECK(counts(cube, 8) == std::pair<std::size_t, std::size_t>(614, 360));
  // Arcs of 63.43 degrees: two segments of at most 45 degrees.
  CHECK(counts(samples::dodecahedron(0.445, 0.05), 2) ==
        std::pair<std::size_t, std::size_t>(152, 120));
}

TEST_CASE("points of a rounded surface stand at the radius from the skeleton", "[shape][rounded]") {
  const Shape stick = samples::stick(1, 0.2);
  for (const Vec3& p : roundedSurface(stick, 4).points)
    CHECK(std::abs(distanceToSegment(p, stick.vertices[0], stick.vertices[1]) - 0.2) < 1e-14);
  // Crossed sticks: a frame without faces, drawn piece by piece; all of it within the tubes.
  Shape cross = stick;
  cross.vertices.emplace_back(0, -1, 0);
  cross.vertices.emplace_back(0, 1, 0);
  cross.edges.push_back({2, 3});
  const RoundedSurface surface = roundedSurface(cross, 4);
  checkNormals(surface);
  for (const Vec3& p : surface.points)
    CHECK(std::min(distanceToSegment(p, cross.vertices[0], cross.vertices[1]),
                   distanceToSegment(p, cross.vertices[2], cross.vertices[3])) < 0.2 + 1e-12);
}

TEST_CASE("a closed mesh shows no inner sides and no patch at reflex or flat edges",
          "[shape][rounded]") {
  const Shape letter = samples::letterL(0.1);
  const RoundedSurface surface = roundedSurface(letter, 1);
  checkNormals(surface);
  // 8 faces, 17 ridges of 18 edges, and an octant at each of the 10 convex corners. The two ends of
  // the reflex edge have nothing that faces outwards.
  CHECK(surface.cells.size() == 8 + 17 + 10);
  for (std::size_t k = 0; k < surface.points.size(); ++k)
    CHECK((surface.points[k].array() > -0.1 - 1e-12).all());
}

TEST_CASE("a surface shows both its sides and a round rim", "[shape][rounded]") {
  const Shape slope = makeSlope(2, 6, 4, 2, 0.1);
  const RoundedSurface surface = roundedSurface(slope, 2);
  checkNormals(surface);
  Vec3 low = surface.points[0], high = low;
  for (const Vec3& p : surface.points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  CHECK((low - Vec3(-0.1, -0.1, -1.1)).norm() < 1e-12);
  CHECK((high - Vec3(6.1, 4.1, 1.1)).norm() < 1e-12);
}

TEST_CASE("without radius only the faces are drawn", "[shape][rounded]") {
  const RoundedSurface cube = roundedSurface(samples::box(1, 1, 1, 0.0), 4);
  CHECK(cube.cells.size() == 6);
  CHECK(cube.points.size() == 24);
  checkNormals(cube);
  CHECK_THAT(signedVolume(cube.points, cube.cells), WithinRel(1.0, 1e-14));
}
