// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_intersection.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include <cmath>
#include <vector>

namespace scree::mass::detail {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangle = std::array<std::uint32_t, 3>;

Kernel::Point_3 point(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// Whether all corners of `t` but those of `shared` are clearly on one side of the plane of `s`.
bool clearOf(std::span<const Vec3> v, const Triangle& s, const Triangle& t,
             const std::array<bool, 3>& shared) {
  const Vec3 n = (v[s[1]] - v[s[0]]).cross(v[s[2]] - v[s[0]]);
  double low = 1e300, high = -1e300, size = 0.0;
  for (unsigned k = 0; k < 3; ++k) {
    if (shared[k]) continue;
    const Vec3 d = v[t[k]] - v[s[0]];
    low = std::min(low, n.dot(d));
    high = std::max(high, n.dot(d));
    size = std::max(size, d.cwiseAbs().maxCoeff());
  }
  const double noise = 1e-13 * n.cwiseAbs().maxCoeff() * size;
  return low > noise || high < -noise;
}

bool cross(std::span<const Vec3> v, const Triangle& s, const Triangle& t) {
  std::array<bool, 3> ofS{}, ofT{};
  int common = 0;
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j)
      if (s[i] == t[j]) {
        ofS[i] = ofT[j] = true;
        ++common;
      }
  if (common == 3) return true;
  if (clearOf(v, s, t, ofT) || clearOf(v, t, s, ofS)) return false;
  const Kernel::Triangle_3 a(point(v[s[0]]), point(v[s[1]]), point(v[s[2]])),
      b(point(v[t[0]]), point(v[t[1]]), point(v[t[2]]));
  if (a.is_degenerate() || b.is_degenerate()) return false;
  if (common == 0) return CGAL::do_intersect(a, b);
  // What is opposite to the shared part of one must keep off the other.
  const auto opposite = [&](const Triangle& own, const std::array<bool, 3>& shared,
                            const Kernel::Triangle_3& other) {
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned l = (k + 1) % 3;
      if (common == 1 && !shared[k] && !shared[l] &&
          CGAL::do_intersect(Kernel::Segment_3(point(v[own[k]]), point(v[own[l]])), other))
        return true;
      if (common == 2 && !shared[k]) {
        if (CGAL::do_intersect(point(v[own[k]]), other)) return true;
        // Folded flat onto each other, with neither corner in the other triangle.
        const Vec3 n = (v[s[1]] - v[s[0]]).cross(v[s[2]] - v[s[0]]);
        const Vec3 m = (v[t[1]] - v[t[0]]).cross(v[t[2]] - v[t[0]]);
        if (CGAL::coplanar(a[0], a[1], a[2], point(v[own[k]])) && n.dot(m) < 0.0) return true;
      }
    }
    return false;
  };
  return opposite(s, ofS, b) || opposite(t, ofT, a);
}

}  // namespace

bool selfIntersects(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  std::vector<shape::Aabb> boxes(triangles.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    for (const std::uint32_t v : triangles[k]) boxes[k].add(vertices[v]);
  const shape::AabbTree tree(boxes, 4);
  bool found = false;
  for (std::uint32_t i = 0; i < triangles.size() && !found; ++i)
    tree.forEachNear(boxes[i], [&](std::uint32_t j) {
      if (found || j <= i || !boxes[i].overlaps(boxes[j])) return;
      found = cross(vertices, triangles[i], triangles[j]);
    });
  return found;
}

}  // namespace scree::mass::detail
