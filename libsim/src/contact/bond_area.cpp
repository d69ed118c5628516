// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/bond_geometry.hpp"
#include "detail/polygon_math.hpp"

namespace scree::sim {

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
  const std::vector<std::uint32_t> hull = shape::detail::hull2(flat, 0.0);
  double area = 0.0;
  for (std::size_t k = 2; k < hull.size(); ++k) {
    const Vec2 a = flat[hull[k - 1]] - flat[hull[0]], b = flat[hull[k]] - flat[hull[0]];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  return area;
}

}  // namespace scree::sim
