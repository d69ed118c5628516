// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "paths.hpp"
#include "sample_meshes.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/mesh.hpp"

#include <cmath>
#include <cstdlib>
#include <sys/resource.h>

using namespace scree;
using namespace scree::mass;
using Catch::Matchers::WithinRel;

namespace {

using Choice = MassOptions::Choice;

CertifiedBody bodyOf(const shape::Shape& shape) {
  return mass::bodyOf(shape, shape::coreOf(shape));
}

RoundedPart rods(const std::vector<Vec3>& ends, double radius) {
  RoundedPart part;
  part.vertices = ends;
  part.radius = radius;
  for (std::uint32_t k = 0; k + 1 < ends.size(); k += 2) part.segments.push_back({k, k + 1});
  return part;
}

CertifiedBody crossedRods() {
  const double a = 0.475540075799599;
  return {{rods({Vec3(a, 0, 0), Vec3(-a, 0, 0), Vec3(0, a, 0), Vec3(0, -a, 0), Vec3(0, 0, a),
                 Vec3(0, 0, -a)},
                0.237770037899799)},
          {}};
}

RoundedPart torus() {
  RoundedPart part;
  part.radius = 0.05;
  part.solid = true;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      const double u = 2 * pi * i / 16, v = 2 * pi * j / 8, ring = 1 + 0.35 * std::cos(v);
      part.vertices.emplace_back(ring * std::cos(u), ring * std::sin(u), 0.35 * std::sin(v));
    }
  const auto id = [](int i, int j) { return static_cast<std::uint32_t>(i % 16 * 8 + j % 8); };
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      part.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      part.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  return part;
}

CertifiedBody turned(CertifiedBody body, const Quat& q, const Vec3& shift, double scale = 1.0) {
  for (RoundedPart& part : body.parts) {
    part.radius *= scale;
    for (Vec3& v : part.vertices) v = scale * rotated(q, v) + shift;
  }
  for (EllipsoidPart& e : body.ellipsoids) {
    e.centre = scale * rotated(q, e.centre) + shift;
    e.stretch = (scale * rotationMatrix(q) * e.stretch).eval();
  }
  return body;
}

Vec3 principal(const SolidProperties& s) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(s.inertiaPerMass).eigenvalues();
}

/// Rods, plates, a solid and an ellipsoid at random, all over one another.
CertifiedBody randomBody(Rng& rng) {
  const auto point = [&] {
    return Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
  };
  CertifiedBody body;
  body.parts.push_back(rods({point(), point(), point(), point()}, rng.uniform(0.1, 0.4)));
  RoundedPart plate;
  plate.vertices = {point(), point(), point()};
  plate.triangles = {{0, 1, 2}};
  plate.radius = rng.uniform(0.05, 0.2);
  body.parts.push_back(plate);
  RoundedPart solid;
  solid.vertices = {point(), point(), point(), point()};
  const Vec3 a = solid.vertices[1] - solid.vertices[0], b = solid.vertices[2] - solid.vertices[0];
  if (a.cross(b).dot(solid.vertices[3] - solid.vertices[0]) < 0.0)
    std::swap(solid.vertices[0], solid.vertices[1]);
  solid.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  solid.solid = true;
  solid.radius = rng.uniform() < 0.5 ? 0.0 : rng.uniform(0.0, 0.2);
  body.parts.push_back(solid);
  if (rng.uniform() < 0.5) {
    EllipsoidPart e;
    e.centre = point();
    e.stretch =
        rotationMatrix(rng.orientation()) *
        Vec3(rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.6)).asDiagonal();
    body.ellipsoids.push_back(e);
  }
  return body;
}

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
  return shape::shapeFromMesh(mesh, coarse.radius);
}

std::size_t countOf(const char* variable, std::size_t usual) {
  const char* given = std::getenv(variable);
  return given ? static_cast<std::size_t>(std::atol(given)) : usual;
}

/// Two capsules, along x at z = 0 and along y at z = `apart`. Where both cylinders are, the slice
/// at z is a rectangle. Height z runs from `low` to `high`, at each of which one of its sides
/// shrinks to nothing. With z = middle + half sin t all is smooth and periodic in t. So the sum
/// over equal steps converges faster than any power.
struct CrossedRods {
  double a, b;              ///< radii
  double lengthA, lengthB;  ///< of the axes
  double apart;

