// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "command.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/shape/shape_file.hpp"

#include <algorithm>

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
  Shape body;
  body.vertices = vertices;
  body.radius = radius;
  const Obb box = orientedBox(body, BoxMethod::minimum);
  CHECK(outsideBy(box, vertices, radius) < 1e-12);
  CHECK_THAT(box.axes.determinant(), WithinAbs(1.0, 1e-12));
  CHECK((box.axes.transpose() * box.axes - Mat3::Identity()).norm() < 1e-13);
  return box;
}

std::vector<Vec3> turned(std::vector<Vec3> points, const Quat& q) {
  for (Vec3& p : points) p = rotated(q, p);
  return points;
}

Vec3 outerSize(const Shape& s) { return 2.0 * orientedBox(s, BoxMethod::aabb).extent; }

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

TEST_CASE("boxes known from formulas: tetrahedra, plates, sticks, points", "[shape][box]") {
  Rng rng(6);
  for (int k = 0; k < 5; ++k) {
    // The cube around it: a box flush with one of its faces would be twice as large.
    const auto points = turned(samples::regularTetrahedron(1.0, 0.0).vertices, rng.orientation());
    CHECK_THAT(leastBox(points, 0.0).volume(), WithinRel(1.0 / std::sqrt(8.0), 1e-9));
  }
  const Quat q(Eigen::AngleAxisd(0.5, Vec3(1, 1, 0.3).normalized()));
  const std::vector<Vec3> square{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  CHECK_THAT(leastBox(turned(square, q), 0.1).volume(), WithinRel(1.2 * 1.2 * 0.2, 1e-12));
  CHECK_THAT(leastBox(turned({Vec3(0, 0, 0), Vec3(2, 0, 0)}, q), 0.1).volume(),
             WithinRel(2.2 * 0.2 * 0.2, 1e-12));
  CHECK(leastBox({Vec3(3, 4, 5)}, 0.5).extent == Vec3::Constant(0.5));
  // A box in line with the frame is kept where nothing is smaller.
  for (const auto& [points, radius] :
       {std::pair(samples::box(0.8, 0.8, 0.8, 0.1).vertices, 0.1),
        std::pair(samples::regularTetrahedron(1, 0.1).vertices, 0.1), std::pair(square, 0.0),
        std::pair(std::vector{Vec3(3, 4, 5)}, 0.5)})
    CHECK(leastBox(points, radius).axes == Mat3::Identity());
}

TEST_CASE("the scanned boulder has the box known for it", "[shape][box][data]") {
  const std::string file = scree::testing::publicData("authume/STL/SP3A.stl");
  if (file.empty()) return;
  const SurfaceMesh mesh = readMeshFromFile(file);
  CHECK(mesh.vertices.size() == 1266);
  CHECK(mesh.faces.size() == 2528);
  CHECK(convexHull(mesh.vertices).points.size() == 486);
  CHECK(leastBox(mesh.vertices, 0.0).volume() <= 0.322133423603 * (1 + 1e-6));
}

TEST_CASE("of boxes as good as each other rounding does not choose", "[shape][box]") {
  // An acute triangle: flush with any side its rectangle has twice its area; with rounding the
  // shortest side decides.
  const std::vector<Vec3> triangle{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(3, 1.9, 0)};
  CHECK(leastBox(triangle, 0.0).axes == Mat3::Identity());  // the side along x is one of the three
  const double side = std::hypot(1.0, 1.9);
  Rng rng(3);
  for (int k = 0; k < 10; ++k) {
    const auto points = k > 0 ? turned(triangle, rng.orientation()) : triangle;
    CHECK_THAT(leastBox(points, 0.1).volume(),
               WithinRel((side + 0.2) * (7.6 / side + 0.2) * 0.2, 1e-12));
    Vec3 sides = leastBox(points, 0.0).extent;
    std::sort(sides.begin(), sides.end());
    CHECK(sides[0] < 1e-15);
    CHECK_THAT(4.0 * sides[1] * sides[2], WithinRel(7.6, 1e-12));
  }
}

TEST_CASE("the least box of a fine hull is not above those of the source and of PCA",
          "[shape][box]") {
  const Shape sharp = samples::rightTetrahedron(1, 2, 3, 0.1);
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
  const auto box = [](const std::vector<Vec3>& c, const std::vector<double>& r) {
    Shape body;
    body.vertices = c;
    body.radii = r;
    const Obb least = orientedBox(body, BoxMethod::minimum);
    for (std::size_t k = 0; k < c.size(); ++k) CHECK(outsideBy(least, {c[k]}, r[k]) < 1e-12);
    CHECK(least.volume() <= orientedBox(body, BoxMethod::aabb).volume() * (1 + 1e-12));
    CHECK(least.volume() <= orientedBox(body, BoxMethod::pca).volume() * (1 + 1e-12));
    return least;
  };
  Rng rng(12);
  for (int k = 0; k < 5; ++k) {
    // Balls of 1 and 1/4 at distance 3, a third within the first. The box may lean until the small
    // one reaches two sides of width 2. Its line then has components of 1/4 across.
    const std::vector<Vec3> centres{Vec3(1, 1, 1), Vec3(1, 1, 1) + 3.0 * rng.direction(),
                                    Vec3(1.1, 1, 1)};
    CHECK_THAT(box(centres, {1.0, 0.25, 0.1}).volume(),
               WithinRel(4.0 * (1.25 + 3.0 * std::sqrt(0.875)), 1e-3));
    // Eight balls at the corners of a turned box, and twenty anywhere.
    const Quat q = rng.orientation();
    std::vector<Vec3> corners, any;
    std::vector<double> radii, others;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0}) {
          const double r = 0.05 + 0.1 * static_cast<double>(corners.size() % 3);
          radii.push_back(r);
          corners.push_back(rotated(q, Vec3(x * (1.0 - r), y * (2.0 - r), z * (3.0 - r))));
        }
    CHECK(box(corners, radii).volume() <= 48.0 * (1 + 1e-3));
    for (int i = 0; i < 20; ++i) {
      any.emplace_back(rng.uniform(-3, 3), rng.uniform(-2, 2), rng.uniform(-1, 1));
      others.push_back(rng.uniform(0.0, 0.8));
    }
    box(any, others);
  }
}

