// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/mesh_change.hpp"

#include "catch.hpp"
#include "command.hpp"
#include "sample_meshes.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"

#include <numeric>

using namespace scree;
using namespace scree::shape;
using namespace scree::samples;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

SurfaceMesh facesOf(const Shape& shape) { return {shape.vertices, shape.faces}; }
double volumeOf(const SurfaceMesh& mesh) { return signedVolume(mesh.vertices, mesh.faces); }
SurfaceMesh moved(const SurfaceMesh& mesh, const Vec3& by) {
  return mapped(mesh, [&](const Vec3& v) { return Vec3(v + by); });
}
bool same(const SurfaceMesh& a, const SurfaceMesh& b) {
  return a.vertices == b.vertices && a.faces == b.faces;
}

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

TEST_CASE("the nearest triangle is the one that looking at all of them finds", "[shape][mesh]") {
  const SurfaceMesh mesh = torus(1.0, 0.4, 24, 12);
  const SurfaceDistance distance(mesh);
  Rng rng(7);
  for (int k = 0; k < 300; ++k) {
    const Vec3 p(rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-1, 1));
    double least = 1e300;
    for (std::uint32_t t = 0; t < distance.triangles().size(); ++t)
      least = std::min(least, distance.distance(p, t));
    CHECK(distance.nearest(p, static_cast<std::uint32_t>(k)).distance == least);
  }
}

TEST_CASE("distances between surfaces are bracketed", "[shape][mesh]") {
  const SurfaceMesh box = griddedBox(Vec3(1, 1, 1), 3);
  const SurfaceMesh larger = mapped(griddedBox(Vec3(1.2, 1.2, 1.2), 2),
                                    [](const Vec3& v) { return Vec3(v - Vec3::Constant(0.1)); });
  // Corners are farthest.
  const double wanted = 0.1 * std::sqrt(3.0);
  for (const double accuracy : {1e-2, 1e-4}) {
    const Bracket apart = hausdorff(box, larger, accuracy);
    CHECK(apart.atLeast <= wanted * (1 + 1e-14));
    CHECK(apart.atMost >= wanted * (1 - 1e-14));
    CHECK(apart.atMost - apart.atLeast <= accuracy);
  }
  // One ball inside another: the gap is the difference, less what the facets leave.
  const Bracket shells = hausdorff(globe(1.0, 40), globe(1.1, 40), 1e-3);
  CHECK(shells.atMost >= 0.1 * (1 - 1e-9));
  CHECK(shells.atLeast <= 0.105);
}

TEST_CASE("simplified surfaces stay closed and manifold, what is lost is within the bounds",
          "[shape][mesh]") {
  // Flat meshes lose nothing.
  const SurfaceMesh box = griddedBox(Vec3(1, 2, 3), 8), corners = simplified(box, 8);
  CHECK(corners.vertices.size() == 8);
  CHECK_THAT(volumeOf(corners), WithinRel(6.0, 1e-12));
  SurfaceMesh sheet;
  addGrid(sheet, 10, 6, [](int i, int j) { return Vec3(i, j, 0); });
  CHECK(hausdorff(sheet, simplified(sheet, 4), 1e-3).atLeast < 1e-12);
  // The Euler number stays: 2 for a ball, 0 for a ring.
  const auto euler = [](const SurfaceMesh& m) {
    return static_cast<long>(m.vertices.size() + m.faces.size()) -
           static_cast<long>(edgesOf(m.faces).size());
  };
  for (const SurfaceMesh& mesh : {globe(1.0, 30), torus(1.0, 0.4, 48, 24)}) {
    double last = 0.0;
    for (const std::size_t vertices : {400u, 100u, 40u}) {
      const SurfaceMesh small = simplified(mesh, vertices);
      CHECK(small.vertices.size() <= vertices);
      CHECK(checkMesh(small).sound());
      CHECK(euler(small) == euler(mesh));
      const double apart = hausdorff(mesh, small, 1e-3).atMost;
      CHECK(apart > last);
      last = apart;
      // The two bodies differ within a shell of this thickness on either side; both have an area
      // below 16.
      CHECK(std::abs(volumeOf(small) - volumeOf(mesh)) < 1.5 * 16.0 * apart);
      CHECK(same(small, simplified(mesh, vertices)));
    }
  }
  CHECK_THROWS_AS(simplified(torus(1.0, 0.4, 24, 12), 4), GeometryError);
  CHECK(simplified(globe(1.0, 8), 100000).vertices.size() == globe(1.0, 8).vertices.size());
}

