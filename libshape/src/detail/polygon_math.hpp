// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// Normal times area of a polygon, by Newell's sum, seen from its first corner.
inline Vec3 areaVector(std::span<const Vec3> points, std::span<const std::uint32_t> corners) {
  Vec3 sum = Vec3::Zero();
  const Vec3& o = points[corners[0]];
  for (std::size_t k = 2; k < corners.size(); ++k)
    sum += (points[corners[k - 1]] - o).cross(points[corners[k]] - o);
  return 0.5 * sum;
}

/// Mean of the corners.
inline Vec3 middle(std::span<const Vec3> points, std::span<const std::uint32_t> corners) {
  Vec3 sum = Vec3::Zero();
  for (const std::uint32_t c : corners) sum += points[c];
  return sum / static_cast<double>(corners.size());
}

/// Calls f(a, b, c) for the triangles that stand for a polygon. A triangle stands for itself. For
/// others it is a fan about the mean point, which treats all corners alike where they are not in
/// one plane.
template <class F>
void forEachTriangle(std::span<const Vec3> vertices, std::span<const std::uint32_t> face, F&& f) {
  if (face.size() == 3) {
    f(vertices[face[0]], vertices[face[1]], vertices[face[2]]);
    return;
  }
  const Vec3 m = middle(vertices, face);
  for (std::size_t k = 0; k < face.size(); ++k)
    f(m, vertices[face[k]], vertices[face[(k + 1) % face.size()]]);
}

/// Corners of the hull of points in the plane, counter-clockwise from the leftmost; points within
/// `tolerance` of a line between two others are left out.
inline std::vector<std::uint32_t> hull2(std::span<const Vec2> points, double tolerance) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return points[a].x() != points[b].x() ? points[a].x() < points[b].x()
                                          : points[a].y() < points[b].y();
  });
  std::vector<std::uint32_t> hull;
  const auto sweep = [&](auto begin, auto end) {
    const std::size_t floor = hull.size();
    for (auto at = begin; at != end; ++at) {
      while (hull.size() >= floor + 2) {
        const Vec2& a = points[hull[hull.size() - 2]];
        const Vec2 u = points[*at] - a, v = points[hull.back()] - a;
        // Left of the line a -> next by more than the tolerance? Then it stays below the chain.
        if (u.x() * v.y() - u.y() * v.x() < -tolerance * u.norm()) break;
        hull.pop_back();
      }
      hull.push_back(*at);
    }
    hull.pop_back();
  };
  if (order.size() < 3) return order;
  sweep(order.begin(), order.end());
  sweep(order.rbegin(), order.rend());
  return hull;
}

}  // namespace scree::shape::detail
