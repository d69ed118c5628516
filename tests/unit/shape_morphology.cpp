// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/morphology.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/obb.hpp"

#include <cmath>

using namespace scree;
using namespace scree::shape;
using namespace scree::mass;
using Catch::Matchers::WithinRel;

namespace {

Morphology measured(const Shape& s) {
  const MassReport report = massReport(s);
  return morphology(s, report.core, report.solid.volume, orientedBox(s, BoxMethod::minimum),
                    Mat3::Identity());
}

SurfaceArea areaOf(const Shape& s) {
  return *morphology(s, coreOf(s), {}, {}, Mat3::Identity()).area;
}

}  // namespace

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
  body.vertices.emplace_back(5, 5, 5);
  CHECK(measured(body).area->area == Approx(alone + 4.0 * pi * 0.01).epsilon(1e-3));
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