TEST_CASE("holes are closed by triangles on their rims", "[shape][mesh]") {
  const SurfaceMesh whole = griddedBox(Vec3(1, 1, 1), 3);
  SurfaceMesh holed = whole, open{whole.vertices, {}};
  for (const std::size_t gone : {50u, 49u, 20u, 3u}) holed = withoutFace(holed, gone);
  // A whole side: a rim with corners, closed flat.
  for (std::size_t f = 0; f < whole.faces.size(); ++f)
    if (!std::ranges::all_of(whole.faces[f], [&](auto v) { return whole.vertices[v].z() == 1.0; }))
      open.faces.add(whole.faces[f]);
  for (const SurfaceMesh& mesh : {holed, open}) {
    const HoleFilling filling = filledHoles(mesh);
    CHECK(filling.holes >= 1);
    CHECK(filling.holesLeft == 0);
    CHECK(checkMesh(filling.mesh).sound());
    CHECK_THAT(volumeOf(filling.mesh), WithinRel(1.0, 1e-13));
  }
  CHECK_THAT(filledHoles(open).area, WithinRel(1.0, 1e-13));
  CHECK(filledHoles(whole).holes == 0);
}

TEST_CASE("a wrap closes what is broken and stays near it", "[shape][mesh]") {
  // Two boxes through each other, one with holes.
  const SurfaceMesh broken = joined(withoutFace(withoutFace(griddedBox(Vec3(1, 1, 1), 6), 30), 100),
                                    moved(griddedBox(Vec3(1, 1, 1), 3), Vec3(0.5, 0.25, 0.25)));
  REQUIRE_FALSE(checkMesh(broken).closed());
  const double alpha = 0.1, offset = 0.01;
  const SurfaceMesh wrap = wrapped(broken, alpha, offset);
  CHECK(checkMesh(wrap).sound());
  // It holds the union (1 + 1 - 0.5 * 0.75 * 0.75 by hand) and stays within alpha and offset.
  const double solid = 2.0 - 0.5 * 0.75 * 0.75;
  CHECK(volumeOf(wrap) > solid);
  CHECK(volumeOf(wrap) < solid * 1.15);
  CHECK(farthest(wrap, SurfaceDistance(broken), 1e-3).atLeast < alpha);
  CHECK(same(wrap, wrapped(broken, alpha, offset)));
  CHECK_THROWS_AS(wrapped(broken, 0.0, 0.1), UsageError);
  SurfaceMesh line;
  line.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  line.faces.add({0, 1, 2});
  CHECK_THROWS_AS(wrapped(line, 0.1, 0.01), GeometryError);
}

TEST_CASE("planes of a convex body move in by the radius, exactly", "[shape][mesh][inset]") {
  const Inset cube = insetBy(griddedBox(Vec3(1, 1, 1), 3), 0.1);
  CHECK(cube.exact);
  CHECK(cube.skeleton.vertices.size() == 8);
  CHECK(cube.skeleton.faces.size() == 6);
  CHECK_THAT(volumeOf(cube.skeleton), WithinRel(0.512, 1e-13));
  CHECK_THAT(cube.gap.atMost, WithinRel(0.1 * (std::sqrt(3.0) - 1.0), 1e-12));
  // Bodies around a ball keep their form.
  CHECK(insetBy(facesOf(octahedron(1.0, 0.0)), 0.03).skeleton.vertices.size() == 6);
  CHECK(insetBy(facesOf(dodecahedron(1.0, 0.0)), 0.001).skeleton.vertices.size() == 20);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const SurfaceMesh boulder = facesOf(makeBoulder(60, Vec3(1, 0.8, 0.6), 0.01, seed));
    for (const double radius : {0.001, 0.02, 0.1}) {
      const Inset inset = insetBy(boulder, radius);
      const ConvexHull hull = convexHull(boulder.vertices);
      std::size_t met = 0;
      for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        double support = -1e300;
        for (const Vec3& v : inset.skeleton.vertices)
          support = std::max(support, hull.normals[f].dot(v));
        const double off = hull.normals[f].dot(hull.points[hull.faces[f][0]]) - radius - support;
        CHECK(off > -1e-12);
        met += off < 1e-11;
      }
      // Small facets vanish for large roundings; for small ones each is met.
      CHECK(met >= (radius < 0.01 ? hull.faces.size() : std::size_t{10}));
      Shape rounded = shapeFromMesh(inset.skeleton, radius);
      CHECK(mass::massReport(rounded).solid.volume < volumeOf(boulder));
    }
  }
}

