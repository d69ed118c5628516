// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/polygon_math.hpp"
#include "detail/predicates.hpp"

#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::shape {
namespace {

/// Corners without the coordinate along which the polygon is seen, counter-clockwise. Dropping a
/// coordinate loses no digit, so predicates stay exact.
std::vector<Vec2> flattened(std::span<const Vec3> vertices,
                            std::span<const std::uint32_t> polygon) {
  const Vec3 normal = detail::areaVector(vertices, polygon);
  int along = 0;
  normal.cwiseAbs().maxCoeff(&along);
  int u = (along + 1) % 3, v = (along + 2) % 3;
  if (normal[along] < 0.0) std::swap(u, v);
  std::vector<Vec2> projected;
  projected.reserve(polygon.size());
  for (const std::uint32_t c : polygon) projected.emplace_back(vertices[c][u], vertices[c][v]);
  return projected;
}

bool inTriangle(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  return detail::orientation(a, b, p) >= 0 && detail::orientation(b, c, p) >= 0 &&
         detail::orientation(c, a, p) >= 0;
}

/// Runs back along itself at b?
bool isSpike(const Vec2& a, const Vec2& b, const Vec2& c) {
  return detail::orientation(a, b, c) == 0 && (a - b).dot(c - b) >= 0.0;
}

}  // namespace

void triangulate(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon,
                 std::vector<std::array<std::uint32_t, 3>>& triangles) {
  const std::size_t n = polygon.size();
  if (n < 3) return;
  if (n == 3) {
    triangles.push_back({polygon[0], polygon[1], polygon[2]});
    return;
  }
  const std::vector<Vec2> projected = flattened(vertices, polygon);
  std::vector<std::size_t> next(n), before(n);
  for (std::size_t k = 0; k < n; ++k) next[k] = (k + 1) % n, before[k] = (k + n - 1) % n;
  const auto turn = [&](std::size_t k) {
    return detail::orientation(projected[before[k]], projected[k], projected[next[k]]);
  };
  std::vector<std::size_t> blunt;  // corners that may lie in an ear: those that are not convex
  for (std::size_t k = 0; k < n; ++k)
    if (turn(k) <= 0) blunt.push_back(k);
  std::vector<char> gone(n, 0);
  const auto isEar = [&](std::size_t k) {
    if (turn(k) <= 0) return false;
    const std::size_t a = before[k], c = next[k];
    return std::ranges::none_of(blunt, [&](std::size_t b) {
      return !gone[b] && b != a && b != k && b != c && projected[b] != projected[a] &&
             projected[b] != projected[c] &&
             inTriangle(projected[b], projected[a], projected[k], projected[c]);
    });
  };
  std::size_t left = n, at = 0, tried = 0;
  while (left > 3 && tried <= left) {
    // After a whole round without an ear only corners on a line are left to cut.
    if (isEar(at)) {
      triangles.push_back({polygon[before[at]], polygon[at], polygon[next[at]]});
      gone[at] = 1;
      next[before[at]] = next[at];
      before[next[at]] = before[at];
      at = next[at];
      --left;
      tried = 0;
    }
    at = next[at];
    ++tried;
  }
  for (std::size_t k = next[at]; next[k] != at; k = next[k])
    triangles.push_back({polygon[at], polygon[k], polygon[next[k]]});
}

std::vector<std::array<std::uint32_t, 3>> trianglesOf(const SurfaceMesh& mesh) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangles.reserve(mesh.faces.cornerCount() - 2 * mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    triangulate(mesh.vertices, mesh.faces[f], triangles);
  return triangles;
}

SurfaceMesh triangulated(const SurfaceMesh& mesh) {
  SurfaceMesh out;
  out.vertices = mesh.vertices;
  for (const auto& t : trianglesOf(mesh)) out.faces.add(t);
  return out;
}

bool isSimple(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon) {
  const std::size_t n = polygon.size();
  if (n < 3) return false;
  const std::vector<Vec2> p = flattened(vertices, polygon);
  for (std::size_t k = 0; k < n; ++k)
    if (p[k] == p[(k + 1) % n] || isSpike(p[k], p[(k + 1) % n], p[(k + 2) % n])) return false;
  // Sweep along x: sides whose spans overlap are compared.
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto low = [&](std::size_t k) { return std::min(p[k].x(), p[(k + 1) % n].x()); };
  const auto high = [&](std::size_t k) { return std::max(p[k].x(), p[(k + 1) % n].x()); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return low(a) != low(b) ? low(a) < low(b) : a < b;
  });
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n && low(order[j]) <= high(order[i]); ++j) {
      const std::size_t a = order[i], b = order[j];
      if ((a + 1) % n == b || (b + 1) % n == a) continue;
      if (detail::segmentsMeet(p[a], p[(a + 1) % n], p[b], p[(b + 1) % n])) return false;
    }
  return true;
}

}  // namespace scree::shape
