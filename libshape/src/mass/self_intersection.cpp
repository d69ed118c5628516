// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_intersection.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include <algorithm>
#include <cmath>
#include <map>
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

/// @param tests  raised where exact tests are needed, by what they take in tests of two boxes
bool cross(std::span<const Vec3> v, const Triangle& s, const Triangle& t, std::size_t& tests) {
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
  tests += 3;
  const Kernel::Triangle_3 a(point(v[s[0]]), point(v[s[1]]), point(v[s[2]])),
      b(point(v[t[0]]), point(v[t[1]]), point(v[t[2]]));
  if (a.is_degenerate() || b.is_degenerate()) return false;
  if (common == 0) return CGAL::do_intersect(a, b);
  // The part of one triangle opposite to the shared one must keep off the other.
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

constexpr std::uint32_t none = std::uint32_t(-1);
/// A vertex of so many triangles is a hub; at most 32 are, in the order of the vertices.
constexpr std::uint32_t crowd = 1000;
constexpr std::size_t mostHubs = 32;

/// A box of the directions in which `t` is seen from the vertex `hub`, of which it may be a corner.
/// Of two triangles that share no such direction, no point but the hub is common to both.
shape::Aabb directionsFrom(std::span<const Vec3> v, std::uint32_t hub, const Triangle& t) {
  std::array<Vec3, 3> way;
  unsigned n = 0;
  bool atHub = false;
  for (const std::uint32_t k : t) {
    if (k == hub) continue;
    atHub |= v[k] == v[hub];
    way[n++] = (v[k] - v[hub]).stableNormalized();
  }
  shape::Aabb box;
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
  shape::AabbTree tree;
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

Crossing selfIntersects(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                        std::size_t most) {
  std::vector<shape::Aabb> boxes(triangles.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    for (const std::uint32_t v : triangles[k]) boxes[k].add(vertices[v]);
  // How triangles are seen by the tree of a group. Boxes of triangles at one vertex overlap, all
  // of them; of the directions in which it sees them few do.
  const auto seen = [&](std::uint32_t hub, std::uint32_t item) {
    return hub == none ? boxes[item] : directionsFrom(vertices, hub, triangles[item]);
  };
  std::map<std::uint32_t, Group> groups;  // that of no hub is the last
  const std::vector<std::uint32_t> hub = hubsOf(vertices.size(), triangles);
  for (std::uint32_t k = 0; k < triangles.size(); ++k) groups[hub[k]].items.push_back(k);
  for (auto& [v, group] : groups) {
    group.hub = v;
    std::vector<shape::Aabb> all;
    for (const std::uint32_t item : group.items) all.push_back(seen(v, item));
    group.tree = shape::AabbTree(all, 4);
  }

  std::size_t tests = 0;
  bool found = false;
  for (const auto& [v, group] : groups)  // against itself and those after it
    for (const auto& [w, other] : groups) {
      if (w < v) continue;
      for (const std::uint32_t i : other.items)
        if (!found && tests <= most)
          group.tree.forEachNear(seen(v, i),
                                 [&, &items = group.items, own = v == w](std::uint32_t place) {
                                   const std::uint32_t j = items[place];
                                   if (found || tests > most || (own && j <= i)) return;
                                   ++tests;
                                   if (boxes[i].overlaps(boxes[j]))
                                     found = cross(vertices, triangles[i], triangles[j], tests);
                                 });
    }
  return found ? Crossing::yes : tests > most ? Crossing::undecided : Crossing::no;
}

}  // namespace scree::mass::detail
