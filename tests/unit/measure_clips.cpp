// SPDX-License-Identifier: GPL-3.0-or-later
// Convex polyhedra cut by spheres and cylinders, and what two of them share, against closed forms.
#include "catch.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"

#include "scree/sim/measure/domain.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using namespace scree::testing;
using sim::Instant;
using sim::Region;

namespace {

/// Corners of a box about the origin, turned and moved.
shape::ConvexHull boxHull(const Vec3& half, const Quat& q = Quat::Identity(),
                          const Vec3& at = Vec3::Zero()) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(at + rotated(q, Vec3((k & 1) != 0 ? half.x() : -half.x(),
                                           (k & 2) != 0 ? half.y() : -half.y(),
                                           (k & 4) != 0 ? half.z() : -half.z())));
  return shape::convexHull(corners);
}

Region cylinder(const Vec3& low, const Vec3& axis, double length, double radius) {
  return sim::cylinderRegion(low, Vec3(low + length * axis.normalized()), radius);
}
}  // namespace

TEST_CASE("boxes cut by cylinders of any direction have the volumes of closed forms",
          "[measure][region]") {
  const shape::ConvexHull cube = boxHull(Vec3::Ones());
  const Vec3 low(0, 0, -5);
  CHECK(sim::polyhedronIn(cylinder(low, Vec3::UnitZ(), 10, 0.5), cube) ==
        Approx(pi * 0.25 * 2.0).epsilon(1e-12));
  // A disc of radius 1.2 less four segments beyond the sides of the square.
  const double R = 1.2, segment = R * R * std::acos(1.0 / R) - std::sqrt(R * R - 1.0);
  CHECK(sim::polyhedronIn(cylinder(low, Vec3::UnitZ(), 10, R), cube) ==
        Approx(2.0 * (pi * R * R - 4.0 * segment)).epsilon(1e-12));
  // From the middle on, and beside.
  CHECK(sim::polyhedronIn(cylinder(Vec3::Zero(), Vec3::UnitZ(), 10, 0.5), cube) ==
        Approx(pi * 0.25).epsilon(1e-12));
  CHECK(std::abs(sim::polyhedronIn(cylinder(low + Vec3(5, 0, 0), Vec3::UnitZ(), 10, 1), cube)) <
        1e-12);
  // Through a plate of thickness 2, tilted: its length inside is 2/cos.
  const shape::ConvexHull plate = boxHull(Vec3(20, 20, 1));
  for (const double angle : {0.2, 0.5, 1.0}) {
    const Vec3 axis(std::sin(angle), 0.0, std::cos(angle));
    CHECK(sim::polyhedronIn(cylinder(-15.0 * axis, axis, 30, 0.7), plate) ==
          Approx(pi * 0.49 * 2.0 / std::cos(angle)).epsilon(1e-12));
  }
}

TEST_CASE("what sharp convex bodies share counts once in porosity", "[measure][porosity]") {
  const shape::ConvexHull a = boxHull(Vec3::Constant(0.5)),
                          b = boxHull(Vec3::Constant(0.5), Quat::Identity(), Vec3(0.3, 0.2, 0.1));
  CHECK(sim::sharedBy(a, b).volume() == Approx(0.7 * 0.8 * 0.9).epsilon(1e-12));
  CHECK(sim::sharedBy(a, boxHull(Vec3::Constant(0.5), Quat::Identity(), Vec3(2, 0, 0))).rank < 3);
  Model m;
  m.shapes = {box("cube", 1.0, 1.0, 1.0, 0.0)};
  m.conf.shapeNames = {"cube"};
  m.conf.setDensity(0, 1000.0);
  m.conf.particles.resize(2);
  m.conf.particles[1].pos = Vec3(0.3, 0.2, 0.1);
  const Instant instant(m.conf, m.shapes);
  const KindTable whole("porosity", {&instant}, {{"volume", "10"}});
  CHECK(whole(0, "overlap") == Approx(0.504).epsilon(1e-12));
  CHECK(whole(0, "solid") == Approx(2.0 - 0.504).epsilon(1e-12));
  const KindTable part("porosity", {&instant}, {{"region", "box:0,0,0,0.5,2,2"}});
  CHECK(part(0, "error") == 0.0);
  CHECK(part(0, "solid") == Approx(0.125 + 0.5 * 0.7 * 0.6 - 0.5 * 0.5 * 0.5).epsilon(1e-12));
}
