// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/cgal.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"

#include <boost/functional/hash.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

namespace scree::shape {
namespace detail {

std::vector<HalfEdge> sortedHalfEdges(const Polygons& faces) {
  std::vector<HalfEdge> all;
  all.reserve(faces.cornerCount());
  for (std::uint32_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < faces[f].size(); ++k) {
      const std::uint32_t a = faces[f][k], b = faces[f][(k + 1) % faces[f].size()];
      if (a != b) all.push_back({std::min(a, b), std::max(a, b), f, a < b});
    }
  std::ranges::stable_sort(all, {}, [](const HalfEdge& e) { return std::pair(e.low, e.high); });
  return all;
}

Sides::Sides(const Polygons& faces) : faces_(faces) {
  for (std::uint32_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < faces[f].size(); ++k)
      list_.push_back({faces[f][k], faces[f][(k + 1) % faces[f].size()], f});
  std::ranges::sort(list_);
}

std::uint32_t Sides::leftOf(std::uint32_t from, std::uint32_t to) const {
  const auto found = std::ranges::lower_bound(list_, std::array{from, to, 0u});
  if (found == list_.end() || (*found)[0] != from || (*found)[1] != to)
    throw GeometryError("the convex hull of the vertices is degenerate: its faces do not close");
  return (*found)[2];
}

std::uint32_t Sides::before(std::uint32_t face, std::uint32_t vertex) const {
  const auto corners = faces_[face];
  const auto k = static_cast<std::size_t>(std::ranges::find(corners, vertex) - corners.begin());
  return corners[(k + corners.size() - 1) % corners.size()];
}

std::vector<std::uint32_t> Sides::around(std::uint32_t vertex) const {
  std::vector<std::uint32_t> out;
  const auto first = std::ranges::lower_bound(list_, std::array{vertex, 0u, 0u});
  if (first == list_.end() || (*first)[0] != vertex) return out;
  std::uint32_t f = (*first)[2];
  do {
    out.push_back(f);
    f = leftOf(vertex, before(f, vertex));  // across the side that ends here
  } while (f != out.front() && out.size() <= faces_.size());
  return out;
}

std::vector<std::vector<std::uint32_t>> loopsOf(std::span<const Edge> edges) {
  std::multimap<std::uint32_t, std::uint32_t> next;
  for (const Edge& e : edges) next.emplace(e[0], e[1]);
  std::vector<std::vector<std::uint32_t>> loops;
  while (!next.empty()) {
    std::vector<std::uint32_t> path{next.begin()->first};
    for (auto at = next.begin(); at != next.end(); at = next.find(path.back())) {
      const std::uint32_t to = at->second;
      next.erase(at);
      const auto back = std::ranges::find(path, to);
      if (back == path.end()) {
        path.push_back(to);
        continue;
      }
      loops.emplace_back(back, path.end());
      path.erase(back + 1, path.end());
    }
  }
  return loops;
}

std::optional<std::uint32_t> windAlike(std::span<const HalfEdge> half, std::vector<char>& turn) {
  struct Link {
    std::uint32_t from, to;
    bool sameWay;
    auto operator<=>(const Link&) const = default;
  };
  std::vector<Link> links;
  forEachEdge(half, [&](std::span<const HalfEdge> around) {
    if (around.size() != 2) return;
    const bool same = around[0].forward == around[1].forward;
    links.push_back({around[0].face, around[1].face, same});
    links.push_back({around[1].face, around[0].face, same});
  });
  std::sort(links.begin(), links.end());
  std::vector<char> seen(turn.size(), 0);
  std::vector<std::uint32_t> part;
  for (std::uint32_t seed = 0; seed < turn.size(); ++seed) {
    if (seen[seed]) continue;
    seen[seed] = 1;
    part.assign(1, seed);
    std::size_t other = 0;
    for (std::size_t at = 0; at < part.size(); ++at) {
      const std::uint32_t f = part[at];
      other += turn[f] != 0;
      for (auto link = std::lower_bound(links.begin(), links.end(), Link{f, 0, false});
           link != links.end() && link->from == f; ++link) {
        const char wanted = static_cast<char>(link->sameWay ? !turn[f] : turn[f]);
        if (seen[link->to] && turn[link->to] != wanted) return link->to;
        if (seen[link->to]) continue;
        seen[link->to] = 1;
        turn[link->to] = wanted;
        part.push_back(link->to);
      }
    }
    if (2 * other > part.size())
      for (const std::uint32_t f : part) turn[f] = !turn[f];
  }
  return std::nullopt;
}

Polygons turnedFaces(const Polygons& faces, const std::vector<char>& turn) {
  Polygons out;
  std::vector<std::uint32_t> corners;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    corners.assign(faces[f].begin(), faces[f].end());
    if (turn[f]) std::reverse(corners.begin() + 1, corners.end());
    out.add(corners);
  }
  return out;
}

std::vector<std::uint32_t> firstAlike(const Polygons& faces) {
  std::vector<std::pair<std::vector<std::uint32_t>, std::uint32_t>> sorted;
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    sorted.emplace_back(std::vector<std::uint32_t>(faces[f].begin(), faces[f].end()), f);
    std::sort(sorted.back().first.begin(), sorted.back().first.end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> first(faces.size(), 0);
  for (std::size_t k = 0; k < sorted.size(); ++k)
    first[sorted[k].second] = k > 0 && sorted[k].first == sorted[k - 1].first
                                  ? first[sorted[k - 1].second]
                                  : sorted[k].second;
  return first;
}

bool sameWay(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  const auto k = static_cast<std::size_t>(std::ranges::find(b, a[0]) - b.begin());
  return b[(k + 1) % b.size()] == a[1];
}

std::vector<std::uint32_t> firstEqual(std::span<const Vec3> vertices) {
  using Key = std::array<double, 3>;
  // Looked up only, never walked through.
  std::unordered_map<Key, std::uint32_t, boost::hash<Key>> known;
  known.reserve(vertices.size());
  std::vector<std::uint32_t> first(vertices.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const Vec3& p = vertices[v];
    const Key key{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0};  // one zero for two
    first[v] = known.emplace(key, v).first->second;
  }
  return first;
}

SurfaceMesh renumbered(std::vector<Vec3> vertices, const Polygons& faces,
                       const std::vector<std::uint32_t>& newIndex) {
  SurfaceMesh out{std::move(vertices), {}};
  std::vector<std::uint32_t> corners;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    corners.clear();
    for (const std::uint32_t c : faces[f])
      if (corners.empty() || corners.back() != newIndex[c]) corners.push_back(newIndex[c]);
    while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
    if (corners.size() >= 3) out.faces.add(corners);
  }
  return out;
}

}  // namespace detail