TEST_CASE("a boulder has the requested faces and sizes, and is convex", "[shape][make]") {
  for (const int faces : {4, 5, 6, 12, 30, 100}) {
    INFO(faces);
    const Vec3 size(1.0, 0.8, 0.6);
    const Shape s = makeBoulder(faces, size, 0.02, 1);
    CHECK(s.faces.size() == static_cast<std::size_t>(faces));
    CHECK((outerSize(s) - size).norm() < 1e-14);
    const Core core = coreOf(s);
    CHECK(core.convex);
    CHECK_FALSE(core.turned);
    CHECK(core.flatness < 1e-12);
    // Euler: corners - edges + faces = 2.
    CHECK(s.vertices.size() + s.faces.size() == s.edges.size() + 2);
    CHECK_THAT(core.hull.area(), WithinRel(convexHull(s.vertices, 1e-9).area(), 1e-12));
  }
}

TEST_CASE("box, plate, prism and sphere include their rounding", "[shape][make]") {
  CHECK((outerSize(makeBox(Vec3(1, 2, 3), 0.1)) - Vec3(1, 2, 3)).norm() < 1e-15);
  CHECK((outerSize(makePlate(1, 2, 0.1)) - Vec3(1, 2, 0.2)).norm() < 1e-15);
  CHECK((outerSize(makeSphere(0.7)) - Vec3::Constant(0.7)).norm() < 1e-15);
  const Shape prism = makePrism(6, 1.0, 2.0, 0.1);
  CHECK(outerSize(prism).x() == Approx(1.0));
  CHECK(outerSize(prism).z() == Approx(2.0));
  CHECK(prism.faces.size() == 8);
  // A box of no thickness is a plate, a stick or a ball.
  CHECK(makeBox(Vec3(1, 2, 0.2), 0.1).faces.size() == 1);
  CHECK(makeBox(Vec3(1, 0.2, 0.2), 0.1).edges.size() == 1);
  CHECK(makeBox(Vec3(0.2, 0.2, 0.2), 0.1).vertices.size() == 1);
}

TEST_CASE("a slope goes down in equal steps as one connected surface", "[shape][make]") {
  const Shape s = makeSlope(6, 12, 6, 4, 0.05);
  CHECK(s.isSurface);
  CHECK(s.faces.size() == 13);
  CHECK(s.vertices.size() == 28);
  CHECK(s.vertices.front() == Vec3(0, 6, -2));
  CHECK(s.vertices.back() == Vec3(12, 0, 2));
  const MeshCheck topology = checkEdges(s.faces);
  CHECK(topology.components == 1);
  CHECK(topology.oriented());
  CHECK(topology.openEdges.count == 2 * 13 + 2);
}
