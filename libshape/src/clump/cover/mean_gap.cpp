// SPDX-License-Identifier: GPL-3.0-or-later
#include "mean_gap.hpp"

#include "base/elementary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace scree::clump::detail {
namespace {

/// A triangle with bounds of the integral over it.
struct Piece {
  std::array<Vec3, 3> corners;
  double area = 0.0, low = 0.0, high = 0.0;
  std::uint64_t number = 0;
  bool operator<(const Piece& other) const {
    const double mine = high - low, its = other.high - other.low;
    return mine != its ? mine < its : number > other.number;
  }
};

void bound(Piece& piece, std::span<const Ball> balls, double radius) {
  const Vec3 middle = (piece.corners[0] + piece.corners[1] + piece.corners[2]) / 3.0;
  double reach = 0.0, least = 1e300;
  for (const Vec3& c : piece.corners) reach = std::max(reach, (c - middle).norm());
  for (const Ball& ball : balls)
    least = std::min(least, (middle - ball.centre).norm() - ball.radius);
  double high = 1e300;
  std::array<double, 3> below{1e300, 1e300, 1e300};
  for (const Ball& ball : balls) {
    const Vec3 from = middle - ball.centre;
    const double distance = from.norm(), here = distance - ball.radius;
    if (here > least + 2.0 * reach) continue;  // nowhere the nearest
    double mean = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      mean += std::max(0.0, (piece.corners[k] - ball.centre).norm() - ball.radius + radius) / 3.0;
      const double tangent =
          distance > 0.0 ? here + from.dot(piece.corners[k] - middle) / distance : -ball.radius;
      below[k] = std::min(below[k], tangent + radius);
    }
    high = std::min(high, mean);
  }
  piece.high = piece.area * high;
  piece.low =
      std::min(piece.high, piece.area * std::max(0.0, (below[0] + below[1] + below[2]) / 3.0));
}

/// Whether arcs, each a middle and half its length in radians, leave a part of the circle free.
bool anyFree(const std::vector<std::pair<double, double>>& arcs) {
  std::vector<std::pair<double, double>> parts;
  for (const auto& [middle, half] : arcs) {
    double from = middle - half, to = middle + half;
    if (from < -pi) parts.push_back({from + 2.0 * pi, pi}), from = -pi;
    if (to > pi) parts.push_back({-pi, to - 2.0 * pi}), to = pi;
    parts.push_back({from, to});
  }
  std::sort(parts.begin(), parts.end());
  double reached = -pi;
  for (const auto& [from, to] : parts) {
    if (from > reached + 1e-12) return true;
    reached = std::max(reached, to);
  }
  return reached < pi - 1e-12;
}

}  // namespace

shape::Bracket meanGap(const SolidDistance& solid, std::span<const Ball> balls, double accuracy) {
  constexpr std::uint64_t workLimit = 1'000'000;
  std::priority_queue<Piece> queue;
  double area = 0.0, low = 0.0, high = 0.0;
  std::uint64_t made = 0;
  const auto add = [&](const std::array<Vec3, 3>& corners) {
    Piece piece{corners};
    piece.area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
    bound(piece, balls, solid.radius());
    piece.number = made++;
    low += piece.low;
    high += piece.high;
    queue.push(piece);
    return piece.area;
  };
  for (const auto& triangle : solid.triangles()) area += add(triangle);
  if (!(area > 0.0)) return {};
  while (high - low > accuracy * area && made < workLimit) {
    const Piece piece = queue.top();
    queue.pop();
    low -= piece.low;
    high -= piece.high;
    const auto& c = piece.corners;
    const std::array<Vec3, 3> half{0.5 * (c[0] + c[1]), 0.5 * (c[1] + c[2]), 0.5 * (c[2] + c[0])};
    add({c[0], half[0], half[2]});
    add({half[0], c[1], half[1]});
    add({half[2], half[1], c[2]});
    add({half[0], half[1], half[2]});
  }
  const double rounding = 1e-12 * (high / area);
  return {std::max(0.0, low / area - rounding), high / area + rounding};
}

double grooveDepth(std::span<const Ball> balls) {
  double deepest = 0.0;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const Vec3 between = balls[j].centre - balls[i].centre;
      const double d = between.norm(), r = balls[i].radius, s = balls[j].radius;
      if (!(d > std::fabs(r - s)) || d >= r + s) continue;
      const double along = (d * d + r * r - s * s) / (2.0 * d);
      const double across = std::sqrt(std::max(0.0, r * r - along * along));
      // The hull of two balls is a cone about them; its side has this slope.
      const double sine = (r - s) / d, cosine = std::sqrt(1.0 - sine * sine);
      const double depth = r - along * sine - across * cosine;
      if (depth <= deepest || !(across > 0.0)) continue;
      const Vec3 axis = between / d, side = axis.unitOrthogonal(), other = axis.cross(side);
      const Vec3 middle = balls[i].centre + along * axis;
      std::vector<std::pair<double, double>> arcs;
      bool hidden = false;
      for (std::size_t m = 0; m < balls.size() && !hidden; ++m) {
        if (m == i || m == j) continue;
        const Vec3 to = balls[m].centre - middle;
        const double x = to.dot(side), y = to.dot(other), far = std::sqrt(x * x + y * y);
        const double rest = to.squaredNorm() + across * across - balls[m].radius * balls[m].radius;
        if (far * 2.0 * across <= std::fabs(rest)) {
          hidden = rest < 0.0;
          continue;
        }
        const double cosineOfHalf = rest / (2.0 * across * far);
        const double sineOfHalf = std::sqrt(1.0 - cosineOfHalf * cosineOfHalf);
        arcs.push_back({elementary::atan2(y, x), elementary::atan2(sineOfHalf, cosineOfHalf)});
      }
      if (!hidden && anyFree(arcs)) deepest = depth;
    }
  return deepest;
}

}  // namespace scree::clump::detail
