// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sample_meshes.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/mesh_check.hpp"

#include <numeric>

using namespace scree;
using namespace scree::shape;
using namespace scree::samples;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

double areaOf(const SurfaceMesh& mesh) {
  double sum = 0.0;
  for (const auto& t : trianglesOf(mesh))
    sum += 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]])
                     .cross(mesh.vertices[t[2]] - mesh.vertices[t[0]])
                     .norm();
  return sum;
}

bool allSimple(const SurfaceMesh& mesh) {
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    if (!isSimple(mesh.vertices, mesh.faces[f])) return false;
  return true;
}

std::vector<std::uint32_t> upTo(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

Vec3 inSingle(const Vec3& v) { return v.cast<float>().cast<double>(); }

}  // namespace

TEST_CASE("a polygon is cut into triangles of its own area", "[shape][mesh]") {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    // A star around the origin, in a plane turned any way, with corners on its sides.
    const Quat q = rng.orientation();
    std::vector<Vec3> points;
    const int n = 3 + trial % 20;
    for (int k = 0; k < n; ++k) {
      const double angle = 2.0 * pi * k / n, r = rng.uniform(0.2, 1.0);
      points.push_back(rotated(q, Vec3(r * std::cos(angle), r * std::sin(angle), 0.0)));
    }
    double area = 0.0;
    for (int k = 0; k < n; ++k)
      area += 0.5 * rotated(q, Vec3::UnitZ())
                        .dot(points[static_cast<std::size_t>(k)].cross(
                            points[static_cast<std::size_t>((k + 1) % n)]));
    if (n > 3) points.insert(points.begin() + 1, 0.5 * (points[0] + points[1]));
    std::vector<std::array<std::uint32_t, 3>> triangles;
    triangulate(points, upTo(points.size()), triangles);
    CHECK(triangles.size() == points.size() - 2);
    double sum = 0.0;
    for (const auto& t : triangles)
      sum += 0.5 * (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).norm();
    CHECK_THAT(sum, WithinRel(area, 1e-13));
    CHECK(isSimple(points, upTo(points.size())));
  }
}

TEST_CASE("polygons that cross, touch or run back along themselves are not simple",
          "[shape][mesh]") {
  const std::vector<Vec3> square{{0, 0, 0},   {1, 0, 0}, {1, 1, 0},    {0, 1, 0},
                                 {0.5, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}};
  const auto simple = [&](std::vector<std::uint32_t> corners) { return isSimple(square, corners); };
  CHECK(simple({0, 1, 2, 3}));
  CHECK(simple({0, 4, 1, 2, 3}));        // a corner on a side
  CHECK_FALSE(simple({0, 1, 3, 2}));     // a bow tie
  CHECK_FALSE(simple({0, 5, 1, 2, 3}));  // a spike
  CHECK_FALSE(simple({0, 1, 2, 3, 4}));  // touches its side
  CHECK_FALSE(simple({0, 1, 1, 2, 3}));
  CHECK_FALSE(simple({0, 1}));
}

TEST_CASE("triangles in one plane become one face: a wall, a box, what hulls are made of",
          "[shape][mesh]") {
  SurfaceMesh wall;
  addGrid(wall, 30, 20, [](int i, int j) { return Vec3(0.1 * i, 0.25 * j, 0.0); });
  REQUIRE(wall.faces.size() == 1200);
  Rng rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Quat q = trial ? rng.orientation() : Quat(Quat::Identity());
    const Vec3 shift = trial % 3 ? Vec3(10, -20, 5) : Vec3::Zero();
    const bool single = trial % 2;
    const auto moved = [&](const Vec3& v) {
      const Vec3 p = rotated(q, v);
      return single ? inSingle(p) : p;
    };
    const CoplanarMerge one = mergedCoplanar(mapped(wall, moved), 0.0);
    CHECK(one.mesh.faces.size() == 1);
    CHECK(one.mesh.vertices.size() == 4);
    CHECK(one.flatness < (single ? 1e-6 : 1e-14));
    CHECK_THAT(areaOf(one.mesh), WithinRel(15.0, single ? 1e-6 : 1e-13));
    const SurfaceMesh box = mapped(griddedBox(Vec3(1, 2, 3), 7),
                                   [&](const Vec3& v) { return Vec3(rotated(q, v) + shift); });
    const CoplanarMerge six = mergedCoplanar(box, trial % 2 ? 1.0 : 0.0);
    CHECK(six.mesh.faces.size() == 6);
    CHECK(edgesOf(six.mesh.faces).size() == 12);
    CHECK(six.mesh.vertices.size() == 8);
    CHECK_THAT(signedVolume(six.mesh.vertices, six.mesh.faces), WithinRel(6.0, 1e-13));
    CHECK(checkMesh(six.mesh).sound());
    CHECK(hausdorff(box, six.mesh, 3e-2).atLeast < 1e-14 * 30);
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Shape boulder = makeBoulder(40, Vec3(1, 1, 1), 0.01, seed);
    const CoplanarMerge merge =
        mergedCoplanar(triangulated({boulder.vertices, boulder.faces}), 0.0);
    CHECK(merge.mesh.faces.size() == 40);
    CHECK(merge.mesh.vertices.size() == boulder.vertices.size());
  }
  const Shape letter = letterL(0.0);
  CHECK(mergedCoplanar(triangulated({letter.vertices, letter.faces}), 0.5).mesh.faces.size() == 8);
}

