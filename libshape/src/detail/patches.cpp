// SPDX-License-Identifier: GPL-3.0-or-later
#include "patches.hpp"

#include "base/angles.hpp"
#include "base/elementary.hpp"

#include <algorithm>
#include <cmath>

namespace scree::shape::detail {
Vec3 onArc(const Vec3& a, const Vec3& b, double s) {
  const double angle = angleBetween(a, b);
  if (angle < 1e-9) return (a + s * (b - a)).normalized();
  return ((elementary::sin((1.0 - s) * angle) * a + elementary::sin(s * angle) * b) /
          elementary::sin(angle))
      .normalized();
}

int Patches::segments(double angle) const {
  // An arc of 90 degrees, give or take rounding, gets exactly the requested number.
  return std::max(1, static_cast<int>(std::ceil(std::abs(angle) / step_ - 1e-6)));
}

std::uint32_t Patches::point(const Vec3& centre, const Vec3& normal) {
  surface_.points.push_back(centre + radius_ * normal);
  surface_.normals.push_back(normal);
  return static_cast<std::uint32_t>(surface_.points.size() - 1);
}

void Patches::cell(std::span<const std::uint32_t> ids) {
  Ids corners;
  for (const std::uint32_t id : ids)
    if (corners.empty() || corners.back() != id) corners.push_back(id);
  while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
  if (corners.size() >= 3) surface_.cells.add(corners);
}

void Patches::strip(const Ids& left, const Ids& right) {
  for (std::size_t i = 0; i + 1 < left.size(); ++i)
    cell({left[i], left[i + 1], right[i + 1], right[i]});
}

Ids Patches::arc(const Vec3& centre, std::uint32_t first, std::uint32_t last, int segmentCount) {
  const Vec3 a = normal(first), b = normal(last);
  Ids ids{first};
  for (int k = 1; k < segmentCount; ++k)
    ids.push_back(point(centre, onArc(a, b, static_cast<double>(k) / segmentCount)));
  ids.push_back(last);
  return ids;
}

void Patches::spherePatch(const Vec3& centre, const std::vector<Ids>& arcs) {
  Ids loop;
  bool alike = true;
  for (const Ids& side : arcs) {
    loop.insert(loop.end(), side.begin(), side.end() - 1);
    alike &= side.size() == arcs[0].size();
  }
  if (arcs.size() == 3 && alike) {  // a triangle: rows from corner A to the side BC
    const std::size_t s = arcs[0].size() - 1;
    Ids above{arcs[0][0]};
    for (std::size_t i = 1; i <= s; ++i) {
      Ids row{arcs[0][i]};
      const std::uint32_t end = arcs[2][s - i];
      if (i == s) {
        row = arcs[1];
      } else {
        const Vec3 a = normal(row[0]), b = normal(end);
        for (std::size_t j = 1; j < i; ++j)
          row.push_back(
              point(centre, onArc(a, b, static_cast<double>(j) / static_cast<double>(i))));
        row.push_back(end);
      }
      for (std::size_t j = 0; j < i; ++j) {
        cell({above[j], row[j], row[j + 1]});
        if (j + 1 < i) cell({above[j], row[j + 1], above[j + 1]});
      }
      above = std::move(row);
    }
    return;
  }
  Vec3 sum = Vec3::Zero();
  for (const Ids& side : arcs) sum += normal(side[0]);
  const Vec3 top = sum.normalized();
  double reach = 0.0;
  for (const std::uint32_t id : loop) reach = std::max(reach, angleBetween(top, normal(id)));
  const int rings = loop.size() == arcs.size() ? 1 : segments(reach);
  if (rings == 1) {
    cell(loop);
    return;
  }
  const std::size_t n = loop.size();
  for (int ring = 1; ring <= rings; ++ring) {
    Ids inner;
    if (ring == rings) {
      inner.assign(n, point(centre, top));
    } else {
      // Each ring is a share of what is left, so that every point moves along its own meridian.
      const double share = 1.0 / (rings - ring + 1);
      for (const std::uint32_t id : loop)
        inner.push_back(point(centre, onArc(Vec3(normal(id)), top, share)));
    }
    for (std::size_t k = 0; k < n; ++k)
      cell({loop[k], loop[(k + 1) % n], inner[(k + 1) % n], inner[k]});
    loop = std::move(inner);
  }
}

void Patches::spherePolygon(const Vec3& centre, const std::vector<Vec3>& corners) {
  Ids ids;
  for (const Vec3& n : corners) ids.push_back(point(centre, n));
  std::vector<Ids> arcs;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const std::size_t next = (k + 1) % corners.size();
    arcs.push_back(
        arc(centre, ids[k], ids[next], segments(angleBetween(corners[k], corners[next]))));
  }
  spherePatch(centre, arcs);
}

}  // namespace scree::shape::detail