  CertifiedBody body() const {
    RoundedPart first, second;
    first.vertices = {Vec3(-0.5 * lengthA, 0, 0), Vec3(0.5 * lengthA, 0, 0)};
    second.vertices = {Vec3(0, -0.5 * lengthB, apart), Vec3(0, 0.5 * lengthB, apart)};
    first.segments = second.segments = {{0, 1}};
    first.radius = a;
    second.radius = b;
    return {{first, second}, {}};
  }

  /// Textbook capsule along one axis about its own centre.
  static Moments capsule(double r, double length, int axis) {
    Moments m;
    m.m0 = pi * r * r * length + 4.0 / 3.0 * pi * r * r * r;
    const double along = pi * r * r * std::pow(length, 3) / 12 +
                         pi * std::pow(r, 3) * length * length / 3 +
                         pi * std::pow(r, 4) * length / 2 + 4 * pi * std::pow(r, 5) / 15;
    const double across = pi * std::pow(r, 4) * length / 4 + 4 * pi * std::pow(r, 5) / 15;
    m.m2 = across * Mat3::Identity();
    m.m2(axis, axis) = along;
    return m;
  }

  Moments moments() const {
    Moments sum = capsule(a, lengthA, 0);
    Moments other = capsule(b, lengthB, 1);
    const Vec3 shift(0, 0, apart);
    other.m1 = other.m0 * shift;
    other.m2 += other.m0 * shift * shift.transpose();
    sum += other;
    const double low = std::max(-a, apart - b), high = std::min(a, apart + b);
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    constexpr int n = 4000;
    for (int k = 0; k < n; ++k) {
      const double t = pi * (-0.5 + (k + 0.5) / n);
      const double z = middle + half * std::sin(t), dz = half * std::cos(t) * pi / n;
      // Cylinder A allows |y| <= y0, cylinder B |x| <= x0.
      const double y0 = std::sqrt(std::max(0.0, (a - z) * (a + z)));
      const double x0 = std::sqrt(std::max(0.0, (b - z + apart) * (b + z - apart)));
      const double area = 4.0 * x0 * y0 * dz;
      sum.m0 -= area;
      sum.m1.z() -= area * z;
      sum.m2(0, 0) -= area * x0 * x0 / 3.0;
      sum.m2(1, 1) -= area * y0 * y0 / 3.0;
      sum.m2(2, 2) -= area * z * z;
    }
    return sum;
  }
};

void checkWithin(const CertifiedMass& m, const SolidProperties& truth) {
  const double diameter = std::cbrt(6.0 * truth.volume / pi);
  CHECK(std::abs(m.solid.volume - truth.volume) <= m.bound.volume * m.solid.volume);
  CHECK((m.solid.centre - truth.centre).norm() <= m.bound.centre * diameter);
  CHECK((m.solid.inertiaPerMass - truth.inertiaPerMass).norm() <=
        m.bound.inertia * m.solid.inertiaPerMass.norm());
}

}  // namespace

TEST_CASE("bodies of known volume and inertia lie within the certified bounds",
          "[mass][certified]") {
  const auto check = [](const CertifiedMass& m, double volume, const Vec3& moments) {
    CHECK(std::abs(m.solid.volume - volume) <= (m.bound.volume + 1e-13) * volume);
    CHECK((principal(m.solid) - moments).norm() <=
          m.bound.inertia * m.solid.inertiaPerMass.norm() + 1e-13 * moments.norm());
    CHECK(m.bound.volume <= 1e-8 + 2e-12);
    CHECK_FALSE(m.limited);
  };
  const CertifiedOptions fine{.tolerance = 1e-8};
  check(certifiedMass(crossedRods(), fine), pi / 6.0, Vec3::Constant(0.132654111349779));
  const MassReport l = massReport(samples::letterL(0.2), {.method = Choice::certified});
  CHECK_THAT(l.solid.volume, WithinRel(6.45095569263505, 2e-12));
  CHECK(
      (principal(l.solid) - Vec3(0.459232498239409, 0.706348403892217, 0.851567410151129)).norm() <
      5e-12);
  CHECK((l.solid.centre - Vec3(0.850490471238, 0.850490471238, 0.5)).norm() < 1e-11);
  // The torus: half a digit is all that the reference's own bounds, 3e-7 and 1e-6, allow.
  const CertifiedMass ring = certifiedMass({{torus()}, {}}, fine);
  CHECK_THAT(ring.solid.volume, WithinRel(2.83298975, 3e-7));
  CHECK_THAT(principal(ring.solid)[2], WithinRel(1.0827556, 1e-6));
}

