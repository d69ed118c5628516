// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "random_pack.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/mass/unions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::mass;
using namespace scree::clump;
using Catch::Contains;

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

using Method = ClumpMassOptions::Method;

std::vector<ParticleMass> massesOf(const std::string& text, Method method = Method::automatic) {
  return packMasses(testing::packOf(text), {.method = method});
}

Vec3 moments(const ParticleMass& p) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(p.solid.volume * p.solid.inertiaPerMass).eigenvalues();
}

/// Whether a value is the printed one, rounded or cut at its last digit.
void checkDigits(double value, const std::string& printed) {
  const std::size_t exponent = std::min(printed.find('e'), printed.size());
  const std::size_t point = std::min(printed.find('.'), exponent);
  const std::size_t decimals = point < exponent ? exponent - point - 1 : 0;
  double unit = std::pow(10.0, -static_cast<double>(decimals));
  if (exponent < printed.size()) unit *= std::pow(10.0, std::stod(printed.substr(exponent + 1)));
  INFO("printed " << printed << " value " << fmt::format("{:.12g}", value));
  CHECK(std::fabs(value - std::stod(printed)) < unit);
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

TEST_CASE("single shapes have their textbook mass and inertia", "[clump][mass]") {
  SECTION("sphere") {
    const ParticleMass p = massesOf("0 Sphere 1 2 3 2").at(0);
    const double v = 4.0 / 3.0 * pi * 8.0;
    CHECK(p.method == "exact");
    CHECK(p.kind == "Sphere");
    CHECK(p.spheres == 1);
    CHECK(p.solid.volume == Approx(v).epsilon(1e-15));
    CHECK((p.solid.centre - Vec3(1, 2, 3)).norm() < 1e-15);
    CHECK((p.solid.inertiaPerMass - 1.6 * Mat3::Identity()).norm() < 1e-14);
  }
  SECTION("capsule of length 2 and radius 0.5") {
    const ParticleMass p = massesOf("0 Capsule 0 0 0 1.5 1 0 0").at(0);
    CHECK(p.solid.volume == Approx(2.0943951023932).epsilon(1e-13));
    CHECK((p.solid.inertiaPerMass.diagonal() - Vec3(0.11875, 0.665625, 0.665625)).norm() < 1e-14);
  }
  SECTION("a capsule without shaft is a sphere") {
    CHECK(massesOf("0 Capsule 0 0 0 1 0 0 0").at(0).solid.volume == Approx(4.0 / 3.0 * pi));
  }
  SECTION("ellipsoid, turned a quarter about z") {
    const ParticleMass p = massesOf("0 Ellipsoid 1 1 1 3 0 0 1.5707963267948966 1 2 3").at(0);
    CHECK(p.solid.volume == Approx(8.0 * pi).epsilon(1e-14));
    CHECK((p.solid.inertiaPerMass - Mat3(Vec3(10.0 / 5, 13.0 / 5, 5.0 / 5).asDiagonal())).norm() <
          1e-14);
  }
  SECTION("tetrahedron") {
    const ParticleMass p = massesOf("0 Tetra 0 0 0 9 5 0 0 6 0 0 5 2 0 5 0 3").at(0);
    CHECK(p.solid.volume == Approx(1.0).epsilon(1e-14));
    CHECK((p.solid.centre - Vec3(5.25, 0.5, 0.75)).norm() < 1e-14);
    CHECK(p.solid.inertiaPerMass(0, 0) == Approx(3.0 / 80.0 * (4.0 + 9.0)).epsilon(1e-13));
  }
  SECTION("facet as a thin prism") {
    const ParticleMass p = massesOf("0 Facet 0 0 0 9 0 0 0 3 0 0 0 3 0 0.5").at(0);
    CHECK(p.solid.volume == Approx(4.5).epsilon(1e-14));
    CHECK((p.solid.centre - Vec3(1, 1, 0)).norm() < 1e-14);
    CHECK(p.solid.inertiaPerMass(0, 0) == Approx(9.0 / 18.0 + 1.0 / 12.0).epsilon(1e-13));
  }
}

TEST_CASE("published examples hold to their printed digits", "[clump][mass]") {
  const auto checkMoments = [](const ParticleMass& p, const std::vector<std::string>& printed) {
    const Vec3 m = moments(p);  // ascending
    for (Eigen::Index k = 0; k < 3; ++k) checkDigits(m[k], printed[static_cast<std::size_t>(k)]);
  };
  // Clump 10 and capsule 0 of the sample of Woo's page.
  const std::string clump10 =
      "10 Sphere -0.192145 0.137062 0.592456 0.0682023\n"
      "10 Sphere -0.186653 0.215515 0.615108 0.109124\n"
      "10 Sphere -0.181162 0.293969 0.63776 0.0682023\n";
  const ParticleMass ten = massesOf(clump10).at(0);
  checkDigits(ten.solid.volume, "0.00631022");
  checkDigits((ten.solid.centre - Vec3(-0.186653, 0.215515, 0.615108))
                  .dot(Vec3(0.0670983, 0.9585893, 0.2767750)),
              "2.6e-7");
  checkMoments(ten, {"2.759593e-5", "3.859764e-5", "3.859764e-5"});
  checkDigits(massesOf(clump10, Method::sum).at(0).solid.volume, "0.00810090");
  checkDigits(massesOf(clump10, Method::grid).at(0).solid.volume, "0.00630686");
  const ParticleMass rod =
      massesOf("0 Capsule 0.0120227 0.976311 0.163282 0.105552 -0.0138765 -0.0322094 -0.0335685")
          .at(0);
  checkDigits(rod.solid.volume, "1.767134184e-3");
  checkDigits(rod.equivRad(), "0.07499983");
  checkMoments(rod, {"2.619037502e-6", "6.031722956e-6", "6.031722956e-6"});
  const Vec3 axis = Vec3(-0.0138765, -0.0322094, -0.0335685).normalized();
  const Vec3 turned = rod.solid.inertiaPerMass * axis;
  CHECK((turned - axis * axis.dot(turned)).norm() < 1e-16);
}

TEST_CASE("mixed clumps count shared volume once, within their bound", "[clump][mass]") {
  const auto [text, apart] = GENERATE(table<std::string, bool>({
      {"0 Capsule 0 0 0 1.5 1 0 0\n0 Sphere 0 2 0 1\n0 Sphere 0 4 0 1\n", true},
      {"0 Capsule 0 0 0 1.5 1 0 0\n0 Sphere 2 0 0 0.50001\n", false},
      {"0 Capsule 0 0 0 1.5 1 0 0\n0 Capsule 0 0 1.01 1.5 0 1 0\n", true},  // crossed rods
      {"0 Capsule 0 0 0 1.5 1 0 0\n0 Capsule 0 0 0.99 1.5 0 1 0\n", false},
      {"0 Ellipsoid 0 0 0 3 0 0 0 3 1 1\n0 Ellipsoid 0 2.01 0 3 0 0 0 3 1 1\n", true},
      {"0 Ellipsoid 0 0 0 3 0 0 0 3 1 1\n0 Ellipsoid 0 1.99 0 3 0 0 0 3 1 1\n", false},
      {"0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n0 Sphere 0.5 0.5 0.5 0.28\n", true},
      {"0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n0 Sphere 0.2 0.2 0.2 0.1\n", false},
  }));
  INFO(text);
  const ParticleMass whole = massesOf(text).at(0), sum = massesOf(text, Method::sum).at(0);
  CHECK(whole.method == "certified");
  CHECK(whole.bound->volume < 1.1e-5);
  if (apart)
    CHECK(std::fabs(whole.solid.volume / sum.solid.volume - 1.0) <= whole.bound->volume);
  else
    CHECK(whole.solid.volume < sum.solid.volume * (1.0 + whole.bound->volume));
  CHECK_THROWS_WITH(massesOf(text, Method::exact), Contains("particle 0 (line 1)"));
  CHECK(massesOf(text, Method::grid).at(0).solid.volume ==
        Approx(whole.solid.volume).epsilon(0.05));
}

TEST_CASE("what has no volume has no mass", "[clump][mass]") {
  CHECK_THROWS_WITH(massesOf("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0"),
                    Contains("particle 0 (line 1)") && Contains("volume"));
  CHECK_THROWS_AS(massesOf("0 Tetra 0 0 0 1 0 0 0 1 0 0 2 0 0 3 0 0"), GeometryError);
}

TEST_CASE("the bound of a centre holds far from the origin", "[clump][mass]") {
  for (const double far : {0.0, 1e3, 1e6, 1e9}) {
    INFO(far);
    const double x = far + 0.1, y = far + 1.37, r = 1.0, s = 0.8;
    const ParticleMass p =
        massesOf(fmt::format("0 Sphere {} 0 0 1\n0 Sphere {} 0 0 0.8\n", x, y)).at(0);
    // Each ball up to the plane of their common circle, seen from the first centre.
    const double d = y - x, a = (d * d + r * r - s * s) / (2 * d), b = d - a;
    const auto part = [](double radius, double to) {
      return pi * (2.0 / 3.0 * std::pow(radius, 3) + radius * radius * to - std::pow(to, 3) / 3);
    };
    const double v1 = part(r, a), v2 = part(s, b);
    const double moment =
        -0.25 * pi * std::pow(r * r - a * a, 2) + v2 * d + 0.25 * pi * std::pow(s * s - b * b, 2);
    const double error = std::fabs(p.solid.centre.x() - x - moment / (v1 + v2));
    CHECK(error <= p.bound.value().centre * 2.0 * p.equivRad());
    CHECK(p.bound.value().centre <= 1e-13 + 1e-16 * far);
    CHECK(p.solid.volume == Approx(v1 + v2).epsilon(1e-13));
  }
}