TEST_CASE("a face with a hole is cut into simple polygons without one", "[shape][mesh]") {
  const SurfaceMesh ring = squareRing();
  REQUIRE(checkMesh(ring).sound());
  const CoplanarMerge merge = mergedCoplanar(ring, 0.0);
  CHECK(allSimple(merge.mesh));
  CHECK(checkMesh(merge.mesh).sound());
  CHECK_THAT(areaOf(merge.mesh), WithinRel(16.0 + 12.0 + 4.0, 1e-14));
  const SurfaceMesh cut = triangulated(merge.mesh);
  CHECK_THAT(signedVolume(cut.vertices, cut.faces), WithinRel(8.0, 1e-14));
  CHECK(merge.mesh.faces.size() <= 8 + 2 * 3);
}

TEST_CASE("merged with an angle, a closed mesh stays closed and says how plane its faces are",
          "[shape][mesh]") {
  for (const double degrees : {1.0, 5.0, 15.0}) {
    const SurfaceMesh ball = globe(1.0, 24);
    const CoplanarMerge merge = mergedCoplanar(ball, degrees);
    const MeshCheck check = checkMesh(merge.mesh);
    CHECK(check.closed());
    CHECK(check.manifold());
    CHECK(allSimple(merge.mesh));
    CHECK(hausdorff(ball, merge.mesh, 1e-3).atLeast <= 2.0 * merge.flatness + 1e-7);
  }
  CHECK_THROWS_AS(mergedCoplanar(globe(1.0, 4), 90.0), UsageError);
  CHECK_THROWS_AS(mergedCoplanar(globe(1.0, 4), std::nan("")), UsageError);
}

TEST_CASE("each defect of a mesh is counted, and the first faces are named", "[shape][mesh]") {
  const SurfaceMesh box = griddedBox(Vec3(1, 1, 1), 2);
  CHECK(checkMesh(box).sound());
  CHECK(findings(checkMesh(box)).empty());

  MeshCheck check = checkMesh(withoutFace(box, 7));
  CHECK(check.openEdges.count == 3);
  CHECK_FALSE(check.closed());
  CHECK(check.openEdges.faces.size() == 3);

  SurfaceMesh turned = withoutFace(box, 0);
  turned.faces.add({box.faces[0][0], box.faces[0][2], box.faces[0][1]});
  check = checkMesh(turned);
  CHECK(check.wrongEdges.count == 3);
  CHECK_FALSE(check.oriented());
  std::size_t count = 0;
  CHECK(checkMesh(woundAlike(turned, count)).sound());
  CHECK(count == 1);

  SurfaceMesh twice = box;
  twice.faces.add({box.faces[5][1], box.faces[5][2], box.faces[5][0]});
  check = checkMesh(twice);
  CHECK(check.duplicateFaces.count == 1);
  CHECK(check.duplicateFaces.faces[0] == box.faces.size());
  CHECK(check.nonManifoldEdges.count == 3);
  CHECK(checkMesh(withoutDuplicateFaces(twice)).sound());

  // Two boxes that share an edge, and two that share a corner.
  const auto moved = [&](const Vec3& by) {
    return mapped(box, [&](const Vec3& v) { return Vec3(v + by); });
  };
  check = checkMesh(welded(joined(box, moved(Vec3(1, 1, 0))), 0.0));
  CHECK(check.nonManifoldEdges.count == 2);  // the edge has two segments
  CHECK(check.closed());
  CHECK_FALSE(check.manifold());
  CHECK(check.selfIntersections.count == 0);
  check = checkMesh(welded(joined(box, moved(Vec3(1, 1, 1))), 0.0));
  CHECK(check.nonManifoldEdges.count == 0);
  CHECK(check.pinchedVertices.count == 1);

  check = checkMesh(joined(box, moved(Vec3(0.3, 0.4, 0.6))));
  CHECK(check.selfIntersections.count > 0);
  CHECK(check.components == 2);
  CHECK(checkMesh(joined(box, moved(Vec3(0.3, 0.4, 1.1)))).selfIntersections.count == 0);
  // Boxes side by side touch: exactly at 1, not a hair beyond.
  CHECK(checkMesh(joined(box, moved(Vec3(0, 0, 1.0)))).selfIntersections.count > 0);
  CHECK(
      checkMesh(joined(box, moved(Vec3(0, 0, std::nextafter(1.0, 2.0))))).selfIntersections.count ==
      0);

  SurfaceMesh folded;
  folded.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.5, 0}, {0.1, 0, 0}};
  folded.faces.add({0, 1, 2});
  folded.faces.add({1, 0, 3});
  CHECK(checkMesh(folded).selfIntersections.count == 1);
  folded.faces.add({0, 4, 1});
  CHECK(checkMesh(folded).degenerateFaces.count == 1);
  CHECK(findings(checkMesh(folded)).size() >= 3);
}