std::vector<Edge> edgesOf(const Polygons& faces) {
  std::vector<Edge> edges;
  for (const detail::HalfEdge& h : detail::sortedHalfEdges(faces))
    if (edges.empty() || edges.back() != Edge{h.low, h.high}) edges.push_back({h.low, h.high});
  return edges;
}

std::vector<Edge> freeEdges(std::span<const Edge> edges, const Polygons& faces) {
  const std::vector<Edge> sides = edgesOf(faces);
  std::vector<Edge> out(edges.begin(), edges.end());
  std::erase_if(out, [&](const Edge& e) {
    return std::ranges::binary_search(sides, Edge{std::min(e[0], e[1]), std::max(e[0], e[1])});
  });
  return out;
}

namespace {

/// Only the vertices that stand for themselves; the others are replaced by one before them.
SurfaceMesh compacted(const SurfaceMesh& mesh, const std::vector<std::uint32_t>& stands) {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> newIndex(stands.size(), 0);
  for (std::uint32_t v = 0; v < stands.size(); ++v) {
    if (stands[v] < v) newIndex[v] = newIndex[stands[v]];
    if (stands[v] != v) continue;
    newIndex[v] = static_cast<std::uint32_t>(vertices.size());
    vertices.push_back(mesh.vertices[v]);
  }
  return detail::renumbered(std::move(vertices), mesh.faces, newIndex);
}

}  // namespace

SurfaceMesh welded(const SurfaceMesh& mesh, double distance) {
  // Sweep along x: only vertices within `distance` in x can be near.
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return mesh.vertices[v].x(); });
  detail::Groups joined(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Vec3 &a = mesh.vertices[order[i]], &b = mesh.vertices[order[j]];
      if (b.x() - a.x() > distance) break;
      if ((b - a).norm() > distance) continue;
      joined.join(order[i], order[j]);
    }
  std::vector<std::uint32_t> stands(order.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) stands[v] = joined.of(v);
  return compacted(mesh, stands);
}

