// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/shape_file.hpp"

using namespace scree;
using namespace scree::shape;
using Catch::Matchers::WithinRel;

namespace {

Vec3 outerSize(const Shape& s) { return 2.0 * orientedBox(s, BoxMethod::aabb).extent; }

}  // namespace

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
