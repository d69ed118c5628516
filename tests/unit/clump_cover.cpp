// SPDX-License-Identifier: GPL-3.0-or-later
// Covers of solids by balls, and their quality, against closed forms and invariants.
#include "catch.hpp"
#include "clump/cover/search_parts.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/clump/cover.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::clump;

namespace {

/// A cuboid with corners at ± half, swept by a ball.
shape::Shape roundedBrick(const Vec3& half, double radius) {
  return samples::box(2.0 * half.x(), 2.0 * half.y(), 2.0 * half.z(), radius);
}
shape::SurfaceMesh cuboid(const Vec3& half) {
  const shape::Shape brick = roundedBrick(half, 0.0);
  return {brick.vertices, brick.faces};
}

SolidDistance solidOf(const shape::SurfaceMesh& mesh) {
  return clump::solidOf(shape::shapeFromMesh(mesh, 0.0));
}

mass::SolidProperties bodyOf(const SolidDistance& solid) {
  return mass::solidProperties(mass::meshMoments(solid.core().vertices, solid.core().faces));
}

double volumeOf(const std::vector<Ball>& balls) { return ballUnionMoments(balls).moments.m0; }

/// Largest distance of the image of a ball from a ball of the set, radii included.
double asymmetry(const std::vector<Ball>& balls, const Vec3& centre, const Mat3& map) {
  double worst = 0.0;
  for (const Ball& ball : balls) {
    const Vec3 image = centre + map * (ball.centre - centre);
    double least = 1e300;
    for (const Ball& other : balls)
      least = std::min(
          least, std::max((other.centre - image).norm(), std::fabs(other.radius - ball.radius)));
    worst = std::max(worst, least);
  }
  return worst;
}

const std::vector<Ball> three{
    {{0.5, 0.5, 0.5}, 0.5}, {{1.5, 0.5, 0.5}, 0.5}, {{0.5, 1.5, 0.5}, 0.5}};

}  // namespace

TEST_CASE("Depth in a cuboid is the distance to its nearest face, edge or corner",
          "[clump][cover]") {
  const Vec3 half(1.0, 0.6, 0.4);
  const SolidDistance solid = solidOf(cuboid(half));
  Rng random(3);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
    const Vec3 beyond = p.cwiseAbs() - half;
    const double expected =
        beyond.maxCoeff() < 0.0 ? -beyond.maxCoeff() : -beyond.cwiseMax(0.0).norm();
    CHECK(solid.depth(p) == Approx(expected).margin(1e-14));
  }
  // In a rounded shape: that in its core plus the radius.
  CHECK(clump::solidOf(roundedBrick({1.0, 0.5, 0.5}, 0.25)).depth({0.0, 0.6, 0.0}) == Approx(0.15));
}

TEST_CASE("Quality of one ball in a cube equals the closed forms", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1, 1, 1}));
  const mass::SolidProperties body = bodyOf(solid);
  SECTION("the inscribed ball") {
    const std::vector<Ball> balls{{Vec3::Zero(), 1.0}};
    const CoverQuality q = coverQuality(solid, body, balls);
    CHECK(q.volumeRatio == Approx(pi / 6.0).epsilon(1e-12));
    CHECK(q.iou.atLeast == Approx(pi / 6.0).epsilon(1e-12));  // nothing is outside
    CHECK(q.iou.atMost == Approx(pi / 6.0).epsilon(1e-12));
    CHECK(q.centreError == Approx(0.0).margin(1e-14));
    CHECK(q.inertiaError == Approx(1.0 - 0.4 / (2.0 / 3.0)).epsilon(1e-12));
    CHECK(q.uncovered.atLeast <= std::sqrt(3.0) - 1.0 + 1e-15);
    CHECK(q.uncovered.atMost >= std::sqrt(3.0) - 1.0);
    CHECK(q.protruding.atMost == 0.0);
  }
  SECTION("a ball that leaves the cube through all faces") {
    const std::vector<Ball> balls{{Vec3::Zero(), 1.2}};
    const CoverQuality q = coverQuality(solid, body, balls);
    CHECK(q.protruding.atLeast == Approx(0.2).epsilon(1e-3));
    // In doubles 1.2 - 1.0 is exact, and below 0.2: the bound is this number, no more and no less.
    CHECK(q.protruding.atMost == 1.2 - 1.0);
    // Six caps of height 0.2 stand out.
    const double out = 6.0 * pi * 0.04 * (3.0 * 1.2 - 0.2) / 3.0;
    const double ball = 4.0 / 3.0 * pi * 1.728, iou = (ball - out) / (8.0 + out);
    CHECK(q.iou.atLeast <= iou);
    CHECK(q.iou.atMost >= iou);
    CHECK(q.outside.atLeast <= out);
    CHECK(q.outside.atMost >= out);
  }
}