TEST_CASE("a body with reflex edges keeps its planes and those edges", "[shape][mesh][inset]") {
  const SurfaceMesh letter = facesOf(letterL(0.0));
  const Inset inset = insetBy(letter, 0.1);
  CHECK_FALSE(inset.exact);
  CHECK(inset.removed == 0);
  // The L on (0.1 .. 1.9), 0.8 thick: by hand.
  CHECK_THAT(volumeOf(inset.skeleton), WithinRel((1.8 * 0.8 + 0.8 * 1.0) * 0.8, 1e-12));
  const double corner = 0.1 * (std::sqrt(3.0) - 1.0);
  CHECK(inset.gap.atMost >= corner * (1 - 1e-12));
  CHECK(inset.gap.atLeast <= corner * (1 + 1e-12));
  CHECK(inset.excess < 1e-12);
  CHECK(mergedCoplanar(inset.skeleton, 0.0).mesh.faces.size() == 8);
}

TEST_CASE("curved bodies are inset to a part of the radius", "[shape][mesh][inset]") {
  const SurfaceMesh ring = torus(1.0, 0.4, 64, 32);
  for (const double radius : {0.02, 0.1, 0.2}) {
    const Inset inset = insetBy(ring, radius);
    CHECK(checkMesh(inset.skeleton).sound());
    CHECK(inset.gap.atMost < 0.02 * radius);
    CHECK(inset.excess < 0.02 * radius);
  }
}

TEST_CASE("a radius that leaves nothing is refused, and so is an open mesh",
          "[shape][mesh][inset]") {
  // An L of legs 1 thick: whatever the radius, the body lies within it, or is refused.
  const Shape letter = letterL(0.0);
  for (double r = 0.05; r < 2.0; r *= 1.25) {
    CAPTURE(r);
    try {
      const Inset in = insetBy({letter.vertices, letter.faces}, r);
      CHECK(signedVolume(in.skeleton.vertices, in.skeleton.faces) > 0.0);
      CHECK(in.excess <= 0.5 * r);
    } catch (const GeometryError&) {
      CHECK(r > 0.2);
    }
  }
  CHECK_THROWS_WITH(insetBy(griddedBox(Vec3(1, 1, 0.1), 2), 0.06),
                    Catch::Contains("inset: with the radius 0.06"));
  CHECK_THROWS_AS(insetBy(torus(1.0, 0.4, 32, 16), 0.45), GeometryError);
  CHECK_THROWS_AS(insetBy(withoutFace(torus(1.0, 0.4, 32, 16), 5), 0.1), GeometryError);
}

TEST_CASE("bodies of blocks fall into blocks, and nothing is added", "[shape][mesh][parts]") {
  const Decomposition letter = convexParts(facesOf(letterL(0.0)), 8);
  CHECK(letter.parts.size() == 2);
  CHECK_THAT(letter.partsVolume, WithinRel(3.0, 1e-12));
  const Decomposition ring = convexParts(squareRing(), 8);
  CHECK(ring.parts.size() == 4);
  CHECK(std::abs(ring.excess()) < 1e-12);
  const Decomposition convex = convexParts(griddedBox(Vec3(1, 2, 3), 4), 8);
  CHECK(convex.parts.size() == 1);
  const SurfaceMesh two =
      joined(griddedBox(Vec3(1, 1, 1), 2), moved(griddedBox(Vec3(1, 1, 1), 2), Vec3(3, 0, 0)));
  CHECK(convexParts(two, 2).parts.size() == 2);
  CHECK_THROWS_AS(convexParts(two, 1), GeometryError);
  CHECK_THROWS_AS(convexParts(withoutFace(two, 1), 4), GeometryError);
  CHECK_THROWS_AS(convexParts(two, 0), UsageError);
}

