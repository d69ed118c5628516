// SPDX-License-Identifier: GPL-3.0-or-later
#include "crossings.hpp"

#include "predicates.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

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

constexpr std::uint32_t none = std::uint32_t(-1);
/// A vertex of so many triangles is a hub; at most 32 are, in the order of the vertices.
constexpr std::uint32_t crowd = 1000;
constexpr std::size_t mostHubs = 32;

/// A box of the directions in which `t` is seen from the vertex `hub`, of which it may be a corner.
/// Of two triangles that share no such direction, no point but the hub is common to both.
Aabb directionsFrom(std::span<const Vec3> v, std::uint32_t hub, const Triangle& t) {
  std::array<Vec3, 3> way;
  unsigned n = 0;
  bool atHub = false;
  for (const std::uint32_t k : t) {
    if (k == hub) continue;
    atHub |= v[k] == v[hub];
    way[n++] = (v[k] - v[hub]).stableNormalized();
  }
  Aabb box;
  double widest = 0.0;
  for (unsigned k = 0; k < n; ++k) {
    box.add(way[k]);
    for (unsigned l = 0; l < k; ++l) widest = std::max(widest, (way[k] - way[l]).squaredNorm());
  }
  // Between corners of the unit sphere no further than d apart, a plane triangle is no more than
  // 1 - sqrt(1 - d²/3) below the sphere. Directions leave the box of the corners by no more than
  // that.
  if (atHub || !(widest < 2.9)) return box.grown(2.0);  // it passes near the hub, or touches it
  return box.grown(1.0 - std::sqrt(1.0 - widest / 3.0) + 1e-12);
}

/// The triangles at one hub, or those at none, and a tree: of directions seen from the hub, or of
/// their boxes.
struct Group {
  std::uint32_t hub = none;
  std::vector<std::uint32_t> items;
  AabbTree tree;
};

/// The hub of each triangle, or none.
std::vector<std::uint32_t> hubsOf(std::size_t vertices, std::span<const Triangle> triangles) {
  std::vector<std::uint32_t> uses(vertices, 0), hubs;
  for (const Triangle& t : triangles)
    for (const std::uint32_t v : t) ++uses[v];
  for (std::uint32_t v = 0; v < vertices && hubs.size() < mostHubs; ++v)
    if (uses[v] >= crowd) hubs.push_back(v);
  std::vector<std::uint32_t> of(triangles.size(), none);
  for (std::size_t k = 0; k < triangles.size(); ++k)
    for (std::uint32_t h = 0; h < hubs.size() && of[k] == none; ++h)
      if (std::find(triangles[k].begin(), triangles[k].end(), hubs[h]) != triangles[k].end())
        of[k] = hubs[h];
  return of;
}

}  // namespace

Crossings crossings(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                    CrossingLimits limits) {
  if (limits.tests == 0) limits.tests = 40'000'000 + 400 * triangles.size();
  std::vector<Aabb> boxes(triangles.size());
  std::vector<char> flat(triangles.size(), 0);
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const Triangle& t = triangles[k];
    for (const std::uint32_t v : t) boxes[k].add(vertices[v]);
    flat[k] = onOneLine(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
  }
  // How triangles are seen by the tree of a group. Boxes of triangles at one vertex overlap, all
  // of them; of the directions in which it sees them few do.
  const auto seen = [&](std::uint32_t hub, std::uint32_t item) {
    return hub == none ? boxes[item] : directionsFrom(vertices, hub, triangles[item]);
  };
  std::map<std::uint32_t, Group> groups;  // that of no hub is the last
  const std::vector<std::uint32_t> hub = hubsOf(vertices.size(), triangles);
  for (std::uint32_t k = 0; k < triangles.size(); ++k)
    if (!flat[k]) groups[hub[k]].items.push_back(k);
  for (auto& [v, group] : groups) {
    group.hub = v;
    std::vector<Aabb> all;
    for (const std::uint32_t item : group.items) all.push_back(seen(v, item));
    group.tree = AabbTree(all, 4);
  }

  Crossings out;
  std::size_t tests = 0;
  for (const auto& [v, group] : groups)  // against itself and those after it
    for (const auto& [w, other] : groups) {
      if (w < v) continue;
      for (const std::uint32_t i : other.items)
        if (out.complete)
          group.tree.forEachNear(seen(v, i), [&, &items = group.items,
                                              own = v == w](std::uint32_t place) {
            const std::uint32_t j = items[place];
            if (!out.complete || (own && j <= i)) return;
            ++tests;
            if (boxes[i].overlaps(boxes[j]) && cross(vertices, triangles[i], triangles[j], tests))
              out.pairs.push_back({std::min(i, j), std::max(i, j)});
            out.complete = tests <= limits.tests && out.pairs.size() <= limits.pairs;
          });
    }
  std::ranges::sort(out.pairs);
  return out;
}

}  // namespace scree::shape::detail
