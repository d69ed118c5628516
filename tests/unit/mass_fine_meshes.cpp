// SPDX-License-Identifier: GPL-3.0-or-later
// Radii of many edges: in one cell hundreds of triangles are about as near as each other.
#include "catch.hpp"
#include "sample_meshes.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/certified.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/mesh.hpp"

using namespace scree;
using namespace scree::mass;
using Choice = MassOptions::Choice;

namespace {

/// Each triangle cut into four, `times` over; the surface stays what it is.
shape::Shape refined(const shape::Shape& coarse, int times) {
  shape::SurfaceMesh mesh = shape::triangulated({coarse.vertices, coarse.faces});
  for (; times > 0; --times) {
    shape::SurfaceMesh finer;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      const Vec3 a = mesh.vertices[mesh.faces[f][0]], b = mesh.vertices[mesh.faces[f][1]],
                 c = mesh.vertices[mesh.faces[f][2]];
      const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
      for (const auto& t : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) {
        const auto first = static_cast<std::uint32_t>(finer.vertices.size());
        finer.vertices.insert(finer.vertices.end(), t.begin(), t.end());
        finer.faces.add({first, first + 1, first + 2});
      }
    }
    mesh = shape::welded(finer, 0.0);
  }
  shape::Shape fine = shape::shapeFromMesh(mesh, coarse.radius);
  fine.name = coarse.name;
  return fine;
}

}  // namespace

TEST_CASE("a radius of many edges of a convex mesh gives the closed form", "[mass][certified]") {
  for (const double radius : {0.05, 0.5, 3.0}) {
    const shape::Shape ball = shape::shapeFromMesh(samples::globe(1.0, 12), radius);
    const MassReport exact = massReport(ball, {.method = Choice::exact});
    const MassReport certified = massReport(ball, {.method = Choice::certified});
    CAPTURE(radius, certified.cells);
    CHECK_FALSE(certified.limited);
    const double v = exact.solid.volume;
    CHECK(std::abs(certified.solid.volume - v) <= (certified.bound->volume + 1e-13) * v);
    CHECK((certified.solid.inertiaPerMass - exact.solid.inertiaPerMass).norm() <=
          (certified.bound->inertia + 1e-12) * exact.solid.inertiaPerMass.norm());
    CHECK(certified.cells < 1'000'000);
  }
}

TEST_CASE("cutting the faces of a body into many changes nothing", "[mass][certified]") {
  // An L, 1,280 triangles of 1/8 and radii up to eight of them; values of the coarse one.
  for (const double radius : {0.02, 0.2, 1.0}) {
    const shape::Shape coarse = samples::letterL(radius);
    const MassReport few = massReport(coarse, {.tolerance = 1e-8});
    const MassReport many = massReport(refined(coarse, 3), {.tolerance = 1e-8});
    CAPTURE(radius, many.cells);
    CHECK_FALSE(many.limited);
    const double v = few.solid.volume;
    CHECK(std::abs(many.solid.volume - v) <= (few.bound->volume + many.bound->volume) * v);
    CHECK((many.solid.centre - few.solid.centre).norm() <= 1e-11);
    CHECK((many.solid.inertiaPerMass - few.solid.inertiaPerMass).norm() <=
          (few.bound->inertia + many.bound->inertia) * few.solid.inertiaPerMass.norm());
  }
}
