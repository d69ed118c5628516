// SPDX-License-Identifier: GPL-3.0-or-later
// Unions of convex polyhedra: closed formulas, invariants, and certified bounds.
#include "catch.hpp"
#include "random_pack.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::clump;
using mass::polyhedronUnionMoments;
using namespace scree::testing;

namespace {

using Solids = std::vector<std::vector<Vec3>>;

std::vector<Vec3> box(const Vec3& centre, const Vec3& half, const Mat3& turn = Mat3::Identity()) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(
        centre + turn * half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return corners;
}

mass::SolidProperties solid(const Solids& solids, const Vec3& origin = Vec3::Zero()) {
  mass::SolidProperties s = mass::solidProperties(polyhedronUnionMoments(solids, origin));
  s.centre += origin;
  return s;
}

/// A polyhedron of random corners near a sphere, or a box.
std::vector<Vec3> randomPolyhedron(Rng& rng, double reach) {
  const Vec3 at(rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-reach, reach));
  const double size = rng.uniform(0.3, 1.2);
  if (rng.uniform() < 0.3)
    return box(at, size * Vec3(rng.uniform(0.3, 1), rng.uniform(0.3, 1), rng.uniform(0.3, 1)),
               rotationMatrix(rng.orientation()));
  std::vector<Vec3> corners;
  const int n = 4 + static_cast<int>(rng.uniform() * 16);
  for (int k = 0; k < n; ++k)
    corners.push_back(at + size * rng.uniform(0.8, 1.0) * rng.direction());
  return corners;
}

Solids randomClump(Rng& rng, int most) {
  const int n = 2 + static_cast<int>(rng.uniform() * (most - 1));
  Solids solids;
  for (int k = 0; k < n; ++k) solids.push_back(randomPolyhedron(rng, 1.0));
  return solids;
}

mass::CertifiedBody certifiedBody(const Solids& solids) {
  mass::CertifiedBody body;
  for (const auto& corners : solids) {
    const shape::ConvexHull hull = shape::convexHull(corners);
    mass::RoundedPart part;
    part.vertices = hull.points;
    part.solid = true;
    part.triangles = shape::trianglesOf({hull.points, hull.faces});
    body.parts.push_back(std::move(part));
  }
  return body;
}

double difference(const mass::SolidProperties& a, const mass::SolidProperties& b) {
  return std::max({std::fabs(a.volume / b.volume - 1.0),
                   (a.centre - b.centre).norm() / std::cbrt(b.volume),
                   (a.inertiaPerMass - b.inertiaPerMass).norm() / b.inertiaPerMass.norm()});
}

void checkAgainstCertified(const Solids& solids, double tolerance) {
  const auto exact = solid(solids, solids.front().front());
  const auto certified = mass::certifiedMass(certifiedBody(solids), {.tolerance = tolerance});
  const double diameter = 2.0 * std::cbrt(0.75 * exact.volume / pi);
  CHECK(std::fabs(exact.volume - certified.solid.volume) <=
        certified.bound.volume * certified.solid.volume);
  CHECK((exact.centre - certified.solid.centre).norm() <= certified.bound.centre * diameter);
  CHECK((exact.inertiaPerMass - certified.solid.inertiaPerMass).norm() <=
        certified.bound.inertia * certified.solid.inertiaPerMass.norm());
}

/// A box as six tetrahedra of one particle, as shapeParticle writes it: `at` + turn * [0, edges].
std::string tetras(const Vec3& at, const Vec3& edges, const Mat3& turn = Mat3::Identity()) {
  std::string text;
  const int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& path : paths) {
    Vec3 p = Vec3::Zero();
    text += "0 Tetra 0 0 0 1";
    for (int k = 0; k < 4; ++k) {
      const Vec3 q = at + turn * p;
      text += fmt::format(" {} {} {}", q.x(), q.y(), q.z());
      if (k < 3) p[path[k]] = edges[path[k]];
    }
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("touching, repeated, nested and coplanar polyhedra count once", "[clump][union]") {
  const Vec3 half = Vec3::Constant(0.5);
  const auto cube = box(Vec3::Zero(), half);
  const auto one = solid({cube});
  CHECK(difference(solid({cube, cube, cube}), one) < 1e-15);
  CHECK(difference(solid({box(Vec3(0.1, 0, 0), 0.3 * half), cube}), one) < 1e-14);
  CHECK(difference(solid({cube, box(Vec3(0.25, 0.25, 0.25), 0.5 * half)}), one) < 1e-14);
  CHECK(solid({cube, box(Vec3(1, 0, 0), half)}).volume == Approx(2.0).epsilon(1e-15));
  CHECK(solid({cube, box(Vec3(1, 1, 1), half)}).volume == Approx(2.0).epsilon(1e-15));
  // Faces that coincide but for rounding: 27 thirds of a turned cube.
  Rng rng(2);
  const Mat3 turn = rotationMatrix(rng.orientation());
  Solids thirds{box(Vec3(5, 6, 7), half, turn)};
  for (int i = -1; i < 2; ++i)
    for (int j = -1; j < 2; ++j)
      for (int k = -1; k < 2; ++k)
        thirds.push_back(box(Vec3(5, 6, 7) + turn * (Vec3(i, j, k) / 3.0), half / 3.0, turn));
  CHECK(solid(thirds, Vec3(5, 6, 7)).volume == Approx(1.0).epsilon(1e-13));
  thirds.erase(thirds.begin());
  CHECK(solid(thirds, Vec3(5, 6, 7)).volume == Approx(1.0).epsilon(1e-13));
  // A cross of three bars, 1 x 1 x 3: 3 * 3 - 2.
  CHECK(solid({box(Vec3::Zero(), Vec3(1.5, 0.5, 0.5)), box(Vec3::Zero(), Vec3(0.5, 1.5, 0.5)),
               box(Vec3::Zero(), Vec3(0.5, 0.5, 1.5))})
            .volume == Approx(7.0).epsilon(1e-14));
  // Cubes turned by an eighth about z: the union of two squares is a star of 16 edges.
  const Mat3 eighth = Eigen::AngleAxisd(pi / 4, Vec3::UnitZ()).toRotationMatrix();
  const double octagon = 2.0 * (std::sqrt(2.0) - 1.0);
  CHECK(solid({cube, box(Vec3::Zero(), half, eighth)}).volume ==
        Approx(2.0 - octagon).epsilon(1e-14));
}

TEST_CASE("order, place and a turn do not change a union of polyhedra", "[clump][union]") {
  Rng rng(8);
  double worst = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    Solids solids = randomClump(rng, 12);
    const auto before = solid(solids);
    std::reverse(solids.begin(), solids.end());
    worst = std::max(worst, difference(solid(solids), before));
    const Mat3 turn = rotationMatrix(rng.orientation());
    for (auto& corners : solids)
      for (Vec3& p : corners) p = turn * p;
    auto after = solid(solids);
    after.centre = (turn.transpose() * after.centre).eval();
    after.inertiaPerMass = (turn.transpose() * after.inertiaPerMass * turn).eval();
    worst = std::max(worst, difference(after, before));
    const auto threaded = polyhedronUnionMoments(solids, Vec3::Zero(), 3);
    CHECK(threaded.m2 == polyhedronUnionMoments(solids, Vec3::Zero(), 1).m2);
  }
  CHECK(worst < 1e-12);
}

