// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::clump::detail {
namespace {

/// The n-th of a sequence that fills a triangle evenly, as shares of two of its sides.
std::array<double, 2> placeInTriangle(std::size_t n) {
  const auto part = [n](double step) {
    const double x = 0.5 + step * static_cast<double>(n + 1);
    return x - std::floor(x);
  };
  double u = part(0.7548776662466927), v = part(0.5698402909980532);
  if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
  return {u, v};
}

struct CorePoint {
  Vec3 point;   ///< [L]
  Vec3 inward;  ///< unit normal that points into the core
  std::uint32_t triangle;
};

/// f(point, number of its triangle) for about `count` points of triangles, each of the same share
/// of the area.
template <class F>
void spread(const std::vector<std::array<Vec3, 3>>& triangles, std::size_t count, F&& f) {
  std::vector<double> upTo;
  double area = 0.0;
  for (const auto& t : triangles) {
    area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    upTo.push_back(area);
  }
  std::size_t k = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double place = area * (static_cast<double>(n) + 0.5) / static_cast<double>(count);
    while (k + 1 < upTo.size() && upTo[k] < place) ++k;
    const auto& t = triangles[k];
    const auto [u, v] = placeInTriangle(n);
    f(Vec3(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0])), k);
  }
}

/// About `count` points of the core, each of the same share of its area.
std::vector<CorePoint> corePoints(const SolidDistance& solid, std::size_t count) {
  std::vector<CorePoint> samples;
  samples.reserve(count);
  spread(solid.triangles(), count, [&](const Vec3& point, std::size_t k) {
    const auto& t = solid.triangles()[k];
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    if (const double length = normal.norm(); length > 0.0)
      samples.push_back({point, -normal / length, static_cast<std::uint32_t>(k)});
  });
  return samples;
}

/// Shrinks a ball that touches the core at `at` until it holds no other point of the faces.
Ball shrunk(const SolidDistance& solid, const CorePoint& at, double largest) {
  double radius = largest;
  std::uint32_t guess = at.triangle;
  for (int round = 0; round < 60; ++round) {
    const Vec3 centre = at.point + radius * at.inward;
    const auto near = solid.nearest(centre, guess);
    guess = near.triangle;
    const Vec3 across = at.point - near.point;
    const double away = (centre - near.point).norm();
    if (away >= radius * (1.0 - 1e-9)) break;
    const double depth = -across.dot(at.inward);  // of the nearest point below the tangent plane
    if (!(depth > 0.0)) return {at.point, 0.0};   // a crease: the surface bends over the point
    const double next = across.squaredNorm() / (2.0 * depth);
    if (!(next < radius)) break;
    radius = next;
  }
  const Vec3 centre = at.point + radius * at.inward;
  // Shortened by rounding: the ball must not leave the solid.
  return {centre, std::max(0.0, solid.depth(centre, guess)) * (1.0 - 1e-14)};
}

constexpr int levels = 4;  // the largest cubes are 2^4 smallest ones wide

struct Cutter {
  const SolidDistance& solid;
  VolumePoints& out;

  void add(const Vec3& middle, int level) {
    out.places.push_back(middle);
    out.weights.push_back(1 << (3 * level));
  }
  void cut(const Vec3& middle, double edge, int level, std::uint32_t guess) {
    const auto near = solid.nearest(middle, guess);
    const double reach = 0.5 * std::sqrt(3.0) * edge;  // of the corners from the middle
    if (near.depth < -reach) return;
    if (level == 0) {
      if (near.depth > 0.0) add(middle, 0);
      return;
    }
    if (near.depth > reach && edge < 0.5 * near.depth) return add(middle, level);
    for (int k = 0; k < 8; ++k)
      cut(middle + 0.25 * edge * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1), 0.5 * edge,
          level - 1, near.triangle);
  }
};

}  // namespace

std::vector<Vec3> surfacePoints(const SolidDistance& solid, std::size_t count) {
  std::vector<Vec3> points;
  const double radius = solid.radius(), hidden = 1e-9 * (solid.high() - solid.low()).norm();
  if (radius == 0.0) {
    spread(solid.triangles(), count, [&](const Vec3& p, std::size_t) { points.push_back(p); });
    return points;
  }
  constexpr double fineness = 12.0, off = 0.02;  // flat cells lie less than 2 % of the radius deep
  shape::Shape body;
  body.vertices = solid.core().vertices;
  body.faces = solid.core().faces;
  body.radius = radius;
  const shape::RoundedSurface surface = shape::roundedSurface(body, fineness);
  std::vector<std::array<Vec3, 3>> triangles;
  for (std::size_t c = 0; c < surface.cells.size(); ++c) {
    const auto cell = surface.cells[c];
    for (std::size_t k = 2; k < cell.size(); ++k)
      triangles.push_back(
          {surface.points[cell[0]], surface.points[cell[k - 1]], surface.points[cell[k]]});
  }
  spread(triangles, count, [&](const Vec3& p, std::size_t) {
    const auto near = solid.nearest(p);
    if (std::fabs(near.depth) > off * radius) return;  // another part hides it
    const Vec3 on = near.point + radius * (p - near.point).normalized();
    if (solid.depth(on) <= hidden) points.push_back(on);
  });
  return points;
}

std::vector<Ball> medialBalls(const SolidDistance& solid, std::size_t samples, int threads) {
  const std::vector<CorePoint> points = corePoints(solid, samples);
  const double largest = 0.5 * (solid.high() - solid.low()).maxCoeff();
  std::vector<Ball> balls(points.size());
  parallelFor(threads, points.size(),
              [&](std::size_t k) { balls[k] = shrunk(solid, points[k], largest); });
  if (solid.radius() > 0.0)
    for (const CorePoint& point : points) balls.push_back({point.point, solid.radius()});
  std::erase_if(balls, [&](const Ball& b) { return !(b.radius > 0.0); });
  return balls;
}

VolumePoints volumePoints(const SolidDistance& solid, double spacing) {
  VolumePoints out;
  const double edge = std::ldexp(spacing, levels);
  const Vec3 extent = solid.high() - solid.low();
  const Vec3 cubes = (extent / edge).array().ceil().max(1.0);
  if (!(cubes.prod() < 1e6))
    throw GeometryError("the grid over the solid would have too many cubes");
  const Vec3 first =
      0.5 * (solid.low() + solid.high()) - 0.5 * edge * (cubes - Vec3::Constant(1.0));
  for (int i = 0; i < static_cast<int>(cubes.x()); ++i)
    for (int j = 0; j < static_cast<int>(cubes.y()); ++j)
      for (int k = 0; k < static_cast<int>(cubes.z()); ++k)
        Cutter{solid, out}.cut(first + edge * Vec3(i, j, k), edge, levels, 0);
  if (out.places.empty()) throw GeometryError("the solid is thinner than the grid over it");
  return out;
}

std::vector<Vec3> evenDirections(std::size_t count) {
  std::vector<Vec3> points;
  const double step = 0.5 * (3.0 - std::sqrt(5.0));  // [turns]
  for (std::size_t k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(count);
    const double across = std::sqrt(1.0 - z * z), turns = step * static_cast<double>(k);
    const double part = turns - std::floor(turns);
    points.emplace_back(across * cosOfTurns(part), across * sinOfTurns(part), z);
  }
  return points;
}

}  // namespace scree::clump::detail
