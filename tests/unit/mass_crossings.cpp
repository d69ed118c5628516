// SPDX-License-Identifier: GPL-3.0-or-later
// Many faces at one vertex or near one place: whether a surface crosses itself is found in bounded
// time.
#include "../../libshape/src/mass/self_intersection.hpp"
#include "catch.hpp"
#include "sample_meshes.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/mesh.hpp"

using namespace scree;
using namespace scree::mass;
using detail::Crossing;
using detail::selfIntersects;
using shape::trianglesOf;

namespace {

using Triangle = std::array<std::uint32_t, 3>;

double rim(std::uint32_t k) { return k % 2 ? 1.0 : 0.9; }

/// Two tips over and below a star of `n` corners: all faces meet in one tip or the other.
shape::SurfaceMesh doubleStar(std::uint32_t n) {
  shape::SurfaceMesh mesh;
  for (std::uint32_t k = 0; k < n; ++k) {
    const double a = 2.0 * pi * k / n;
    mesh.vertices.push_back(rim(k) * Vec3(std::cos(a), std::sin(a), 0.0));
  }
  mesh.vertices.push_back(Vec3(0, 0, 1));
  mesh.vertices.push_back(Vec3(0, 0, -1));
  for (std::uint32_t k = 0; k < n; ++k) {
    mesh.faces.add({k, (k + 1) % n, n});
    mesh.faces.add({(k + 1) % n, k, n + 1});
  }
  return mesh;
}

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

}  // namespace

TEST_CASE("30,000 faces at two vertices are decided", "[mass][crossings]") {
  const std::uint32_t n = 15'000;
  shape::SurfaceMesh mesh = doubleStar(n);
  const std::vector<Triangle> faces = trianglesOf(mesh);
  CHECK(selfIntersects(mesh.vertices, faces) == Crossing::no);
  const MassReport report = massReport(shape::shapeFromMesh(mesh, 0.0));
  CHECK(report.method == Method::exactMesh);
  // Each pair of faces over one piece of the rim bounds two tetrahedra of height 1.
  double volume = 0.0;
  for (std::uint32_t k = 0; k < n; ++k)
    volume += rim(k) * rim((k + 1) % n) * std::sin(2.0 * pi / n) / 3.0;
  CHECK(report.solid.volume == Approx(volume).epsilon(1e-12));

  // A corner across the next piece of the rim.
  const Vec3 kept = mesh.vertices[7'001];
  const double a = 2.0 * pi * 7'002.6 / n;
  mesh.vertices[7'001] = 0.93 * Vec3(std::cos(a), std::sin(a), 0.0);
  CHECK(selfIntersects(mesh.vertices, faces) == Crossing::yes);
  // A face that passes through the others without a vertex of theirs.
  mesh.vertices[7'001] = kept;
  std::vector<Triangle> more = faces;
  for (const Vec3& v : {Vec3(0.1, 0.2, 0.0), Vec3(0.1, 0.21, 2.0), Vec3(0.11, 0.2, 2.0)}) {
    mesh.vertices.push_back(v);
  }
  more.push_back({n + 2, n + 3, n + 4});
  CHECK(selfIntersects(mesh.vertices, more) == Crossing::yes);
}

TEST_CASE("faces at one vertex cross as pairs of them do", "[mass][crossings]") {
  // 1,200 narrow faces at one vertex, in directions by chance: with the groups of a hub, and by
  // pairs.
  Rng rng(17);
  int crossing = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> vertices{Vec3::Zero()};
    std::vector<Triangle> faces;
    const double width = std::pow(10.0, rng.uniform(-4.0, -1.0));
    for (std::uint32_t k = 0; k < 1'200; ++k) {
      const Vec3 way = rng.direction();
      vertices.push_back(rng.uniform(0.1, 1.0) * way);
      vertices.push_back(rng.uniform(0.1, 1.0) * (way + width * rng.direction()));
      faces.push_back({0, 2 * k + 1, 2 * k + 2});
    }
    // Two blocks of 300 at a time have no vertex of so many faces that it counts as a hub.
    bool any = false;
    for (std::ptrdiff_t i = 0; i < 4; ++i)
      for (std::ptrdiff_t j = 0; j < i; ++j) {
        std::vector<Triangle> two(faces.begin() + 300 * i, faces.begin() + 300 * (i + 1));
        two.insert(two.end(), faces.begin() + 300 * j, faces.begin() + 300 * (j + 1));
        any |= selfIntersects(vertices, two) == Crossing::yes;
      }
    CAPTURE(trial, width);
    CHECK(selfIntersects(vertices, faces) == (any ? Crossing::yes : Crossing::no));
    crossing += any;
  }
  CHECK(crossing >= 3);
  CHECK(crossing <= 17);
}

TEST_CASE("too many faces near one place are not decided", "[mass][crossings]") {
  const shape::SurfaceMesh few = needles(200);
  shape::SurfaceMesh many = needles(8'000);
  // A tetrahedron about them all, so that their hull takes no time.
  const auto first = static_cast<std::uint32_t>(many.vertices.size());
  for (const Vec3& v :
       {Vec3(50, 50, 50), Vec3(50, -50, -50), Vec3(-50, 50, -50), Vec3(-50, -50, 50)})
    many.vertices.push_back(v);
  for (const Triangle& t : {Triangle{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}})
    many.faces.add({first + t[0], first + t[1], first + t[2]});
  CHECK(selfIntersects(few.vertices, trianglesOf(few)) == Crossing::no);
  CHECK(selfIntersects(few.vertices, trianglesOf(few), 10'000) == Crossing::undecided);
  // What cannot be decided is not called exact.
  CHECK_THROWS_WITH(
      massReport(shape::shapeFromMesh(many, 0.0), {.method = MassOptions::Choice::exact}),
      Catch::Contains("too many of its faces lie close together"));
}