TEST_CASE("unions of polyhedra lie within certified bounds", "[clump][union]") {
  Rng rng(10);
  for (int trial = 0; trial < 12; ++trial) checkAgainstCertified(randomClump(rng, 8), 1e-3);
}

TEST_CASE("rounded blocks of several tetrahedra share volume once", "[clump][union]") {
  const auto block = [](double x) { return tetras(Vec3(x, 0, 0), {1, 1, 1}); };
  const double r = 0.25, one = 1 + 6 * r + 3 * pi * r * r + 4.0 / 3.0 * pi * r * r * r;
  const std::string carried = "#@ id=0 radius=0.25\n";
  const ParticleMass two = particleMass(
      packOf(carried + block(0.0) + block(1.6) + "0 Sphere 0.5 0.5 9 1\n").particles[0]);
  CHECK(two.method == "certified");
  CHECK(two.bound->volume < 1e-11);
  CHECK(two.solid.volume == Approx(2 * one + 4.0 / 3.0 * pi).epsilon(1e-11));
  const PackParticle shared = packOf(carried + block(0.0) + block(1.25)).particles[0];
  CHECK(particleMass(shared).solid.volume < 2 * one);
  CHECK_THROWS_AS(particleMass(shared, {.method = ClumpMassOptions::Method::exact}), GeometryError);
}

TEST_CASE("thin overlaps count once, or are in the bound", "[clump][union]") {
  const auto massOf = [](const std::string& text) {
    return particleMass(packOf(text).particles[0]);
  };
  const auto plate = [](double z, double t) { return tetras(Vec3(0, 0, z), {1, 1, t}); };
  const double t = 0x1p-10;
  for (const double depth : {0x1p-36, 0x1p-40, 0x1p-44, 0x1p-48, 0x1p-52}) {
    INFO(depth);
    const ParticleMass m = massOf(plate(0, t) + plate(t - depth, t));
    const double truth = 2 * t - depth;
    CHECK(std::fabs(m.solid.volume / truth - 1.0) <= m.bound.value().volume);
    if (depth > 0x1p-46) CHECK(m.solid.volume == Approx(truth).epsilon(1e-13));
  }
  CHECK(massOf(plate(0, 1) + plate(1, 1)).bound.value().volume < 1e-12);

  // Two prisms of thickness d, the second higher by d - e.
  const double d = 0x1p-20, e = 0x1p-41;
  const ParticleMass facets = massOf(fmt::format(
      "0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 {0}\n0 Facet 0 0 0 1 0 0 {1} 1 0 {1} 0 1 {1} {0}\n", d / 2,
      d - e));
  CHECK(facets.solid.volume == Approx(d - 0.5 * e).epsilon(1e-13));
}

TEST_CASE("a rounded block far from the origin stays one pebble", "[clump][union]") {
  // A box of edges a, b, c, turned, of six tetrahedra: Steiner's formula.
  const double a = 0.9, b = 0.7, c = 0.4, r = 0.05;
  const double truth = a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) +
                       4.0 / 3.0 * pi * r * r * r;
  Rng rng(3);
  const Mat3 turn = rotationMatrix(rng.orientation());
  for (const Vec3& at : {Vec3(0, 0, 0), Vec3(3e4, 0, 0), Vec3(5e5, 0, 0), Vec3(5e5, 100, 4e6)}) {
    INFO(at.transpose());
    const PackParticle particle =
        packOf("#@ id=0 radius=0.05\n" + tetras(at, {a, b, c}, turn)).particles[0];
    const ParticleMass m = particleMass(particle);
    CHECK(m.method == "exact-union");
    CHECK(std::fabs(m.solid.volume / truth - 1.0) <= m.bound.value().volume);
    CHECK(m.bound.value().volume < 5e-7);
    const Vec3 middle = at + turn * (0.5 * Vec3(a, b, c));
    CHECK((m.solid.centre - middle).norm() <= m.bound.value().centre * 2.0 * m.equivRad());
    const ParticleMass sum = particleMass(particle, {.method = ClumpMassOptions::Method::sum});
    CHECK(sum.solid.volume == Approx(truth).epsilon(1e-7));
  }
}