SurfaceMesh withoutLooseVertices(const SurfaceMesh& mesh) {
  std::vector<std::uint32_t> stands(mesh.vertices.size(), UINT32_MAX);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const std::uint32_t c : mesh.faces[f]) stands[c] = c;
  return compacted(mesh, stands);
}
namespace {

/// Corners without the coordinate along which the polygon is seen, counter-clockwise. Dropping a
/// coordinate loses no digit, so predicates stay exact.
std::vector<Vec2> flattened(std::span<const Vec3> vertices,
                            std::span<const std::uint32_t> polygon) {
  const Vec3 normal = detail::areaVector(vertices, polygon);
  int along = 0;
  normal.cwiseAbs().maxCoeff(&along);
  int u = (along + 1) % 3, v = (along + 2) % 3;
  if (normal[along] < 0.0) std::swap(u, v);
  std::vector<Vec2> projected;
  projected.reserve(polygon.size());
  for (const std::uint32_t c : polygon) projected.emplace_back(vertices[c][u], vertices[c][v]);
  return projected;
}

bool inTriangle(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  return detail::orientation(a, b, p) >= 0 && detail::orientation(b, c, p) >= 0 &&
         detail::orientation(c, a, p) >= 0;
}

/// Runs back along itself at b?
bool isSpike(const Vec2& a, const Vec2& b, const Vec2& c) {
  return detail::orientation(a, b, c) == 0 && (a - b).dot(c - b) >= 0.0;
}

}  // namespace

void triangulate(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon,
                 std::vector<std::array<std::uint32_t, 3>>& triangles) {
  const std::size_t n = polygon.size();
  if (n < 3) return;
  if (n == 3) {
    triangles.push_back({polygon[0], polygon[1], polygon[2]});
    return;
  }
  const std::vector<Vec2> projected = flattened(vertices, polygon);
  std::vector<std::size_t> next(n), before(n);
  for (std::size_t k = 0; k < n; ++k) next[k] = (k + 1) % n, before[k] = (k + n - 1) % n;
  const auto turn = [&](std::size_t k) {
    return detail::orientation(projected[before[k]], projected[k], projected[next[k]]);
  };
  std::vector<std::size_t> blunt;  // corners that may lie in an ear: those that are not convex
  for (std::size_t k = 0; k < n; ++k)
    if (turn(k) <= 0) blunt.push_back(k);
  std::vector<char> gone(n, 0);
  const auto isEar = [&](std::size_t k) {
    if (turn(k) <= 0) return false;
    const std::size_t a = before[k], c = next[k];
    return std::ranges::none_of(blunt, [&](std::size_t b) {
      return !gone[b] && b != a && b != k && b != c && projected[b] != projected[a] &&
             projected[b] != projected[c] &&
             inTriangle(projected[b], projected[a], projected[k], projected[c]);
    });
  };
  std::size_t left = n, at = 0, tried = 0;
  while (left > 3 && tried <= left) {
    // After a whole round without an ear only corners on a line are left to cut.
    if (isEar(at)) {
      triangles.push_back({polygon[before[at]], polygon[at], polygon[next[at]]});
      gone[at] = 1;
      next[before[at]] = next[at];
      before[next[at]] = before[at];
      at = next[at];
      --left;
      tried = 0;
    }
    at = next[at];
    ++tried;
  }
  for (std::size_t k = next[at]; next[k] != at; k = next[k])
    triangles.push_back({polygon[at], polygon[k], polygon[next[k]]});
}

std::vector<std::array<std::uint32_t, 3>> trianglesOf(const SurfaceMesh& mesh) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangles.reserve(mesh.faces.cornerCount() - 2 * mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    triangulate(mesh.vertices, mesh.faces[f], triangles);
  return triangles;
}

SurfaceMesh triangulated(const SurfaceMesh& mesh) {
  SurfaceMesh out{mesh.vertices, {}};
  for (const auto& t : trianglesOf(mesh)) out.faces.add(t);
  return out;
}

bool isSimple(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon) {
  const std::size_t n = polygon.size();
  if (n < 3) return false;
  const std::vector<Vec2> p = flattened(vertices, polygon);
  for (std::size_t k = 0; k < n; ++k)
    if (p[k] == p[(k + 1) % n] || isSpike(p[k], p[(k + 1) % n], p[(k + 2) % n])) return false;
  // Sweep along x: sides whose spans overlap are compared.
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto low = [&](std::size_t k) { return std::min(p[k].x(), p[(k + 1) % n].x()); };
  const auto high = [&](std::size_t k) { return std::max(p[k].x(), p[(k + 1) % n].x()); };
  std::ranges::stable_sort(order, {}, low);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n && low(order[j]) <= high(order[i]); ++j) {
      const std::size_t a = order[i], b = order[j];
      if ((a + 1) % n == b || (b + 1) % n == a) continue;
      if (detail::segmentsMeet(p[a], p[(a + 1) % n], p[b], p[(b + 1) % n])) return false;
    }
  return true;
}
namespace {

constexpr double tie = 1e-9;  // components closer than this count as equal, and the index decides

/// +1 or -1: the sign that makes the diagonal entry positive or, where that is next to nothing, the
/// largest component.
double settledSign(const Vec3& axis, int k) {
  if (std::abs(axis[k]) >= tie) return axis[k] < 0.0 ? -1.0 : 1.0;
  int largest = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) > std::abs(axis[largest]) + tie) largest = i;
  return axis[largest] < 0.0 ? -1.0 : 1.0;
}

}  // namespace

