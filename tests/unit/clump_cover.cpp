// SPDX-License-Identifier: GPL-3.0-or-later
// Covers of solids by balls, and their quality, against closed forms and invariants.
#include "catch.hpp"
#include "paths.hpp"
#include "skip.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/clump/cover.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"

#include <cmath>
#include <filesystem>

using namespace scree;
using namespace scree::clump;

namespace {

/// A cuboid with corners at ± half.
shape::SurfaceMesh cuboid(const Vec3& half) {
  shape::SurfaceMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  for (const auto& face : std::initializer_list<std::initializer_list<std::uint32_t>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.faces.add(face);
  return mesh;
}

/// A cuboid with corners at ± half, swept by a ball.
shape::Shape roundedBrick(const Vec3& half, double radius) {
  const shape::SurfaceMesh core = cuboid(half);
  shape::Shape brick;
  brick.name = "brick";
  brick.vertices = core.vertices;
  brick.faces = core.faces;
  brick.radius = radius;
  return brick;
}

SolidDistance solidOf(const shape::SurfaceMesh& mesh) {
  return clump::solidOf(shape::shapeFromMesh(mesh, 0.0));
}

mass::SolidProperties bodyOf(const SolidDistance& solid) {
  return mass::solidProperties(mass::meshMoments(solid.core().vertices, solid.core().faces));
}

double volumeOf(const std::vector<Ball>& balls) { return ballUnionMoments(balls).moments.m0; }

}  // namespace

TEST_CASE("Depth in a cuboid is the distance to its nearest face, edge or corner",
          "[clump][cover]") {
  const Vec3 half(1.0, 0.6, 0.4);
  const SolidDistance solid = solidOf(cuboid(half));
  Rng random(3);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
    const Vec3 beyond = p.cwiseAbs() - half;
    const double expected =
        beyond.maxCoeff() < 0.0 ? -beyond.maxCoeff() : -beyond.cwiseMax(0.0).norm();
    CHECK(solid.depth(p) == Approx(expected).margin(1e-14));
  }
}

TEST_CASE("Depth in a rounded shape is that in its core plus the radius", "[clump][cover]") {
  const SolidDistance solid = clump::solidOf(roundedBrick({1.0, 0.5, 0.5}, 0.25));
  CHECK(solid.depth({0.0, 0.0, 0.0}) == Approx(0.75));
  CHECK(solid.depth({0.0, 0.6, 0.0}) == Approx(0.15));
  CHECK(solid.depth({1.3, 0.9, 0.5}) == Approx(0.25 - 0.5));
}

TEST_CASE("An open mesh and a surface have no depth", "[clump][cover]") {
  shape::SurfaceMesh open = cuboid({1, 1, 1});
  shape::Polygons faces;
  for (std::size_t f = 1; f < open.faces.size(); ++f) faces.add(open.faces[f]);
  open.faces = faces;
  CHECK_THROWS_AS(solidOf(open), GeometryError);
}

TEST_CASE("Quality of one ball in a cube equals the closed forms", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1, 1, 1}));
  const mass::SolidProperties body = bodyOf(solid);
  SECTION("the inscribed ball") {
    const std::vector<Ball> balls{{Vec3::Zero(), 1.0}};
    const CoverQuality q = coverQuality(solid, body, balls);
    CHECK(q.volumeRatio == Approx(pi / 6.0).epsilon(1e-12));
    CHECK(q.iou.atLeast <= pi / 6.0);
    CHECK(q.iou.atMost >= pi / 6.0);
    CHECK(q.iou.atMost - q.iou.atLeast < 1e-3);
    CHECK(q.centreError == Approx(0.0).margin(1e-14));
    CHECK(q.inertiaError == Approx(1.0 - 0.4 / (2.0 / 3.0)).epsilon(1e-12));
    CHECK(q.uncovered.atLeast <= std::sqrt(3.0) - 1.0 + 1e-15);
    CHECK(q.uncovered.atMost >= std::sqrt(3.0) - 1.0);
    CHECK(q.protruding.atMost == 0.0);
  }
  SECTION("a ball that leaves the cube through all faces") {
    const std::vector<Ball> balls{{Vec3::Zero(), 1.2}};
    const CoverQuality q = coverQuality(solid, body, balls);
    CHECK(q.protruding.atLeast == Approx(0.2).epsilon(1e-3));
    // In doubles 1.2 - 1.0 is exact, and below 0.2: the bound is this number, no more and no less.
    CHECK(q.protruding.atMost == 1.2 - 1.0);
    // Six caps of height 0.2 stand out.
    const double out = 6.0 * pi * 0.04 * (3.0 * 1.2 - 0.2) / 3.0;
    const double ball = 4.0 / 3.0 * pi * 1.728, iou = (ball - out) / (8.0 + out);
    CHECK(q.iou.atLeast <= iou);
    CHECK(q.iou.atMost >= iou);
  }
}

TEST_CASE("A cover inside leaves the solid nowhere and reaches its volume", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  const std::vector<Ball> balls = coverOf(solid, body, {.inside = true, .volumeRatio = 0.7});
  CHECK(volumeOf(balls) >= 0.7 * body.volume);
  for (const Ball& ball : balls) CHECK(solid.depth(ball.centre) >= ball.radius);
  for (std::size_t k = 1; k < balls.size(); ++k) CHECK(balls[k].radius <= balls[k - 1].radius);

  INFO("one ball alone is the largest that fits");
  const std::vector<Ball> one = coverOf(solid, body, {.inside = true, .spheres = 1});
  REQUIRE(one.size() == 1);
  CHECK(one[0].radius == Approx(0.5).epsilon(1e-6));
}

