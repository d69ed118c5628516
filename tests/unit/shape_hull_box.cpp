// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "paths.hpp"
#include "sample_shapes.hpp"
#include "skip.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <algorithm>
#include <filesystem>

using namespace scree;
using namespace scree::shape;
using Catch::Contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

double outsideBy(const Obb& box, const std::vector<Vec3>& vertices, double radius) {
  double most = -1e300;
  for (const Vec3& v : vertices) {
    const Vec3 p = box.axes.transpose() * (v - box.centre);
    most = std::max(most, (p.cwiseAbs() + Vec3::Constant(radius) - box.extent).maxCoeff());
  }
  return most;
}

Obb leastBox(const std::vector<Vec3>& vertices, double radius) {
  const Obb box = orientedBox(vertices, radius, BoxMethod::minimum);
  CHECK(outsideBy(box, vertices, radius) < 1e-12);
  CHECK_THAT(box.axes.determinant(), WithinAbs(1.0, 1e-12));
  CHECK((box.axes.transpose() * box.axes - Mat3::Identity()).norm() < 1e-13);
  return box;
}

std::vector<Vec3> turned(std::vector<Vec3> points, const Quat& q) {
  for (Vec3& p : points) p = rotated(q, p);
  return points;
}

}  // namespace

TEST_CASE("a hull has whole faces, and no corner on an edge or inside", "[shape][hull]") {
  std::vector<Vec3> grid;
  for (int x = 0; x <= 3; ++x)
    for (int y = 0; y <= 3; ++y)
      for (int z = 0; z <= 3; ++z) grid.emplace_back(x, y, z);
  const ConvexHull hull = convexHull(grid);
  CHECK(hull.rank == 3);
  CHECK(hull.points.size() == 8);
  REQUIRE(hull.faces.size() == 6);
  for (std::size_t f = 0; f < 6; ++f) CHECK(hull.faces[f].size() == 4);
  CHECK_THAT(hull.volume(), WithinRel(27.0, 1e-15));
  CHECK_THAT(hull.area(), WithinRel(54.0, 1e-15));
  for (std::size_t k = 0; k < hull.points.size(); ++k)
    CHECK(hull.points[k] == grid[hull.source[k]]);
}

TEST_CASE("hulls of points, lines and planes say what they are", "[shape][hull]") {
  CHECK(convexHull(std::vector<Vec3>{Vec3(1, 2, 3), Vec3(1, 2, 3)}).rank == 0);
  const ConvexHull line =
      convexHull(std::vector<Vec3>{Vec3(1, 1, 1), Vec3(3, 3, 3), Vec3(2, 2, 2)});
  CHECK(line.rank == 1);
  CHECK(line.points.size() == 2);
  const ConvexHull flat = convexHull(std::vector<Vec3>{
      Vec3(0, 0, 5), Vec3(2, 0, 5), Vec3(1, 0, 5), Vec3(2, 1, 5), Vec3(0, 1, 5), Vec3(1, 0.5, 5)});
  CHECK(flat.rank == 2);
  REQUIRE(flat.faces.size() == 1);
  CHECK(flat.faces[0].size() == 4);
  CHECK(flat.normals[0] == Vec3::UnitZ());
  // A plate stays one far from the origin, where its coordinates are rounded.
  std::vector<Vec3> far =
      turned(flat.points, Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())));
  for (Vec3& p : far) p += Vec3(1e6, 1e6, 1e6);
  CHECK(convexHull(far).rank == 2);
}

TEST_CASE("turned boxes are found again, not inflated", "[shape][box]") {
  Rng rng(5);
  for (int k = 0; k < 20; ++k) {
    const std::vector<Vec3> points = turned(samples::box(1, 2, 3, 0.0).vertices, rng.orientation());
    CHECK_THAT(leastBox(points, 0.0).volume(), WithinRel(6.0, 1e-9));
    CHECK_THAT(leastBox(points, 0.5).volume(), WithinRel(2.0 * 3.0 * 4.0, 1e-9));
  }
}

TEST_CASE("the least box around a regular tetrahedron is the cube around it", "[shape][box]") {
  // A box flush with one of its faces would be twice as large.
  Rng rng(6);
  for (int k = 0; k < 5; ++k) {
    const auto points = turned(samples::regularTetrahedron(1.0, 0.0).vertices, rng.orientation());
    CHECK_THAT(leastBox(points, 0.0).volume(), WithinRel(1.0 / std::sqrt(8.0), 1e-9));
  }
}

