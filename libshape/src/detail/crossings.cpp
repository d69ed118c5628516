// SPDX-License-Identifier: GPL-3.0-or-later
#include "crossings.hpp"

#include "cgal.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <algorithm>

namespace scree::shape::detail {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// Whether the corners of `t` from number `first` on are clearly on one side of the plane of `s`.
bool clearOf(std::span<const Vec3> v, const Triangle& s, const Triangle& t, std::size_t first) {
  const Vec3 n = (v[s[1]] - v[s[0]]).cross(v[s[2]] - v[s[0]]);
  double low = 1e300, high = -1e300, size = 0.0;
  for (std::size_t k = first; k < 3; ++k) {
    const Vec3 d = v[t[k]] - v[s[0]];
    low = std::min(low, n.dot(d));
    high = std::max(high, n.dot(d));
    size = std::max(size, d.cwiseAbs().maxCoeff());
  }
  // The normal of a sliver is uncertain by the square of its longest side.
  const double side = std::max((v[s[1]] - v[s[0]]).cwiseAbs().maxCoeff(),
                               (v[s[2]] - v[s[0]]).cwiseAbs().maxCoeff());
  const double noise = 1e-14 * side * side * size;
  return low > noise || high < -noise;
}

/// Whether two triangles with an area have more in common than the vertices that they share.
/// @param tests  raised where exact tests are needed, by what they take in tests of two boxes
bool cross(std::span<const Vec3> v, Triangle s, Triangle t, std::size_t& tests) {
  // Shared corners come first.
  std::size_t common = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = common; j < 3; ++j)
      if (common <= i && s[i] == t[j]) {
        std::swap(s[i], s[common]);
        std::swap(t[j], t[common]);
        ++common;
        break;
      }
  if (common == 3) return false;  // repeated
  if (clearOf(v, s, t, common) || clearOf(v, t, s, common)) return false;
  tests += 3;
  const std::array<Vec3, 3> a{v[s[0]], v[s[1]], v[s[2]]}, b{v[t[0]], v[t[1]], v[t[2]]};
  if (common == 0) return trianglesMeet(a, b);
  // From a shared corner they meet in a segment, which ends on the far side of one of them.
  if (common == 1) return segmentMeets(a[1], a[2], b) || segmentMeets(b[1], b[2], a);
  // Along a shared side they overlap where they are folded onto each other.
  if (orientation(a[0], a[1], a[2], b[2]) != 0) return false;
  const Vec3 normal = (a[1] - a[0]).cross(a[2] - a[0]);
  int along = 0;
  normal.cwiseAbs().maxCoeff(&along);
  const auto flat = [&](const Vec3& p) { return Vec2(p[(along + 1) % 3], p[(along + 2) % 3]); };
  return orientation(flat(a[0]), flat(a[1]), flat(a[2])) ==
         orientation(flat(b[0]), flat(b[1]), flat(b[2]));
}

}  // namespace

Crossings crossings(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                    std::size_t most) {
  const std::size_t mostTests = 40'000'000 + 400 * triangles.size();
  std::vector<Aabb> boxes(triangles.size());
  std::vector<char> flat(triangles.size(), 0);
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const Triangle& t = triangles[k];
    for (const std::uint32_t v : t) boxes[k].add(vertices[v]);
    flat[k] = onOneLine(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
  }
  const AabbTree tree(boxes, 4);
  Crossings out;
  std::size_t tests = 0;
  for (std::uint32_t i = 0; i < boxes.size() && out.complete; ++i) {
    if (flat[i]) continue;
    tree.forEachNear(boxes[i], [&](std::uint32_t j) {
      if (!out.complete || j <= i || flat[j]) return;
      ++tests;
      if (boxes[i].overlaps(boxes[j]) && cross(vertices, triangles[i], triangles[j], tests))
        out.pairs.push_back({i, j});
      out.complete = tests <= mostTests && out.pairs.size() <= most;
    });
  }
  std::ranges::sort(out.pairs);
  return out;
}

}  // namespace scree::shape::detail