TEST_CASE("convex bodies have the same mass in closed form and certified", "[mass][certified]") {
  Rng rng(11);
  std::vector<shape::Shape> bodies{samples::box(0.8, 0.4, 0.2, 0.05),
                                   samples::box(0.8, 0.4, 0.2, 0),
                                   samples::regularTetrahedron(1, 0.1),
                                   samples::stick(2, 0.5),
                                   samples::dodecahedron(0.445, 0.05455),
                                   shape::makePlate(0.9, 0.5, 0.05),
                                   shape::makeSphere(1.0),
                                   samples::rightTetrahedron(1, 2, 3, 0.1)};
  for (int k = 0; k < 40; ++k) {
    std::vector<Vec3> points;
    for (int p = 0; p < 12; ++p) points.push_back(rng.direction() * rng.uniform(0.5, 1.0));
    bodies.push_back(samples::convex(points, rng.uniform(0.0, 0.4)));
  }
  for (const double radius : {0.05, 0.5, 3.0})  // of many edges of a fine mesh
    bodies.push_back(shape::shapeFromMesh(samples::globe(1.0, 12), radius));
  for (const shape::Shape& body : bodies) {
    const MassReport a = massReport(body, {.method = Choice::exact});
    const double tolerance = body.vertices.size() > 100 ? 1e-5 : 1e-9;
    const MassReport b = massReport(body, {.method = Choice::certified, .tolerance = tolerance});
    CHECK(b.method == Method::certified);
    CHECK_FALSE(b.limited);
    CHECK(std::abs(a.solid.volume - b.solid.volume) <= b.bound->volume * a.solid.volume);
    CHECK((a.solid.centre - b.solid.centre).norm() <=
          (b.bound->centre + 1e-13) * std::cbrt(6 * a.solid.volume / pi));
    CHECK((a.solid.inertiaPerMass - b.solid.inertiaPerMass).norm() <=
          (b.bound->inertia + 1e-13) * a.solid.inertiaPerMass.norm());
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

TEST_CASE("unions of balls have the same mass by power cells and certified", "[mass][certified]") {
  Rng rng(12);
  for (int k = 0; k < 40; ++k) {
    std::vector<mass::Ball> balls;
    CertifiedBody body;
    for (int b = 0; b < 6 + k; ++b) {
      balls.push_back({rng.direction() * rng.uniform(0.0, 1.0), rng.uniform(0.1, 0.6)});
      if (k % 4 == 0) balls.back().radius = 0.5;
      body.parts.push_back({.vertices = {balls.back().centre},
                            .triangles = {},
                            .segments = {},
                            .points = {0},
                            .radius = balls.back().radius});
    }
    const SolidProperties a = mass::solidOf(mass::ballUnionMoments(balls));
    const CertifiedMass b = certifiedMass(body, {.tolerance = 1e-7});
    CHECK(std::abs(a.volume - b.solid.volume) <= b.bound.volume * a.volume);
    CHECK((a.inertiaPerMass - b.solid.inertiaPerMass).norm() <=
          b.bound.inertia * a.inertiaPerMass.norm());
  }
}

TEST_CASE("copies turned, far away or scaled have intervals that overlap", "[mass][certified]") {
  Rng rng(13);
  const CertifiedOptions options{.tolerance = 1e-6};
  for (std::size_t k = 0; k < countOf("SCREE_MASS_COPIES", 12); ++k) {
    const CertifiedBody body = k == 0 ? CertifiedBody{{torus()}, {}} : randomBody(rng);
    const CertifiedMass a = certifiedMass(body, options);
    const CertifiedMass b = certifiedMass(turned(body, rng.orientation(), Vec3::Zero()), options);
    CHECK(std::abs(a.solid.volume - b.solid.volume) <=
          (a.bound.volume + b.bound.volume) * a.solid.volume);
    CHECK((principal(a.solid) - principal(b.solid)).norm() <=
          (a.bound.inertia + b.bound.inertia) * a.solid.inertiaPerMass.norm());
    // A million sizes away the coordinates themselves are rounded to 1e-10.
    const CertifiedMass far =
        certifiedMass(turned(body, Quat::Identity(), Vec3(1e6, -1e6, 1e6)), options);
    CHECK(std::abs(a.solid.volume - far.solid.volume) <=
          (a.bound.volume + far.bound.volume + 1e-8) * a.solid.volume);
    const CertifiedMass large =
        certifiedMass(turned(body, Quat::Identity(), Vec3::Zero(), 1024.0), options);
    CHECK(large.solid.volume == a.solid.volume * 1024.0 * 1024.0 * 1024.0);
  }
}

TEST_CASE("certified numbers have the same bits on 1, 2, 3 and 8 threads", "[mass][certified]") {
  Rng rng(15);
  const CertifiedBody body = randomBody(rng);
  const CertifiedMass one = certifiedMass(body, {.tolerance = 1e-7, .threads = 1});
  for (const int threads : {2, 3, 8}) {
    const CertifiedMass more = certifiedMass(body, {.tolerance = 1e-7, .threads = threads});
    CHECK(more.solid.volume == one.solid.volume);
    CHECK(more.solid.centre == one.solid.centre);
    CHECK(more.solid.inertiaPerMass == one.solid.inertiaPerMass);
    CHECK(more.bound.inertia == one.bound.inertia);
    CHECK(more.cells == one.cells);
  }
}

TEST_CASE("a body stopped by the work limit has the truth within its bound", "[mass][certified]") {
  const CertifiedMass fine = certifiedMass({{torus()}, {}}, {.tolerance = 1e-8});
  for (const std::size_t work : {100u, 1000u, 10000u}) {
    const CertifiedMass m = certifiedMass({{torus()}, {}}, {.tolerance = 1e-8, .work = work});
    CHECK(m.limited);
    CHECK(std::abs(m.solid.volume - fine.solid.volume) <= m.bound.volume * m.solid.volume);
    if (std::isfinite(m.bound.inertia))
      CHECK((m.solid.inertiaPerMass - fine.solid.inertiaPerMass).norm() <=
            m.bound.inertia * m.solid.inertiaPerMass.norm());
  }
}

TEST_CASE("grid and octree come as near as they can", "[mass][sampling]") {
  // Errors of their class: docs/mass-properties.md.
  const SolidProperties grid = gridMass(crossedRods(), 1.43 / 100);
  CHECK_THAT(grid.volume, WithinRel(pi / 6.0, 1e-2));
  CHECK_THAT(grid.inertiaPerMass(0, 0), WithinRel(0.132654111349779, 1e-2));
  const SolidProperties inner = innerOctreeMass(crossedRods(), 20'000);
  CHECK_THAT(inner.volume, WithinRel(pi / 6.0, 2e-2));
  CHECK_THAT(inner.inertiaPerMass(0, 0), WithinRel(0.132654111349779, 2e-2));
  // A cube of cells: the grid is exact, with the inertia of the cells themselves.
  const SolidProperties cube =
      massReport(samples::box(1, 1, 1, 0), {.method = Choice::grid, .divisions = 7}).solid;
  CHECK_THAT(cube.volume, WithinRel(1.0, 1e-12));
  CHECK_THAT(cube.inertiaPerMass(0, 0), WithinRel(1.0 / 6.0, 1e-12));
}

TEST_CASE("the octree finds the boxes of a ball that the reference lists, in little memory",
          "[mass][sampling]") {
  const CertifiedBody ball = bodyOf(shape::makeSphere(2.0));
  const double whole = 4.0 / 3.0 * pi;
  const auto at = [&](std::size_t boxes) {
    OctreeBounds b;
    const SolidProperties s = innerOctreeMass(ball, boxes, 0.0, &b);
    // The moments are extrapolated as the volume is.
    CHECK_THAT(s.inertiaPerMass(0, 0), WithinRel(0.4, 1e-2));
    return std::pair{b, s};
  };
  const auto [b6, s6] = at(15'000);
  CHECK_THAT(b6.undecided / std::pow(2.0 / 64, 3), WithinRel(19'232.0, 1e-9));
  CHECK(b6.inside / whole - 1.0 == Approx(-0.070).margin(5e-4));
  CHECK(s6.volume / whole - 1.0 == Approx(-0.0019).margin(5e-5));
  const auto [b7, s7] = at(60'000);
  CHECK_THAT(b7.undecided / std::pow(2.0 / 128, 3), WithinRel(77'096.0, 1e-9));
  CHECK(s7.volume / whole - 1.0 == Approx(0.0003).margin(5e-5));

  // A million boxes level by level took 655 MB.
  const auto peak = [] {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;  // [kB]
  };
  const auto before = peak();
  const auto [b9, s9] = at(1'000'000);
  CHECK_THAT(b9.undecided / std::pow(2.0 / 512, 3), WithinRel(1'235'144.0, 1e-9));
  CHECK(peak() - before < 8'000);
}

TEST_CASE("the scanned boulder is certified to a millionth", "[mass][certified][data]") {
  const std::string authume = scree::testing::publicData("authume/STL/");
  if (authume.empty()) return;
  const shape::SurfaceMesh mesh = shape::readMeshFromFile(authume + "SP3A.stl");
  const MassReport report = massReport(shape::shapeFromMesh(mesh, 0.02), {.tolerance = 1e-6});
  CHECK(report.bound->volume <= 1e-6);
  CHECK_THAT(report.solid.volume, WithinRel(0.2376842, 8e-7 + 1e-6 + 3e-7));
  CHECK((principal(report.solid) - Vec3(0.0396178, 0.1001326, 0.1144279)).norm() < 1e-6);
  CHECK((report.solid.centre - Vec3(0.0010596, 0.0011681, 0.0004630)).norm() < 1e-6);
  // Without rounding it is the mesh: two routes to one number.
  const MassReport sharp =
      massReport(shape::shapeFromMesh(mesh, 0.0), {.method = Choice::certified, .tolerance = 1e-9});
  CHECK_THAT(sharp.solid.volume, WithinRel(0.195419346157313, 1e-9));
}

TEST_CASE("the integral for crossed rods gives the solid of Steinmetz", "[mass][certified]") {
  // Equal radii, axes that meet: what both have in common is 16/3 r³.
  const CrossedRods equal{0.5, 0.5, 3.0, 3.0, 0.0};
  const double one = pi * 0.25 * 3.0 + 4.0 / 3.0 * pi * 0.125;
  CHECK(equal.moments().m0 == Approx(2.0 * one - 16.0 / 3.0 * 0.125).epsilon(1e-13));
  checkWithin(certifiedMass(equal.body(), {.tolerance = 1e-8}), solidProperties(equal.moments()));
}

TEST_CASE("rods that cross askew or with two radii lie within bounds that are not rounding",
          "[mass][certified]") {
  const CrossedRods rods = GENERATE(CrossedRods{0.3, 0.5, 3.0, 2.5, 0.0},   // two radii
                                    CrossedRods{0.5, 0.5, 3.0, 3.0, 0.2},   // axes pass by
                                    CrossedRods{0.35, 0.5, 3.0, 4.0, 0.4},  // both
                                    CrossedRods{0.5, 0.5, 3.0, 3.0, 0.95},  // hardly touch
                                    CrossedRods{0.1, 0.5, 2.0, 2.0, 0.0});  // a twig on a trunk
  const SolidProperties truth = solidProperties(rods.moments());
  Rng rng(5);
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    CAPTURE(rods.a, rods.b, rods.apart, tolerance);
    const CertifiedMass m = certifiedMass(rods.body(), {.tolerance = tolerance});
    checkWithin(m, truth);
    CHECK(m.bound.volume > 1e-11);
    CHECK(m.bound.volume <= tolerance + 2e-12);
    // The same in another frame: other cells, the same body.
    const Quat turn = rng.orientation();
    const CertifiedMass t =
        certifiedMass(turned(rods.body(), turn, Vec3::Zero()), {.tolerance = tolerance});
    const Mat3 q = rotationMatrix(turn);
    checkWithin(t, {truth.volume, q * truth.centre, q * truth.inertiaPerMass * q.transpose()});
  }
}
