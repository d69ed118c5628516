// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/mass/unions.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

using namespace scree;
using namespace scree::mass;

namespace {

struct Known {
  std::string name;
  std::vector<Ball> balls;
  double volume;
  Vec3 centre, moments;  ///< moments per mass, ascending
};

Vec3 moments(const mass::SolidProperties& solid) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(solid.inertiaPerMass).eigenvalues();
}

std::vector<Ball> tetrahedral(double radius) {
  const double q = 1.0 / std::sqrt(8.0);
  return {{{q, q, q}, radius}, {{q, -q, -q}, radius}, {{-q, q, -q}, radius}, {{-q, -q, q}, radius}};
}

/// Values by an independent route: the area of each plane section in closed form, Gauss-Legendre
/// across.
std::vector<Known> knownUnions() {
  return {
      {"two balls",
       {{{0, 0, 0}, 1}, {{1, 0, 0}, 0.5}},
       4.49967697779788,
       {0.07954545454545, 0, 0},
       {0.379971590909091, 0.462777634297521, 0.462777634297521}},
      {"two unit balls",
       {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}},
       7.06858347057703,
       {0.5, 0, 0},
       {0.425, 0.7375, 0.7375}},
      {"three balls in a row",
       {{{0, 0, 0}, 0.25}, {{0.25, 0, 0}, 0.25}, {{0.5, 0, 0}, 0.25}},
       0.155443386505745,
       {0.25, 0, 0},
       {0.0272203947368421, 0.0771792763157895, 0.0771792763157895}},
      {"four balls",
       tetrahedral(0.6),
       3.40729732515421,
       {0, 0, 0},
       Vec3::Constant(0.411657148326755)},
      {"four balls that leave no hole",
       tetrahedral(0.65),
       4.1244770707173,
       {0, 0, 0},
       Vec3::Constant(0.45231840966249)},
      {"large and small",
       {{{0, 0, 0}, 1}, {{0, 0, 1.2}, 0.8}},
       5.890486225480862,
       {0, 0, 23.0 / 60.0},
       {2.157390580 / 5.890486225, 4.181836158 / 5.890486225, 4.181836158 / 5.890486225}},
  };
}

std::vector<Ball> randomBalls(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  const double side = std::cbrt(static_cast<double>(n) / 8.0);
  std::vector<Ball> balls;
  for (std::size_t k = 0; k < n; ++k) {
    Vec3 centre;
    for (double& x : centre) x = rng.uniform(0.0, side);
    balls.push_back({centre, rng.uniform(0.2, 0.5)});
  }
  return balls;
}

void checkClose(const BallMoments& a, const BallMoments& b, double tolerance) {
  const mass::SolidProperties x = solidOf(a), y = solidOf(b);
  const double size = std::cbrt(y.volume);
  CHECK(std::fabs(x.volume - y.volume) <= tolerance * y.volume);
  CHECK((x.centre - y.centre).norm() <= tolerance * size);
  CHECK((x.inertiaPerMass - y.inertiaPerMass).norm() <= 10.0 * tolerance * y.inertiaPerMass.norm());
}

}  // namespace

TEST_CASE("unions of balls have the volume, centre and inertia of the published table",
          "[clump][union]") {
  for (const Known& known : knownUnions()) {
    INFO(known.name);
    const mass::SolidProperties solid = solidOf(ballUnionMoments(known.balls));
    const bool nineDigits = known.name == "large and small";
    CHECK(std::fabs(solid.volume / known.volume - 1.0) < 1e-13);
    CHECK((solid.centre - known.centre).norm() < 1e-13);
    CHECK((moments(solid) - known.moments).norm() < (nineDigits ? 1e-9 : 1e-13));
  }
}