TEST_CASE("A cover inside leaves the solid nowhere and reaches its volume", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));  // with 8 symmetries
  const mass::SolidProperties body = bodyOf(solid);
  const std::vector<Ball> balls = coverOf(solid, body, {.inside = true, .volumeRatio = 0.7});
  CHECK(volumeOf(balls) >= 0.7 * body.volume);
  for (const Ball& ball : balls) CHECK(solid.depth(ball.centre) >= ball.radius);
  for (std::size_t k = 1; k < balls.size(); ++k) CHECK(balls[k].radius <= balls[k - 1].radius);
  const std::vector<Ball> one = coverOf(solid, body, {.inside = true, .spheres = 1});
  REQUIRE(one.size() == 1);
  CHECK(one[0].radius == Approx(0.5).epsilon(1e-6));  // the largest that fits
  for (const bool inside : {true, false})
    for (const Ball& ball :
         coverOf(solid, body, {.inside = inside, .spheres = 10, .leastRadius = 0.3}))
      CHECK(ball.radius >= 0.3 * (1.0 - 1e-12));
}

TEST_CASE("a solid with an edge, a ball or a sheet outside of it is refused", "[clump][cover]") {
  shape::Shape letter = samples::letterL(0.1);
  letter.edges.push_back({0, 2});  // a diagonal of its face
  CHECK_NOTHROW(solidOf(letter));
  shape::Shape ball = letter, sheet = letter;
  ball.vertices.emplace_back(5, 5, 5);
  CHECK_THROWS_AS(solidOf(ball), GeometryError);
  letter.edges.push_back({2, 4});  // across the hollow
  CHECK_THROWS_AS(solidOf(letter), GeometryError);
  sheet.vertices.emplace_back(5, 0, 0);
  sheet.faces.add({1, 7, 12});
  CHECK_THROWS_AS(solidOf(sheet), GeometryError);
}

TEST_CASE("More balls fit better, and a goal is reached or refused", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  double before = 0.0;
  for (const std::size_t count : {1U, 3U, 8U}) {
    const auto balls = coverOf(solid, body, {.spheres = count});
    CHECK(balls.size() <= count);
    const double iou = coverQuality(solid, body, balls).iou.atLeast;
    CHECK(iou > before);
    before = iou;
  }
  const auto enough = coverOf(solid, body, {.inertiaError = 0.05});
  CHECK(coverQuality(solid, body, enough).inertiaError <= 0.05);
  CHECK_THROWS_AS(coverOf(solid, body, {.spheres = 1, .leastRadius = 10.0}), GeometryError);
  CHECK_THROWS_AS(
      coverOf(solid, body,
              {.objective = CoverObjective::hausdorff, .hausdorff = 0.01, .leastRadius = 0.9}),
      GoalNotReached);
}

TEST_CASE("Covers have the same bits on any number of threads", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {false, true}) {
    const auto one = coverOf(solid, body, {.inside = inside, .spheres = 6, .threads = 1});
    for (const int threads : {2, 8}) {
      const auto many = coverOf(solid, body, {.inside = inside, .spheres = 6, .threads = threads});
      REQUIRE(many.size() == one.size());
      for (std::size_t k = 0; k < one.size(); ++k) {
        CHECK(many[k].centre == one[k].centre);
        CHECK(many[k].radius == one[k].radius);
      }
    }
  }
}

