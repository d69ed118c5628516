// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/bond_geometry.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

double turn(const Vec2& o, const Vec2& a, const Vec2& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

/// Lower chain of the hull of points sorted by x, then y. Source: A. M. Andrew, Inf. Proc. Letters
/// 9(5), 216-219, 1979.
std::vector<Vec2> chain(const std::vector<Vec2>& sorted) {
  std::vector<Vec2> hull;
  for (const Vec2& p : sorted) {
    while (hull.size() > 1 && turn(hull[hull.size() - 2], hull.back(), p) <= 0.0) hull.pop_back();
    hull.push_back(p);
  }
  hull.pop_back();
  return hull;
}

}  // namespace

double bondArea(const std::vector<Vec3>& points) {
  if (points.size() < 3) return 0.0;
  // The plane: through one point, the farthest from it and the farthest from the line of both.
  const Vec3& origin = points[0];
  Vec3 u = Vec3::Zero(), w = Vec3::Zero();
  for (const Vec3& p : points)
    if ((p - origin).squaredNorm() > u.squaredNorm()) u = p - origin;
  if (u.norm() == 0.0) return 0.0;
  u.normalize();
  for (const Vec3& p : points) {
    const Vec3 across = (p - origin) - u.dot(p - origin) * u;
    if (across.squaredNorm() > w.squaredNorm()) w = across;
  }
  if (w.norm() == 0.0) return 0.0;
  w.normalize();
  std::vector<Vec2> flat;
  for (const Vec3& p : points) flat.emplace_back(u.dot(p - origin), w.dot(p - origin));
  std::sort(flat.begin(), flat.end(), [](const Vec2& a, const Vec2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  std::vector<Vec2> hull = chain(flat);
  std::reverse(flat.begin(), flat.end());
  const std::vector<Vec2> back = chain(flat);
  hull.insert(hull.end(), back.begin(), back.end());
  double area = 0.0;
  for (std::size_t k = 2; k < hull.size(); ++k) area += 0.5 * turn(hull[0], hull[k - 1], hull[k]);
  return area;
}

}  // namespace scree::sim
