// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace scree::shape::detail {

inline Aabb boxAround(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& p : points) box.add(p);
  return box;
}

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

/// Calls f(a, b, c) for the triangles that stand for a polygon: a triangle itself, else a fan about
/// the mean point, which treats all corners alike where they are not in one plane.
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

/// From the nearest point of a triangle to a point, and the place of that nearest point.
struct TriangleOffset {
  Vec3 off;         ///< [L]
  int corner = -1;  ///< 0 to 2 at a corner
  int edge = -1;    ///< 0 to 2 on the edge from that corner to the next; neither: on the face
};

/// Finds the nearest point by the regions of corners and edges, after C. Ericson, Real-Time
/// Collision Detection, 2005, §5.1.5. Corners may coincide.
inline TriangleOffset fromTriangle(const std::array<Vec3, 3>& t, const Vec3& p) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {ap, 0};
  const Vec3 bp = p - t[1];
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return {bp, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3) return {ap - d1 / (d1 - d3) * ab, -1, 0};
  const Vec3 cp = p - t[2];
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return {cp, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {ap - d2 / (d2 - d6) * ac, -1, 2};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return {bp - (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (t[2] - t[1]), -1, 1};
  const double sum = va + vb + vc;
  return {ap - vb / sum * ab - vc / sum * ac};
}

/// Corners of the hull of points in the plane, counter-clockwise from the leftmost; points within
/// `tolerance` of a line between two others are left out.
inline std::vector<std::uint32_t> hull2(std::span<const Vec2> points, double tolerance) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {},
                    [&](std::uint32_t k) { return std::pair(points[k].x(), points[k].y()); });
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