TEST_CASE("More balls fit better, and a goal is reached with the fewest found", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  double before = 0.0;
  for (const std::size_t count : {1U, 3U, 8U}) {
    const auto balls = coverOf(solid, body, {.spheres = count});
    CHECK(balls.size() <= count);
    const double iou = coverQuality(solid, body, balls).iou.atLeast;
    CHECK(iou > before);
    before = iou;
  }
  const auto enough = coverOf(solid, body, {.inertiaError = 0.05});
  CHECK(inertiaErrorOf(body, mass::solidOf(ballUnionMoments(enough))) <= 0.05);
  CHECK_THROWS_AS(coverOf(solid, body, {.spheres = 1, .leastRadius = 10.0}), GeometryError);
}

TEST_CASE("Volume outside of a cube is that of caps of the ball", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 1.0, 1.0}));
  const mass::SolidProperties body = bodyOf(solid);
  const double r = 1.1, height = r - 1.0, cap = pi * height * height * (r - height / 3.0);
  const shape::Bracket beyond =
      volumeOutside(solid, body, std::vector<Ball>{{Vec3::Zero(), r}}, {.tolerance = 1e-5});
  CHECK(beyond.atLeast <= 6.0 * cap);
  CHECK(beyond.atMost >= 6.0 * cap);
  CHECK(beyond.atMost - beyond.atLeast < 3e-4);
}

TEST_CASE("Covers have the same bits on any number of threads", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {false, true}) {
    const auto one = coverOf(solid, body, {.inside = inside, .spheres = 6, .threads = 1});
    for (const int threads : {2, 8}) {
      const auto many = coverOf(solid, body, {.inside = inside, .spheres = 6, .threads = threads});
      REQUIRE(many.size() == one.size());
      for (std::size_t k = 0; k < one.size(); ++k) {
        CHECK(many[k].centre == one[k].centre);
        CHECK(many[k].radius == one[k].radius);
      }
    }
  }
}

TEST_CASE("A least radius holds for all balls, and ends a goal beyond its reach",
          "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));  // with 8 symmetries
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {true, false})
    for (const Ball& ball :
         coverOf(solid, body, {.inside = inside, .spheres = 10, .leastRadius = 0.3}))
      CHECK(ball.radius >= 0.3 * (1.0 - 1e-12));
  CHECK_THROWS_WITH(
      coverOf(solid, body,
              {.objective = CoverObjective::hausdorff, .hausdorff = 0.01, .leastRadius = 0.4}),
      Catch::Contains("Hausdorff distance 0.1") && Catch::Contains("is not reached"));
}

TEST_CASE("A least radius that just fits is not refused", "[clump][cover]") {
  // The largest ball inside a cube, a plate and a tetrahedron with three right angles is known. In
  // the last, r = 3 V / (sum of areas) = 1 / (3 + sqrt 3).
  const auto radiiOf = [](const SolidDistance& solid, double least, bool inside, bool equal) {
    std::vector<double> radii;
    for (const Ball& ball :
         coverOf(solid, bodyOf(solid),
                 {.inside = inside, .equal = equal, .spheres = 3, .leastRadius = least}))
      radii.push_back(ball.radius);
    return radii;
  };
  const SolidDistance cube = solidOf(cuboid({0.5, 0.5, 0.5}));
  const SolidDistance plate = solidOf(cuboid({0.5, 0.35, 0.01}));
  shape::SurfaceMesh corner;
  corner.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& face : std::initializer_list<std::initializer_list<std::uint32_t>>{
           {0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
    corner.faces.add(face);
  const SolidDistance tetra = solidOf(corner);
  const double ofTetra = 1.0 / (3.0 + std::sqrt(3.0));
  for (const auto& [solid, largest] :
       {std::pair(&cube, 0.5), std::pair(&plate, 0.01), std::pair(&tetra, ofTetra)})
    for (const bool inside : {true, false})
      for (const bool equal : {true, false}) {
        INFO(largest << (inside ? " inside" : " fit") << (equal ? ", equal" : ""));
        const std::vector<double> radii = radiiOf(*solid, largest, inside, equal);
        REQUIRE(!radii.empty());
        for (const double radius : radii) CHECK(radius >= largest * (1.0 - 2e-9));
        if (inside)
          CHECK_THROWS_WITH(
              radiiOf(*solid, largest * (1.0 + 1e-7), inside, equal),
              Catch::Contains("the largest ball inside that was found has a radius of"));
        else  // may leave the solid
          CHECK(radiiOf(*solid, largest * (1.0 + 1e-7), inside, equal).front() > largest);
      }
  const SolidDistance sheet = solidOf(cuboid({0.5, 0.5, 0.0002}));
  CHECK_THROWS_WITH(radiiOf(sheet, 0.0, true, false), Catch::Contains("too thin for balls"));
}

TEST_CASE("Twenty balls fit a scanned boulder", "[clump][cover]") {
  const std::string path = testing::dataFolder() + "/authume/STL/SP3A.stl";
  if (!std::filesystem::exists(path)) return testing::skip("no mesh of the boulder SP3A");
  const SolidDistance solid = solidOf(shape::readMeshFromFile(path));
  const mass::SolidProperties body = bodyOf(solid);
  const auto balls = coverOf(solid, body, {.spheres = 20});
  // 0.905 is the best of the published methods.
  CHECK(coverQuality(solid, body, balls).iou.atLeast > 0.9065);
  CHECK(coverOf(solid, body, {.inside = true, .volumeRatio = 0.8}).size() <= 16);
}