TEST_CASE("Covers of a cube have its symmetries", "[clump][cover][symmetry]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 1.0, 1.0}));
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {true, false})
    for (const std::size_t count : {5U, 20U}) {
      const std::vector<Ball> balls = coverOf(solid, body, {.inside = inside, .spheres = count});
      INFO(count << " balls at most, inside " << inside << ", found " << balls.size());
      CHECK(balls.size() <= count);
      CHECK(balls.size() >= (count > 8 ? 9U : 1U));
      for (const Mat3& map : symmetryOf(solid, body, 1e-9).maps)
        CHECK(asymmetry(balls, body.centre, map) < 1e-12);
      if (inside)
        for (const Ball& ball : balls) CHECK(solid.depth(ball.centre) >= ball.radius);
    }
}

TEST_CASE("A pair of balls is found where one in the centre leaves no room for it",
          "[clump][cover][symmetry]") {
  // Two balls of radius 0.6 at ±0.5 have an IoU of 0.733, the best one alone 0.494.
  const SolidDistance solid = solidOf(cuboid({1.0, 0.5, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  const double ball = pi / 6.0;  // the largest that fits
  for (const bool equal : {false, true}) {
    const auto fit = coverOf(solid, body, {.equal = equal, .spheres = 2});
    CHECK(fit.size() == 2);
    CHECK(coverQuality(solid, body, fit).iou.atLeast > 0.745);
    const auto inside = coverOf(solid, body, {.inside = true, .equal = equal, .spheres = 2});
    CHECK(inside.size() == 2);
    CHECK(ballUnionMoments(inside).moments.m0 == Approx(2.0 * ball).epsilon(1e-5));
    for (const Ball& one : inside) CHECK(solid.depth(one.centre) >= one.radius);
  }
}

TEST_CASE("No ball of a cover lies wholly inside another", "[clump][cover][symmetry]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.5, 0.5}));  // with 16 symmetries
  const mass::SolidProperties body = bodyOf(solid);
  using enum CoverObjective;
  for (const CoverObjective objective : {volume, hausdorff, inertia}) {
    const auto balls = coverOf(solid, body, {.objective = objective, .spheres = 40});
    INFO(balls.size() << " balls");
    CHECK(balls.size() > 20);
    for (const Ball& a : balls)
      for (const Ball& b : balls)
        CHECK((&a == &b || (a.centre - b.centre).norm() + b.radius > a.radius));
    for (const Mat3& map : symmetryOf(solid, body, 1e-9).maps)
      CHECK(asymmetry(balls, body.centre, map) < 1e-12);
  }
}

TEST_CASE("Equal balls are equal, inside, on a lattice apart", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {true, false}) {
    const auto balls = coverOf(solid, body, {.inside = inside, .equal = true, .spheres = 16});
    CHECK(balls.size() > 8);
    CHECK(balls.size() <= 16);
    for (const Ball& ball : balls) {
      CHECK(ball.radius == balls.front().radius);
      if (inside) CHECK(solid.depth(ball.centre) >= ball.radius);
    }
  }
  const auto lattice = coverOf(solid, body, {.equal = true, .overlap = false, .volumeRatio = 0.35});
  double volume = 0.0;
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    CHECK(solid.depth(lattice[i].centre) >= lattice[i].radius);
    volume += 4.0 / 3.0 * pi * std::pow(lattice[i].radius, 3);
    for (std::size_t j = 0; j < i; ++j)
      CHECK((lattice[i].centre - lattice[j].centre).norm() >=
            2.0 * lattice[i].radius * (1.0 - 1e-12));
  }
  CHECK(volume >= 0.35 * body.volume);
}

TEST_CASE("Objectives reach what they are for", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  const auto quality = [&](CoverObjective objective) {
    return coverQuality(solid, body, coverOf(solid, body, {.objective = objective, .spheres = 16}),
                        {.tolerance = 1e-3});
  };
  const CoverQuality fit = quality(CoverObjective::volume),
                     near = quality(CoverObjective::hausdorff),
                     heavy = quality(CoverObjective::inertia);
  CHECK(near.hausdorff().atMost < 0.9 * fit.hausdorff().atLeast);
  CHECK(heavy.inertiaError < 1e-9);
  CHECK(heavy.centreError < 1e-9);
  CHECK(heavy.iou.atLeast > fit.iou.atMost - 0.03);
}

TEST_CASE("the largest gap of a rounded body is at its surface", "[clump][cover]") {
  // The corner balls of the brick end farthest from the two balls along the diagonal of y and z.
  const SolidDistance solid = clump::solidOf(roundedBrick({0.6, 0.1, 0.1}, 0.4));
  const std::vector<Ball> two{{{0.5, 0, 0}, 0.5}, {{-0.5, 0, 0}, 0.5}};
  const double side = 0.1 * std::sqrt(2.0) + 0.4, expected = std::hypot(0.5, side) - 0.5;
  const shape::Bracket gap = uncoveredBy(solid, two, 1e-4);
  CHECK(gap.atLeast <= expected + 1e-14);
  CHECK(gap.atMost >= expected);
  CHECK(gap.atMost - gap.atLeast <= 1e-4);
  // Beside an inner corner the surface ends where the rounded faces meet.
  const SolidDistance inner = clump::solidOf(samples::letterL(0.2));
  const shape::Bracket corner = uncoveredBy(inner, three, 1e-4);
  CHECK(corner.atLeast <= std::sqrt(0.75) + 0.2 - 0.5 + 1e-14);
  CHECK(corner.atMost >= std::sqrt(0.75) + 0.2 - 0.5);
  CHECK(corner.atMost - corner.atLeast <= 1e-4);
  // A ball at the inner edge covers what is farthest from one in the shared cube.
  const std::vector<Ball> ball{{{1.2, 1.2, 0.5}, 0.001}};
  const SolidDistance plain = clump::solidOf(samples::letterL(0.0));
  for (const SolidDistance* s : {&inner, &plain}) {
    const double far = std::sqrt(1.2 * 1.2 * 2 + 0.25) + s->radius() - 0.001;
    const shape::Bracket all = uncoveredBy(*s, ball, 1e-4);
    CHECK(all.atLeast <= far + 1e-14);
    CHECK(all.atMost >= far);
  }
}

TEST_CASE("the mean gap of a rounded cube agrees with quadrature", "[clump][cover]") {
  const double a = 0.3, r = 0.2, ball = 0.35;
  const auto gap = [&](const Vec3& p) { return std::max(0.0, p.norm() - ball); };
  constexpr int n = 300;
  double sum = 0.0, area = 0.0;
  const auto add = [&](double share, const Vec3& p) {
    area += share;
    sum += share * gap(p);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double u = (i + 0.5) / n, v = (j + 0.5) / n, turn = 0.5 * pi * v;
      add(6.0 * 4.0 * a * a / (n * n), {a * (2 * u - 1), a * (2 * v - 1), a + r});
      add(12.0 * 2.0 * a * r * 0.5 * pi / (n * n),
          {a * (2 * u - 1), a + r * std::cos(turn), a + r * std::sin(turn)});
      const double across = std::sqrt(1.0 - u * u);
      add(8.0 * r * r * 0.5 * pi / (n * n),
          {a + r * across * std::cos(turn), a + r * across * std::sin(turn), a + r * u});
    }
  const shape::Shape body = roundedBrick(Vec3::Constant(a), r);
  const std::vector<Ball> balls{{Vec3::Zero(), ball}};
  const SampledMean mean =
      coverQuality(clump::solidOf(body), mass::massReport(body).solid, balls, {.tolerance = 1e-2})
          .meanGap;
  CHECK(mean.standardError < 1e-3);
  CHECK(std::fabs(mean.mean - sum / area) < 3.0 * mean.standardError);
}
