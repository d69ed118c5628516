// SPDX-License-Identifier: GPL-3.0-or-later
#include "triangulation.hpp"

#include "polygon_math.hpp"

#include "scree/shape/axes.hpp"

namespace scree::shape::detail {
namespace {

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - b;
  return u.x() * v.y() - u.y() * v.x();
}

bool holds(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& p) {
  return turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
}

}  // namespace

std::vector<Triangle> trianglesOf(std::span<const Vec3> points,
                                  std::span<const std::uint32_t> corners) {
  std::vector<Triangle> fan;
  for (std::size_t k = 2; k < corners.size(); ++k)
    fan.push_back({corners[0], corners[k - 1], corners[k]});
  const Vec3 area = areaVector(points, corners);
  if (corners.size() <= 3 || !(area.norm() > 0.0)) return fan;

  // Seen against its normal, the polygon runs counter-clockwise.
  const Mat3 frame = axesAlong(area.normalized());
  std::vector<Vec2> flat;
  for (const std::uint32_t c : corners) {
    const Vec3 p = points[c] - points[corners[0]];
    flat.emplace_back(p.dot(frame.col(1)), p.dot(frame.col(2)));
  }
  std::vector<std::size_t> left(corners.size());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
  const auto at = [&](std::size_t k) -> const Vec2& { return flat[left[k % left.size()]]; };
  bool convex = true;
  for (std::size_t k = 0; k < left.size(); ++k) convex &= turn(at(k), at(k + 1), at(k + 2)) >= 0.0;
  if (convex) return fan;

  std::vector<Triangle> ears;
  const auto isEar = [&](std::size_t k) {
    const Vec2 &a = at(k), &b = at(k + 1), &c = at(k + 2);
    if (!(turn(a, b, c) > 0.0)) return false;
    for (std::size_t j = k + 3; j < k + left.size(); ++j) {
      const Vec2& p = at(j);
      if (p != a && p != b && p != c && holds(a, b, c, p)) return false;
    }
    return true;
  };
  while (left.size() > 3) {
    std::size_t ear = 0;
    while (ear < left.size() && !isEar(ear)) ++ear;
    if (ear == left.size()) return fan;  // not a simple polygon
    const std::size_t n = left.size(), tip = (ear + 1) % n;
    ears.push_back({corners[left[ear]], corners[left[tip]], corners[left[(ear + 2) % n]]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(tip));
  }
  ears.push_back({corners[left[0]], corners[left[1]], corners[left[2]]});
  return ears;
}

}  // namespace scree::shape::detail