SettledAxes closestToFrame(const Mat3& axes) {
  constexpr std::array<std::array<int, 3>, 6> orders{
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  SettledAxes settled;
  double best = -1.0;
  for (const auto& order : orders) {
    double trace = 0.0;
    for (int k = 0; k < 3; ++k) trace += std::abs(axes(k, order[static_cast<std::size_t>(k)]));
    if (trace > best + tie) {
      best = trace;
      settled.source = order;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = axes.col(settled.source[static_cast<std::size_t>(k)]);
    settled.axes.col(k) = settledSign(axis, k) * axis;
  }
  if (settled.axes.determinant() < 0.0) {
    int weakest = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(settled.axes(k, k)) < std::abs(settled.axes(weakest, weakest)) - tie)
        weakest = k;
    settled.axes.col(weakest) *= -1.0;
  }
  return settled;
}

Mat3 axesAlong(const Vec3& direction) {
  int across = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(direction[k]) < std::abs(direction[across]) - tie) across = k;
  Mat3 axes;
  axes.col(0) = direction;
  const Vec3 e = Vec3::Unit(across);
  axes.col(1) = (e - direction.dot(e) * direction).normalized();
  axes.col(2) = direction.cross(axes.col(1));
  return axes;
}

Quat quaternionOf(const Mat3& rotation) {
  Quat q(rotation);  // by the largest component
  q.normalize();
  for (const double c : {q.w(), q.x(), q.y(), q.z()}) {
    if (c == 0.0) continue;
    if (c < 0.0) q.coeffs() *= -1.0;
    break;
  }
  q.coeffs().array() += 0.0;  // no negative zeros in files
  return q;
}

AabbTree::AabbTree(std::span<const Aabb> boxes, std::uint32_t itemsPerLeaf, int threads) {
  if (boxes.empty()) return;
  const std::uint32_t most = std::max(itemsPerLeaf, 1u);
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0u);
  nodes_.reserve(2 * boxes.size() / most + 1);
  nodes_.emplace_back().end = static_cast<std::uint32_t>(boxes.size());
  const auto split = [&](Node& node) {
    const std::span<std::uint32_t> items(items_.data() + node.begin, node.end - node.begin);
    Aabb centres;
    for (const std::uint32_t item : items) {
      node.box.add(boxes[item]);
      centres.add(boxes[item].centre());
    }
    if (items.size() <= most) {
      node.first = node.begin;
      node.count = static_cast<std::uint32_t>(items.size());
      std::ranges::sort(items);
      return;
    }
    int axis = 0;
    centres.halfSize().maxCoeff(&axis);
    std::ranges::nth_element(items, items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2),
                             [&](std::uint32_t a, std::uint32_t b) {
                               const double ca = boxes[a].low[axis] + boxes[a].high[axis];
                               const double cb = boxes[b].low[axis] + boxes[b].high[axis];
                               return ca != cb ? ca < cb : a < b;
                             });
  };
  // Level by level: the nodes of a level have separate items. Halving by the median keeps the depth
  // at log2(n), so the fixed stacks of the queries suffice.
  for (std::size_t level = 0; level < nodes_.size();) {
    const std::size_t end = nodes_.size(), grain = 1024 * (end - level) / boxes.size();
    parallelFor(
        threads, end - level, [&](std::size_t k) { split(nodes_[level + k]); }, grain);
    for (; level < end; ++level) {
      if (nodes_[level].leaf()) continue;
      const std::uint32_t begin = nodes_[level].begin, last = nodes_[level].end,
                          cuts[] = {begin, begin + (last - begin) / 2, last};
      nodes_[level].first = static_cast<std::uint32_t>(nodes_.size());
      for (int k = 0; k < 2; ++k) {
        Node& child = nodes_.emplace_back();
        child.begin = cuts[k];
        child.end = cuts[k + 1];
      }
    }
  }
}

std::vector<std::uint32_t> AabbTree::renumber() {
  std::vector<std::uint32_t> places(items_.size());
  std::iota(places.begin(), places.end(), 0u);
  items_.swap(places);
  return places;
}

}  // namespace scree::shape