TEST_CASE("convex parts cover the body, the closer the more there are", "[shape][mesh][parts]") {
  const SurfaceMesh ring = torus(1.0, 0.4, 24, 12);
  double last = 1e300;
  for (const std::size_t most : {1u, 4u, 16u}) {
    const Decomposition parts = convexParts(ring, most, 2), again = convexParts(ring, most, 1);
    CHECK(parts.parts.size() <= most);
    CHECK_THAT(parts.volume, WithinRel(volumeOf(ring), 1e-12));
    CHECK(parts.excess() < last);
    last = parts.excess();
    REQUIRE(again.parts.size() == parts.parts.size());
    for (std::size_t k = 0; k < parts.parts.size(); ++k)
      CHECK(again.parts[k].points == parts.parts[k].points);
  }
  CHECK(last < 0.03);
}

TEST_CASE("public scans: SP1A has a hole, rock.stl edges of four faces, SP3A is inset",
          "[shape][mesh][data]") {
  const std::string hole = testing::publicData("authume/STL/SP1A.stl"),
                    rock = testing::publicData("meshes/rock.stl"),
                    boulder = testing::publicData("authume/STL/SP3A.stl");
  if (hole.empty() || rock.empty() || boulder.empty()) return;
  const HoleFilling filling = filledHoles(readMeshFromFile(hole));
  CHECK(filling.holes == 1);
  CHECK(checkMesh(filling.mesh).sound());
  const SurfaceMesh broken = readMeshFromFile(rock);
  CHECK(checkMesh(broken).nonManifoldEdges.count == 7);
  const SurfaceMesh scan = readMeshFromFile(boulder);
  const Inset inset = insetBy(scan, 0.02);
  CHECK(checkMesh(inset.skeleton).sound());
  CHECK(inset.removed == 0);
  CHECK(inset.gap.atMost < 0.2 * 0.02);
  CHECK(inset.excess < 0.1 * 0.02);
  CHECK_THROWS_AS(insetBy(scan, 0.3), GeometryError);
  // Its hull: the same corners stand out, so nothing of that is the method's.
  const ConvexHull hull = convexHull(scan.vertices, 1e-7);
  CHECK(insetBy({hull.points, hull.faces}, 0.02).gap.atMost > 0.18 * 0.02);
}

namespace {

SurfaceMesh soupOf(std::span<const std::array<Vec3, 3>> triangles) {
  SurfaceMesh soup;
  for (const std::array<Vec3, 3>& t : triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    soup.vertices.insert(soup.vertices.end(), t.begin(), t.end());
    soup.faces.add(std::array{first, first + 1, first + 2});
  }
  return soup;
}

}  // namespace

TEST_CASE("crossings of a soup are those of its pairs", "[shape][mesh][crossings]") {
  Rng rng(5);
  std::vector<std::array<Vec3, 3>> all(60);
  for (auto& t : all)
    for (Vec3& v : t) v = Vec3(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1));
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      pairs += checkMesh(soupOf(std::array{all[a], all[b]})).selfIntersections.count;
  CHECK(pairs > 50);
  const MeshCheck check = checkMesh(soupOf(all));
  CHECK(check.selfIntersections.count == pairs);
  CHECK(check.intersectionsCounted);
}

TEST_CASE("crossings of 20,000 equal faces are not all counted", "[shape][mesh][crossings]") {
  const std::array<Vec3, 3> one{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const MeshCheck check = checkMesh(soupOf(std::vector(20'000, one)));
  CHECK_FALSE(check.intersectionsCounted);
  // Some hundred for each face, so that the time grows with the faces and not with their square.
  CHECK(check.selfIntersections.count >= 20'000);
  CHECK(check.selfIntersections.count <= 101 * 20'000);
}

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