TEST_CASE("flat, straight and single-point skeletons have their exact box", "[shape][box]") {
  const Quat q(Eigen::AngleAxisd(0.5, Vec3(1, 1, 0.3).normalized()));
  const std::vector<Vec3> square{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  CHECK_THAT(leastBox(turned(square, q), 0.1).volume(), WithinRel(1.2 * 1.2 * 0.2, 1e-12));
  CHECK_THAT(leastBox(turned({Vec3(0, 0, 0), Vec3(2, 0, 0)}, q), 0.1).volume(),
             WithinRel(2.2 * 0.2 * 0.2, 1e-12));
  const Obb ball = leastBox({Vec3(3, 4, 5)}, 0.5);
  CHECK(ball.extent == Vec3::Constant(0.5));
  CHECK(ball.axes == Mat3::Identity());
  // The rounding decides between flush sides: without it all three give twice the triangle's area.
  const std::vector<Vec3> triangle{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(3, 1.9, 0)};
  const double side1 = std::hypot(1.0, 1.9), side2 = std::hypot(3.0, 1.9);
  double least = 1e300;
  for (const double side : {4.0, side1, side2}) {
    // Side flush; the foot of the third corner lies between its ends (an acute triangle).
    least = std::min(least, (side + 0.2) * (7.6 / side + 0.2));
  }
  CHECK_THAT(leastBox(triangle, 0.1).volume(), WithinRel(least * 0.2, 1e-12));
}

TEST_CASE("a box in line with the frame is kept where nothing is smaller", "[shape][box]") {
  CHECK(leastBox(samples::box(0.8, 0.8, 0.8, 0.1).vertices, 0.1).axes == Mat3::Identity());
  CHECK(leastBox(samples::regularTetrahedron(1, 0.1).vertices, 0.1).axes == Mat3::Identity());
}

TEST_CASE("the scanned boulder has the box known for it", "[shape][box][data]") {
  const std::filesystem::path file =
      std::filesystem::path(scree::testing::dataFolder()) / "authume/STL/SP3A.stl";
  if (!std::filesystem::exists(file)) {
    scree::testing::skip("no " + file.string());
    return;
  }
  const SurfaceMesh mesh = readMeshFromFile(file.string());
  CHECK(mesh.vertices.size() == 1266);
  CHECK(mesh.faces.size() == 2528);
  CHECK(meshTopology(mesh.vertices.size(), mesh.faces).closed());
  CHECK(convexHull(mesh.vertices).points.size() == 486);
  CHECK(leastBox(mesh.vertices, 0.0).volume() <= 0.322133423603 * (1 + 1e-6));
}

TEST_CASE("of boxes as good as each other rounding does not choose", "[shape][box]") {
  // An acute triangle: flush with any side its rectangle has twice its area.
  const std::vector<Vec3> triangle{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(3, 1.9, 0)};
  const Obb box = leastBox(triangle, 0.0);
  Vec3 e = box.extent;
  std::sort(e.begin(), e.end());
  CHECK(e[0] == 0.0);
  CHECK_THAT(4.0 * e[1] * e[2], WithinRel(7.6, 1e-14));
  CHECK(box.axes == Mat3::Identity());  // the side along x is one of the three
  // With rounding the shortest side decides; turned in space too.
  Rng rng(3);
  for (int k = 0; k < 10; ++k) {
    const auto points = turned(triangle, rng.orientation());
    const double side = std::hypot(1.0, 1.9);
    CHECK_THAT(leastBox(points, 0.1).volume(),
               WithinRel((side + 0.2) * (7.6 / side + 0.2) * 0.2, 1e-12));
    const Obb flat = leastBox(points, 0.0);
    Vec3 sides = flat.extent;
    std::sort(sides.begin(), sides.end());
    CHECK(sides[0] < 1e-15);
    CHECK_THAT(4.0 * sides[1] * sides[2], WithinRel(7.6, 1e-12));
  }
  // A square plate keeps its axes.
  CHECK(leastBox({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)}, 0.0).axes ==
        Mat3::Identity());
}

