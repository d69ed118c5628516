// SPDX-License-Identifier: GPL-3.0-or-later
// Unions whose power cells are degenerate or within rounding of it, against 100-digit arithmetic.
#include "catch.hpp"

#include "scree/base/rng.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace scree::detail {
using Digits100 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                                boost::multiprecision::et_off>;
inline Digits100 squareRoot(const Digits100& a) {
  return a > 0 ? Digits100(sqrt(a)) : Digits100(0);
}
inline Digits100 magnitude(const Digits100& a) { return a < 0 ? Digits100(-a) : a; }
}  // namespace scree::detail

// The kernel by itself: the reference is the same reduction, carried out without any rounding to
// speak of. That the reduction is right is what clump_ball_union.cpp shows.
#include "../../libshape/src/mass/clipped_ball.hpp"

namespace scree::mass {
template <>
struct Resolution<scree::detail::Digits100> {
  static constexpr double parallel = 1e-60, doubtful = 0.0;
};
}  // namespace scree::mass

using namespace scree;
using namespace scree::mass;

namespace {

mass::Moments reference(const std::vector<Ball>& balls, const Vec3& origin) {
  const auto within = [](const Ball& a, const Ball& b) {
    return (b.centre - a.centre).norm() + a.radius <= b.radius * (1.0 + 4e-16);
  };
  const auto hidden = [&](std::size_t i) {
    for (std::size_t j = 0; j < balls.size(); ++j)
      if (j != i && within(balls[i], balls[j]) && (j < i || !within(balls[j], balls[i])))
        return true;
    return false;
  };
  mass::Moments sum;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (hidden(i)) continue;
    std::vector<Ball> near;
    for (std::size_t j = 0; j < balls.size(); ++j)
      if (j != i && !hidden(j) &&
          (balls[j].centre - balls[i].centre).norm() < balls[i].radius + balls[j].radius)
        near.push_back(balls[j]);
    ClippedBall<scree::detail::Digits100> kernel;
    mass::Moments piece;
    kernel.moments(balls[i], near, piece);
    sum += piece.movedBy(balls[i].centre - origin);
  }
  return sum;
}

/// Largest deviation of the ten moments, relative to the size of the body.
double deviation(const std::vector<Ball>& balls) {
  const BallMoments tested = ballUnionMoments(balls);
  const mass::Moments exact = reference(balls, tested.origin);
  const double size = std::cbrt(exact.m0);
  return std::max({std::fabs(tested.moments.m0 - exact.m0) / exact.m0,
                   (tested.moments.m1 - exact.m1).norm() / (exact.m0 * size),
                   (tested.moments.m2 - exact.m2).norm() / exact.m2.norm()});
}

/// Balls through one circle, whose planes all coincide, and one that cuts across.
std::vector<Ball> pencil(int n) {
  std::vector<Ball> balls;
  for (int k = 0; k < n; ++k) {
    const double z = -0.6 + 1.3 * k / n;
    balls.push_back({{0, 0, z}, std::sqrt(0.64 + z * z)});
  }
  balls.push_back({{0.7, 0.2, 0.1}, 0.5});
  return balls;
}

/// Balls on a cubic grid: eight through a point, planes and lines that coincide.
std::vector<Ball> lattice(int n, double radius) {
  std::vector<Ball> balls;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z)
        balls.push_back(
            {{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}, radius});
  return balls;
}

std::vector<Ball> turned(std::vector<Ball> balls, Rng& rng) {
  const Quat q = rng.orientation();
  const Vec3 shift = rng.direction();
  for (Ball& ball : balls) ball.centre = rotated(q, ball.centre) + shift;
  return balls;
}

std::vector<Ball> shaken(std::vector<Ball> balls, double epsilon, Rng& rng) {
  for (Ball& ball : balls) {
    for (double& x : ball.centre) x += epsilon * rng.uniform(-1.0, 1.0);
    ball.radius += epsilon * rng.uniform(-1.0, 1.0);
  }
  return balls;
}

}  // namespace

TEST_CASE("near-degenerate unions stay exact however near they are", "[clump][union][degenerate]") {
  const std::vector<std::pair<std::string, std::vector<Ball>>> sets{
      {"pencil of 4", pencil(4)},
      {"pencil of 6", pencil(6)},
      {"2x2x2 lattice", lattice(2, 0.8)},
      {"2x2x2 lattice, cospherical", lattice(2, std::sqrt(0.75))},
      {"touching 2x2x2 lattice", lattice(2, 0.5)},
      {"3x3x3 lattice", lattice(3, 0.75)}};
  Rng rng(7);
  double worst = 0.0;
  for (const auto& [name, set] : sets)
    for (const double epsilon :
         {0.0,   1e-26, 1e-20, 1e-17, 1e-16, 3e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11,
          1e-10, 1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  3e-4,  1e-3,  1e-2})
      for (int repeat = 0; repeat < 6; ++repeat) {
        const auto balls = shaken(repeat % 2 ? turned(set, rng) : set, epsilon, rng);
        const double d = deviation(balls);
        INFO(name << ", epsilon " << epsilon << ", repeat " << repeat);
        CHECK(d <= 1e-12);
        worst = std::max(worst, d);
      }
  CHECK(worst <= 1e-13);
}

TEST_CASE("balls on whole coordinates, tangent and coaxal in every way, are exact",
          "[clump][union][degenerate]") {
  // Found what smooth random sets never show: planes that face each other at no distance, grazing
  // lines.
  const double radii[] = {
      1, std::sqrt(2.0), 1.5, std::sqrt(3.0), 0.5, 2, std::sqrt(0.5), std::sqrt(5.0) / 2};
  const double shakes[] = {0, 0, 1e-17, 1e-16, 1e-15, 1e-13, 1e-10, 1e-7, 1e-5};
  Rng rng(77);
  const auto below = [&rng](int n) { return static_cast<int>(rng.uniform() * n); };
  double worst = 0.0;
  for (int k = 0; k < 1500; ++k) {
    std::vector<Ball> balls;
    for (int n = 3 + below(10); n > 0; --n) {
      Vec3 centre;
      for (double& x : centre) x = below(3);
      balls.push_back({centre, radii[below(8)]});
    }
    if (k % 3 == 0) balls = turned(balls, rng);
    worst = std::max(worst, deviation(shaken(balls, shakes[below(9)], rng)));
  }
  CHECK(worst <= 1e-14);
}
