// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/morphology.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <cmath>

using namespace scree;
using namespace scree::shape;
using namespace scree::mass;
using Catch::Matchers::WithinRel;

namespace {

Shape crossedSticks() {
  Shape cross = samples::stick(1, 0.2);
  cross.name = "cross";
  cross.vertices.emplace_back(0, -0.5, 0.05);
  cross.vertices.emplace_back(0, 0.5, 0.05);
  cross.edges.push_back({2, 3});
  return cross;
}

Shape clump() {
  Shape balls;
  balls.name = "clump";
  balls.radius = 0.5;
  balls.vertices = {Vec3(0, 0, 0), Vec3(0.6, 0, 0), Vec3(0.2, 0.4, 0.1)};
  balls.radii = {0.5, 0.4, 0.3};
  return balls;
}

/// Two closed boxes that share a face but no edge lists: a T of unequal arms.
Shape letterT(double radius) {
  Shape t;
  t.name = "T";
  t.radius = radius;
  const std::vector<Vec2> outline{{-1.5, 1}, {-1.5, 0}, {-0.5, 0}, {-0.5, -2},
                                  {0.5, -2}, {0.5, 0},  {1.5, 0},  {1.5, 1}};
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {-0.5, 0.5})
    for (const Vec2& p : outline) t.vertices.emplace_back(p.x(), p.y(), z);
  std::vector<std::uint32_t> low, high;
  for (std::uint32_t k = 0; k < n; ++k) {
    low.push_back(n - 1 - k);
    high.push_back(n + k);
    t.faces.add({k, (k + 1) % n, n + (k + 1) % n, n + k});
  }
  t.faces.add(low);
  t.faces.add(high);
  t.edges = edgesOf(t.faces);
  return t;
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

Morphology measured(const Shape& s) {
  const MassReport report = massReport(s);
  return morphology(s, report.core, report.solid.volume, orientedBox(s, BoxMethod::minimum),
                    Mat3::Identity());
}

SurfaceArea areaOf(const Shape& s) {
  return *morphology(s, coreOf(s), {}, {}, Mat3::Identity()).area;
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
    for (const int fineness : {1, 3, 16}) {
      INFO(body.name << " " << fineness);
      const RoundedSurface surface = roundedSurface(body, fineness);
      checkNormals(surface);
      const MeshCheck topology = checkEdges(surface.cells);
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

TEST_CASE("a surface shows both its sides and a round rim", "[shape][rounded]") {
  const RoundedSurface surface = roundedSurface(makeSlope(2, 6, 4, 2, 0.1), 2);
  checkNormals(surface);
  Aabb box;
  for (const Vec3& p : surface.points) box.add(p);
  CHECK((box.low - Vec3(-0.1, -0.1, -1.1)).norm() < 1e-12);
  CHECK((box.high - Vec3(6.1, 4.1, 1.1)).norm() < 1e-12);
}

TEST_CASE("the union of a body's pieces is one closed surface that closes in on its volume",
          "[shape][union]") {
  const Quat turn = Quat(0.3, -0.5, 0.7, 0.2).normalized();
  Shape whiskered = samples::letterL(0.1);  // a rod from a corner outwards
  whiskered.vertices.push_back(3.0 * whiskered.vertices[0] - 2.0 * whiskered.vertices[6]);
  whiskered.edges.push_back({0, static_cast<std::uint32_t>(whiskered.vertices.size() - 1)});
  for (const Shape& body :
       {whiskered, samples::letterL(0.1), samples::turnedBy(samples::letterL(0.1), turn),
        letterT(0.05), samples::turnedBy(letterT(0.2), turn), crossedSticks(),
        samples::turnedBy(crossedSticks(), turn), clump()}) {
    const double exact = mass::massReport(body).solid.volume;
    const double rounding =
        exact -
        std::abs(body.faces.empty() ? 0.0 : signedVolume(body.vertices, coreOf(body).faces));
    double lastError = 1.0;
    for (const int fineness : {2, 4, 8}) {
      CAPTURE(body.name, body.radius, fineness);
      const auto surface = unionSurface(body, fineness);
      REQUIRE(surface);
      REQUIRE(surface->normals.size() == surface->points.size());
      const MeshCheck topology = checkEdges(surface->cells);
      CHECK(topology.closed());
      CHECK(topology.oriented());
      CHECK(topology.components == 1);
      const double error = exact - signedVolume(surface->points, surface->cells);
      CHECK(error > -1e-8 * exact);  // inscribed
      CHECK(error < 0.5 * lastError);
      lastError = error;
    }
    // The missing volume is in the rounding alone: a ball of 32 segments lacks 1.3 % of its volume.
    CHECK(lastError < 0.02 * rounding);
  }
}

TEST_CASE("what has no union as one surface is left to its pieces", "[shape][union]") {
  Shape terrain = makeSlope(2, 6, 4, 2, 0.1);
  CHECK_FALSE(unionSurface(terrain, 2));  // isSurface
  CHECK_FALSE(unionSurface(samples::letterL(0.0), 2));
  CHECK_FALSE(unionSurface(crossedSticks(), 2, 1));  // two pieces
}

TEST_CASE("rods and balls outside of a closed body count in its area", "[shape][morphology]") {
  // A cube of side 1, r 0.1: a rod from a face outwards, and a ball apart.
  Shape body = samples::box(1.0, 1.0, 1.0, 0.1);
  const double alone = measured(body).area->area;
  Shape whiskered = body;
  whiskered.vertices.insert(whiskered.vertices.end(), {Vec3(0, 0, 0.5), Vec3(0, 0, 2.5)});
  whiskered.edges.push_back({8, 9});
  // The tube above the offset face, its cap, less the disc that it covers.
  const double more = 2.0 * pi * 0.1 * 1.9 + 2.0 * pi * 0.01 - pi * 0.01;
  CHECK(measured(whiskered).area->area == Approx(alone + more).epsilon(1e-3));
  Shape axle = whiskered;  // through the cube, so that the middle of the rod is hidden
  axle.vertices[8] = Vec3(0, 0, -2.5);
  CHECK(measured(axle).area->area == Approx(alone + 2.0 * more).epsilon(1e-3));
  body.vertices.emplace_back(5, 5, 5);
  CHECK(measured(body).area->area == Approx(alone + 4.0 * pi * 0.01).epsilon(1e-3));
  Shape letter = samples::letterL(0.1);
  const double plane = 17.215752;  // slope of its volume with the radius
  CHECK(measured(letter).area->area == Approx(plane).epsilon(4e-4));
  Shape cut = letter;
  cut.faces = triangulated({cut.vertices, cut.faces}).faces;
  CHECK(measured(cut).area->area == Approx(plane).epsilon(4e-4));
  letter.vertices[7].z() += 1e-3;  // bent by a little
  CHECK(measured(letter).area->area == Approx(plane + 0.00166).epsilon(4e-4));
}

TEST_CASE("measures of a ball are all 1", "[shape][morphology]") {
  const Morphology m = measured(makeSphere(0.3));
  CHECK_THAT(m.area->area, WithinRel(pi * 0.09, 1e-14));
  CHECK(m.area->accuracy == 0.0);
  for (const auto& value : {m.sphericity, m.flatness, m.elongation, m.convexity, m.roundness})
    CHECK_THAT(value.value(), WithinRel(1.0, 1e-14));
  CHECK_THAT(m.equivalentDiameter.value(), WithinRel(0.3, 1e-14));
}

TEST_CASE("measures of cubes, boxes and capsules follow their closed forms",
          "[shape][morphology]") {
  // The sharp cube: sphericity (pi/6)^(1/3).
  const Morphology sharp = measured(samples::box(2, 2, 2, 0));
  CHECK_THAT(sharp.sphericity.value(), WithinRel(std::cbrt(pi / 6), 1e-13));
  CHECK(sharp.roundness == 0.0);
  const double r = 0.1, a = 0.8;
  const Morphology cube = measured(samples::box(a, a, a, r));
  const double area = 6 * a * a + 6 * pi * r * a + 4 * pi * r * r;
  CHECK_THAT(cube.area->area, WithinRel(area, 1e-13));
  CHECK_THAT(cube.roundness.value(), WithinRel(0.1 / 0.5, 1e-13));
  const Morphology box = measured(samples::box(3, 1, 2, 0.5));
  CHECK_THAT(box.flatness.value(), WithinRel(2.0 / 3.0, 1e-12));
  CHECK_THAT(box.elongation.value(), WithinRel(3.0 / 4.0, 1e-12));
  CHECK_THAT(box.roundness.value(), WithinRel(0.5, 1e-13));
  const Morphology capsule = measured(samples::stick(2, 0.5));
  const double volume = pi / 4 * 2 + pi / 6;
  CHECK_THAT(capsule.area->area, WithinRel(2 * pi * 0.5 * 2 + pi, 1e-14));
  CHECK_THAT(capsule.sphericity.value(),
             WithinRel(std::cbrt(36 * pi * volume * volume) / (3 * pi), 1e-13));
  CHECK_THAT(capsule.elongation.value(), WithinRel(1.0 / 3.0, 1e-13));
  CHECK(capsule.roundness == 1.0);
}

TEST_CASE("principal lengths of a turned box are its sides", "[shape][morphology]") {
  const Quat q(Eigen::AngleAxisd(1.0, Vec3(3, 1, 2).normalized()));
  const Shape turned = samples::turnedBy(samples::box(3, 1, 2, 0.5), q);
  const PrincipalFrame frame = principalFrame(massReport(turned).solid.inertiaPerMass);
  const Vec3 lengths = principalLengths(turned, rotationMatrix(frame.orientation));
  CHECK((lengths - Vec3(4, 3, 2)).norm() < 1e-12);
}

TEST_CASE("inscribed balls of regular and of scalene solids", "[shape][morphology]") {
  const auto radius = [](const Shape& s) { return inscribedBall(convexHull(s.vertices)).radius; };
  CHECK_THAT(radius(samples::regularTetrahedron(1, 0.1)), WithinRel(1 / std::sqrt(24.0), 1e-13));
  CHECK_THAT(radius(samples::octahedron(1, 0.1)), WithinRel(1 / std::sqrt(6.0), 1e-13));
  // 3 V / area of a tetrahedron
  const double area = 0.5 * (1 * 2 + 1 * 3 + 2 * 3 + std::sqrt(4.0 + 9.0 + 36.0));
  CHECK_THAT(radius(samples::movedBy(samples::rightTetrahedron(1, 2, 3, 0), Vec3(1e3, -5, 7))),
             WithinRel(3 * 1.0 / area, 1e-10));
  CHECK(radius(samples::stick(1, 0.1)) == 0.0);
}

TEST_CASE("areas of bodies that are not convex close in on their closed forms",
          "[shape][morphology]") {
  // The area is the derivative of the volume by r. Three crossed rods of half length a >= r:
  // V = 3 (2 pi a r² + 4/3 pi r³) - 16 r³ + 8 (2 - sqrt 2) r³.
  Shape rods;
  rods.name = "rods";
  rods.radius = 0.2;
  const double a = 0.6, r = 0.2;
  for (int k = 0; k < 3; ++k)
    for (const double s : {-a, a}) {
      rods.vertices.push_back(Vec3::Zero());
      rods.vertices.back()[k] = s;
    }
  rods.edges = {{0, 1}, {2, 3}, {4, 5}};
  const SurfaceArea crossed = areaOf(rods);
  const double exact =
      3 * (4 * pi * a * r + 4 * pi * r * r) - 48 * r * r + 24 * (2 - std::sqrt(2.0)) * r * r;
  INFO(crossed.area << " against " << exact << ", accuracy " << crossed.accuracy);
  CHECK_THAT(crossed.area, WithinRel(exact, 1e-4));
  CHECK(std::abs(crossed.area / exact - 1.0) < crossed.accuracy);

  // A prism of height H on a polygon of area A and perimeter P. Let k be half the sum of the convex
  // turning angles less tan of half the reflex one.
  // V = H (A + P r + k r²) + 2 (A r + pi/4 P r² + 2/3 k r³).
  const double k = 0.5 * 5 * pi / 2 - 1;
  const double ofL = (8 + 2 * k * r) + 2 * (3 + pi / 2 * 8 * r + 2 * k * r * r);
  const Shape letter = samples::letterL(r);
  const Quat q(Eigen::AngleAxisd(1.0, Vec3(3, 1, 2).normalized()));
  for (const Shape& s : {letter, samples::turnedBy(letter, q)}) {
    const SurfaceArea found = areaOf(s);
    INFO(found.area << " against " << ofL << ", accuracy " << found.accuracy);
    CHECK_THAT(found.area, WithinRel(ofL, 1e-4));
    CHECK(std::abs(found.area / ofL - 1.0) < found.accuracy);
  }
  CHECK_THAT(areaOf(samples::letterL(0)).area, WithinRel(14.0, 1e-14));
}