TEST_CASE("the least box of a fine hull is not above those of the source and of PCA",
          "[shape][box]") {
  Shape sharp;
  sharp.radius = 0.1;
  sharp.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 3)};
  sharp.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (const std::vector<std::uint32_t>& face :
       {std::vector<std::uint32_t>{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
    sharp.faces.add(face);
  const auto rounded = roundedSurface(sharp, 8);
  const Quat q(Eigen::AngleAxisd(0.7, Vec3(1, 2, 0.4).normalized()));  // source into body frame
  Shape fine;
  fine.vertices = turned(rounded.points, q);
  fine.orientation = q.conjugate();
  const double least = orientedBox(fine, BoxMethod::minimum).volume();
  CHECK(least <= 1.2 * 2.2 * 3.2 * (1 + 1e-12));
  CHECK(least <= orientedBox(fine, BoxMethod::pca).volume() * (1 + 1e-9));
  CHECK(least <= orientedBox(fine, BoxMethod::aabb).volume());
}

TEST_CASE("balls of different radii have their least box", "[shape][box]") {
  const auto outside = [](const Obb& box, const std::vector<Vec3>& c,
                          const std::vector<double>& r) {
    double most = -1e300;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Vec3 p = box.axes.transpose() * (c[k] - box.centre);
      most = std::max(most, (p.cwiseAbs() + Vec3::Constant(r[k]) - box.extent).maxCoeff());
    }
    return most;
  };
  Rng rng(12);
  // Balls of 1 and 1/4 at distance 3. The box may lean until the small one reaches two sides of
  // width 2. Its line then has components of 1/4 across: 4 (1 + 1/4 + 3 sqrt(1 - 2/16)).
  for (int k = 0; k < 10; ++k) {
    const std::vector<Vec3> centres{Vec3(1, 1, 1), Vec3(1, 1, 1) + 3.0 * rng.direction(),
                                    Vec3(1.1, 1, 1)};
    const std::vector<double> radii{1.0, 0.25, 0.1};  // the third lies in the first
    const Obb box = orientedBox(centres, radii, BoxMethod::minimum);
    CHECK_THAT(box.volume(), WithinRel(4.0 * (1.25 + 3.0 * std::sqrt(0.875)), 1e-3));
    CHECK(outside(box, centres, radii) < 1e-12);
    CHECK(orientedBox(centres, radii, BoxMethod::minimum).axes == box.axes);
  }
  // Eight balls of different radii at the corners of a turned box, as large at each side: the box.
  for (int k = 0; k < 5; ++k) {
    const Quat q = rng.orientation();
    std::vector<Vec3> centres;
    std::vector<double> radii;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0}) {
          const double r = 0.05 + 0.1 * static_cast<double>(centres.size() % 3);
          radii.push_back(r);
          centres.push_back(rotated(q, Vec3(x * (1.0 - r), y * (2.0 - r), z * (3.0 - r))));
        }
    const Obb box = orientedBox(centres, radii, BoxMethod::minimum);
    CHECK(box.volume() <= 48.0 * (1 + 1e-3));
    CHECK(outside(box, centres, radii) < 1e-12);
  }
  // Never larger than any of many turned boxes, nor than the other methods.
  for (int k = 0; k < 5; ++k) {
    std::vector<Vec3> centres;
    std::vector<double> radii;
    for (int i = 0; i < 20; ++i) {
      centres.emplace_back(rng.uniform(-3, 3), rng.uniform(-2, 2), rng.uniform(-1, 1));
      radii.push_back(rng.uniform(0.0, 0.8));
    }
    const double least = orientedBox(centres, radii, BoxMethod::minimum).volume();
    CHECK(least <= orientedBox(centres, radii, BoxMethod::aabb).volume() * (1 + 1e-12));
    CHECK(least <= orientedBox(centres, radii, BoxMethod::pca).volume() * (1 + 1e-12));
  }
  // One radius for all: as with one number.
  const std::vector<Vec3> points = samples::regularTetrahedron(1.0, 0.0).vertices;
  CHECK(orientedBox(points, std::vector<double>(4, 0.1), BoxMethod::minimum).extent ==
        leastBox(points, 0.1).extent);
  CHECK_THROWS_AS(orientedBox(points, std::vector<double>{1.0}, BoxMethod::minimum), GeometryError);
}