TEST_CASE("a lens of two balls obeys the closed formula over all distances", "[clump][union]") {
  Rng rng(3);
  for (int k = 0; k < 200; ++k) {
    const double a = 1.0, b = rng.uniform(0.05, 2.0);
    const double d = rng.uniform(std::fabs(a - b), a + b);
    const Vec3 at = d * rng.direction();
    const double lens = pi * std::pow(a + b - d, 2) *
                        (d * d + 2 * d * (a + b) - 3 * (a - b) * (a - b)) / (12.0 * d);
    const double expected = 4.0 / 3.0 * pi * (a * a * a + b * b * b) - lens;
    const Ball balls[] = {{Vec3::Zero(), a}, {at, b}};
    CHECK(ballUnionMoments(balls).moments.m0 == Approx(expected).epsilon(1e-13));
  }
}

TEST_CASE("order, repetition and balls inside others change nothing", "[clump][union]") {
  const auto balls = randomBalls(80, 5);
  const BallMoments once = ballUnionMoments(balls);
  auto reversed = balls;
  std::reverse(reversed.begin(), reversed.end());
  checkClose(ballUnionMoments(reversed), once, 1e-14);

  auto more = balls;
  more.insert(more.end(), balls.begin(), balls.end());
  for (const Ball& ball : balls)
    more.push_back({ball.centre + 0.3 * ball.radius * Vec3::UnitX(), 0.6 * ball.radius});
  const BallMoments padded = ballUnionMoments(more);
  checkClose(padded, once, 1e-14);

  const Ball inner[] = {{{0, 0, 0}, 1}, {{0.5, 0, 0}, 0.5}};  // touches from within
  CHECK(ballUnionMoments(inner).moments.m0 == Approx(4.0 / 3.0 * pi).epsilon(1e-15));
  const Ball outer[] = {{{0, 0, 0}, 1}, {{1.5, 0, 0}, 0.5}};  // touches from outside
  CHECK(ballUnionMoments(outer).moments.m0 == Approx(4.0 / 3.0 * pi * 1.125).epsilon(1e-15));
}

TEST_CASE("a clump a million sizes away keeps its digits", "[clump][union]") {
  // Coordinates on a grid of 2^-20 survive the shift unrounded, so nothing but the method can err.
  auto balls = randomBalls(40, 6);
  for (Ball& ball : balls)
    for (double& x : ball.centre) x = std::round(x * 0x1p20) * 0x1p-20;
  auto far = balls;
  const Vec3 shift(1e6, -1e6, 3e6);
  for (Ball& ball : far) ball.centre += shift;
  const mass::SolidProperties a = solidOf(ballUnionMoments(balls)),
                              b = solidOf(ballUnionMoments(far));
  CHECK(b.volume == Approx(a.volume).epsilon(1e-13));
  CHECK((b.centre - shift - a.centre).norm() < 1e-9);  // half the spacing of doubles there
  CHECK((a.inertiaPerMass - b.inertiaPerMass).norm() < 1e-12 * a.inertiaPerMass.norm());
}

TEST_CASE("the tree for many balls and the search through all give the same union",
          "[clump][union]") {
  // Two far parts of 200 balls each: together above the limit where the tree starts.
  const auto part = randomBalls(200, 21);
  auto both = part;
  for (Ball ball : part) {
    ball.centre.x() += 64.0;
    both.push_back(ball);
  }
  const double single = ballUnionMoments(part).moments.m0;
  CHECK(ballUnionMoments(both).moments.m0 == Approx(2.0 * single).epsilon(1e-14));
}

TEST_CASE("a union has the same bits on any number of threads", "[clump][union][threads]") {
  const auto balls = randomBalls(500, 22);
  const BallMoments one = ballUnionMoments(balls, 1);
  for (const int threads : {2, 3, 8}) {
    const BallMoments many = ballUnionMoments(balls, threads);
    CHECK(many.moments.m0 == one.moments.m0);
    CHECK(many.moments.m1 == one.moments.m1);
    CHECK(many.moments.m2 == one.moments.m2);
  }
}
