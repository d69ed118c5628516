// SPDX-License-Identifier: GPL-3.0-or-later
#include "top_surface.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace scree::tools {
namespace {

/// A body in the axes of the map: (u, v, height).
struct Body {
  std::vector<Vec3> vertices;
  std::vector<double> radii;
  const shape::Shape* shape = nullptr;
  const std::vector<std::array<std::uint32_t, 3>>* triangles = nullptr;
  double radius = 0.0;  // of edges and faces
  Vec3 low = Vec3::Constant(HUGE_VAL), high = Vec3::Constant(-HUGE_VAL);
};

/// Largest height of a body above the point (u, v); -HUGE_VAL beside it.
double heightOver(const Body& body, double u, double v) {
  double highest = -HUGE_VAL;
  for (std::size_t k = 0; k < body.vertices.size(); ++k) {
    const Vec3& c = body.vertices[k];
    const double r = body.radii[k], out2 = (c.x() - u) * (c.x() - u) + (c.y() - v) * (c.y() - v);
    if (out2 <= r * r) highest = std::max(highest, c.z() + std::sqrt(r * r - out2));
  }
  const Vec3 foot(u, v, 0.0);
  for (const shape::Edge& edge : body.shape->edges) {
    // A vertical line meets the cylinder of radius r about a + s e twice at most.
    const Vec3 &a = body.vertices[edge[0]], d = body.vertices[edge[1]] - a;
    const double length = d.norm();
    if (!(length > 0.0)) continue;
    const Vec3 e = d / length, w = foot - a;
    const Vec3 wAcross = w - w.dot(e) * e, upAcross = Vec3::UnitZ() - e.z() * e;
    const double A = upAcross.squaredNorm(), B = wAcross.dot(upAcross),
                 C = wAcross.squaredNorm() - body.radius * body.radius;
    const double root = B * B - A * C;
    if (A < 1e-30 || root < 0.0) continue;  // a vertical edge ends in its balls
    const double height = (-B + std::sqrt(root)) / A;
    const double along = (w + height * Vec3::UnitZ()).dot(e);
    if (along >= 0.0 && along <= length) highest = std::max(highest, height);
  }
  for (const auto& t : *body.triangles) {
    const Vec3 &a = body.vertices[t[0]], &b = body.vertices[t[1]], &c = body.vertices[t[2]];
    const Vec3 across = (b - a).cross(c - a);
    const double area = across.norm();
    if (!(area > 0.0) || across.z() == 0.0) continue;
    const Vec3 n = (across.z() > 0.0 ? 1.0 : -1.0) / area * across;
    // The plane of the face, moved by the radius along its upper normal.
    const double height = (body.radius - (foot - a).dot(n)) / n.z();
    const Vec3 p = Vec3(u, v, height) - body.radius * n;
    const auto inside = [&](const Vec3& from, const Vec3& to) {
      return (to - from).cross(p - from).dot(across) >= 0.0;
    };
    if (inside(a, b) && inside(b, c) && inside(c, a)) highest = std::max(highest, height);
  }
  return highest;
}

}  // namespace

MapAxes::MapAxes(const Vec3& gravity) {
  Eigen::Index axis = 2;
  if (gravity.norm() > 0.0) gravity.cwiseAbs().maxCoeff(&axis);
  up = static_cast<int>(axis);
  sign = gravity[axis] > 0.0 ? -1.0 : 1.0;
  u = up == 0 ? 1 : 0;
  v = up == 2 ? 1 : 2;
}

TopSurface::TopSurface(const sim::Instant& instant, const std::vector<char>& chosen, double cell)
    : axes_(instant.conf().gravity) {
  std::vector<std::vector<std::array<std::uint32_t, 3>>> triangles(instant.shapes().size());
  for (std::size_t s = 0; s < triangles.size(); ++s)
    for (std::size_t f = 0; f < instant.shapes()[s].faces.size(); ++f)
      shape::triangulate(instant.shapes()[s].vertices, instant.shapes()[s].faces[f], triangles[s]);
  std::vector<Body> bodies;
  Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    const sim::ParticleRecord& p = instant.body(k);
    Body& body = bodies.emplace_back();
    body.shape = &instant.shapeOf(k);
    body.triangles = &triangles[p.shapeName];
    body.radius = p.homothety * body.shape->radius;
    for (std::size_t m = 0; m < body.shape->vertices.size(); ++m) {
      const Vec3 x = p.pos + rotated(p.q, p.homothety * body.shape->vertices[m]);
      body.vertices.emplace_back(x[axes_.u], x[axes_.v], axes_.sign * x[axes_.up]);
      body.radii.push_back(p.homothety * body.shape->radiusAt(m));
      body.low = body.low.cwiseMin(body.vertices.back() - Vec3::Constant(body.radii.back()));
      body.high = body.high.cwiseMax(body.vertices.back() + Vec3::Constant(body.radii.back()));
    }
    low = low.cwiseMin(body.low);
    high = high.cwiseMax(body.high);
  }
  if (bodies.empty()) return;
  lowest_ = low.z();
  // Cells whose middle lies between two bounds.
  const auto first = [&](double x) { return std::ceil(x / cell - 0.5); };
  const auto last = [&](double x) { return std::floor(x / cell - 0.5); };
  const double u0 = first(low.x()), v0 = first(low.y()), nu = last(high.x()) - u0 + 1.0,
               nv = last(high.y()) - v0 + 1.0;
  if (!(nu * nv <= 1e8))
    throw ModelError(fmt::format(
        "surface: a raster of {} by {} cells is too large; use a larger --cell", nu, nv));
  if (nu < 1.0 || nv < 1.0) return;
  const auto columns = static_cast<std::size_t>(nu);
  std::vector<double> heights(columns * static_cast<std::size_t>(nv), -HUGE_VAL);
  for (const Body& body : bodies) {
    const auto left = static_cast<std::int64_t>(first(body.low.x()) - u0),
               right = static_cast<std::int64_t>(last(body.high.x()) - u0),
               bottom = static_cast<std::int64_t>(first(body.low.y()) - v0),
               top = static_cast<std::int64_t>(last(body.high.y()) - v0);
    for (std::int64_t j = bottom; j <= top; ++j)
      for (std::int64_t i = left; i <= right; ++i) {
        double& height =
            heights[static_cast<std::size_t>(j) * columns + static_cast<std::size_t>(i)];
        if (height >= body.high.z()) continue;
        height = std::max(height, heightOver(body, (u0 + static_cast<double>(i) + 0.5) * cell,
                                             (v0 + static_cast<double>(j) + 0.5) * cell));
      }
  }
  for (std::size_t k = 0; k < heights.size(); ++k)
    if (heights[k] > -HUGE_VAL) {
      const std::size_t column = k % columns, row = k / columns;
      cells_.push_back({(u0 + static_cast<double>(column) + 0.5) * cell,
                        (v0 + static_cast<double>(row) + 0.5) * cell, heights[k]});
    }
}

}  // namespace scree::tools
