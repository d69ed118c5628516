// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps of rounded solids, whose surface is not that of their core moved outward by the radius.
#include "catch.hpp"

#include "scree/clump/cover.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace scree;
using namespace scree::clump;

namespace {

shape::Shape rounded(const std::vector<Vec3>& vertices,
                     const std::vector<std::vector<std::uint32_t>>& faces, double radius) {
  shape::Shape s;
  s.name = "rounded";
  s.vertices = vertices;
  for (const auto& face : faces) s.faces.add(face);
  s.radius = radius;
  return s;
}

shape::Shape brick(const Vec3& half, double radius) {
  std::vector<Vec3> vertices;
  for (int k = 0; k < 8; ++k)
    vertices.push_back(half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return rounded(
      vertices,
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}, radius);
}

/// Two cuboids of 2 by 1 by 1 that share a cube.
shape::Shape angle(double radius) {
  std::vector<Vec3> vertices;
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] :
         std::vector<std::pair<double, double>>{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      vertices.push_back(Vec3(x, y, z));
  return rounded(vertices,
                 {{5, 4, 3, 2, 1, 0},
                  {6, 7, 8, 9, 10, 11},
                  {0, 1, 7, 6},
                  {1, 2, 8, 7},
                  {2, 3, 9, 8},
                  {3, 4, 10, 9},
                  {4, 5, 11, 10},
                  {5, 0, 6, 11}},
                 radius);
}
const std::vector<Ball> three{
    {{0.5, 0.5, 0.5}, 0.5}, {{1.5, 0.5, 0.5}, 0.5}, {{0.5, 1.5, 0.5}, 0.5}};

SampledMean meanGap(const shape::Shape& body, const std::vector<Ball>& balls) {
  return coverQuality(clump::solidOf(body), mass::massReport(body).solid, balls,
                      {.tolerance = 1e-2})
      .meanGap;
}

}  // namespace

TEST_CASE("the largest gap of a rounded body is at its surface", "[clump][cover]") {
  // The corner balls of the brick end farthest from the two balls along the diagonal of y and z.
  const SolidDistance solid = clump::solidOf(brick({0.6, 0.1, 0.1}, 0.4));
  const std::vector<Ball> two{{{0.5, 0, 0}, 0.5}, {{-0.5, 0, 0}, 0.5}};
  const double side = 0.1 * std::sqrt(2.0) + 0.4, expected = std::hypot(0.5, side) - 0.5;
  const shape::Bracket gap = uncoveredBy(solid, two, 1e-4);
  CHECK(gap.atLeast <= expected + 1e-14);
  CHECK(gap.atMost >= expected);
  CHECK(gap.atMost - gap.atLeast <= 1e-4);
  // Beside an inner corner the surface ends where the rounded faces meet.
  const SolidDistance inner = clump::solidOf(angle(0.2));
  const shape::Bracket corner = uncoveredBy(inner, three, 1e-4);
  CHECK(corner.atLeast <= std::sqrt(0.75) + 0.2 - 0.5 + 1e-14);
  CHECK(corner.atMost >= std::sqrt(0.75) + 0.2 - 0.5);
  CHECK(corner.atMost - corner.atLeast <= 1e-4);
  // A ball at the inner edge covers what is farthest from one in the shared cube.
  const std::vector<Ball> ball{{{1.2, 1.2, 0.5}, 0.001}};
  const SolidDistance plain = clump::solidOf(angle(0.0));
  for (const SolidDistance* s : {&inner, &plain}) {
    const double far = std::sqrt(1.2 * 1.2 * 2 + 0.25) + s->radius() - 0.001;
    const shape::Bracket all = uncoveredBy(*s, ball, 1e-4);
    CHECK(all.atLeast <= far + 1e-14);
    CHECK(all.atMost >= far);
  }
}

TEST_CASE("what the rounding fills is no surface", "[clump][cover]") {
  // A cube with a hollow of 0.1, less than twice the radius. Six balls cover all faces, not its
  // middle.
  shape::Shape hollow = brick(Vec3::Constant(2.0), 0.1);
  const shape::Shape inner = brick(Vec3::Constant(0.05), 0.1);
  hollow.vertices.insert(hollow.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (std::size_t f = 0; f < 6; ++f) {
    std::vector<std::uint32_t> face(inner.faces[f].begin(), inner.faces[f].end());
    std::reverse(face.begin(), face.end());
    for (std::uint32_t& v : face) v += 8;
    hollow.faces.add(face);
  }
  std::vector<Ball> six;
  for (const double side : {-100.0, 100.0})
    for (int k = 0; k < 3; ++k) six.push_back({side * Vec3::Unit(k), 98.5});
  const SolidDistance solid = clump::solidOf(hollow);
  CHECK(uncoveredBy(solid, six, 1e-3).atMost <= 1e-3);
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
  const SampledMean mean =
      meanGap(brick(Vec3::Constant(a), r), std::vector<Ball>{{Vec3::Zero(), ball}});
  CHECK(mean.standardError < 1e-3);
  CHECK(std::fabs(mean.mean - sum / area) < 3.0 * mean.standardError);
}
