// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/edge_collapse.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>

namespace scree::shape::detail {

Vec3 Quadric::lowest(const Vec3& about) const {
  const double scale = a.trace() / 3.0;
  if (!(scale > 0.0)) return about;
  // The small multiple of the identity keeps the point near `about` in directions that the planes
  // leave open, and hardly moves it in the others.
  const Mat3 regularised = a + 1e-5 * scale * Mat3::Identity();
  return about - regularised.ldlt().solve(a * about + b);
}

CollapsingMesh::CollapsingMesh(const SurfaceMesh& mesh)
    : points_(mesh.vertices),
      border_(points_.size(), 0),
      frozen_(points_.size(), 0),
      around_(points_.size()),
      quadrics_(points_.size()) {
  for (const Triangle& t : trianglesOf(mesh)) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    for (const std::uint32_t v : t)
      around_[v].push_back(static_cast<std::uint32_t>(triangles_.size()));
    triangles_.push_back(t);
  }
  gone_.assign(triangles_.size(), 0);
  for (const auto& list : around_) alive_ += !list.empty();
  addQuadrics();
}

void CollapsingMesh::addQuadrics() {
  for (const Triangle& t : triangles_) {
    const Vec3 &p = points_[t[0]], &q = points_[t[1]], &r = points_[t[2]];
    const Vec3 cross = (q - p).cross(r - p);
    const double area = 0.5 * cross.norm();
    const Vec3 normal = area > 0.0 ? Vec3(cross.normalized()) : Vec3::Zero();
    for (const std::uint32_t v : t) quadrics_[v].addPlane(normal, normal.dot(p), area / 3.0);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      const std::size_t uses = edgeTriangles(a, b);
      if (uses > 2) frozen_[a] = frozen_[b] = 1;
      if (uses != 1) continue;
      border_[a] = border_[b] = 1;
      const Vec3 side = points_[b] - points_[a], across = side.cross(normal).normalized();
      for (const std::uint32_t v : {a, b})
        quadrics_[v].addPlane(across, across.dot(points_[a]), side.squaredNorm());
    }
  }
}

std::size_t CollapsingMesh::edgeTriangles(std::uint32_t a, std::uint32_t b) const {
  std::size_t uses = 0;
  for (const std::uint32_t t : around_[a]) uses += std::ranges::count(triangles_[t], b) > 0;
  return uses;
}

CollapsingMesh::Ring CollapsingMesh::neighbours(std::uint32_t v) const {
  Ring out;
  for (const std::uint32_t t : around_[v])
    for (const std::uint32_t w : triangles_[t])
      if (w != v) out.push_back(w);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool CollapsingMesh::linkAllows(std::uint32_t a, std::uint32_t b) const {
  if (frozen_[a] || frozen_[b]) return false;
  const std::size_t shared = edgeTriangles(a, b);
  if (shared == 0 || shared > 2 || (shared == 2 && border_[a] && border_[b])) return false;
  // Only the third corners of the triangles on their edge may be neighbours of both.
  const Ring na = neighbours(a), nb = neighbours(b);
  Ring common;
  std::set_intersection(na.begin(), na.end(), nb.begin(), nb.end(), std::back_inserter(common));
  if (common.size() != shared) return false;
  if (shared == 1) return na.size() + nb.size() > 4;  // unless it is a single triangle
  // A tetrahedron, or a tip like one, would collapse to two triangles with the same three corners.
  const auto closesAt = [&](std::uint32_t v) {
    return std::ranges::any_of(around_[v], [&](std::uint32_t t) {
      return std::ranges::count(triangles_[t], common[0]) &&
             std::ranges::count(triangles_[t], common[1]);
    });
  };
  return !(closesAt(a) && closesAt(b));
}

bool CollapsingMesh::staysUpright(std::uint32_t v, std::uint32_t other, const Vec3& to) const {
  for (const std::uint32_t t : around_[v]) {
    Triangle corners = triangles_[t];
    if (std::ranges::count(corners, other)) continue;
    std::rotate(corners.begin(), std::ranges::find(corners, v), corners.end());
    const Vec3 &p = points_[corners[1]], &q = points_[corners[2]];
    const Vec3 before = (p - points_[v]).cross(q - points_[v]), after = (p - to).cross(q - to);
    const double longest =
        std::max({(p - to).squaredNorm(), (q - to).squaredNorm(), (p - q).squaredNorm()});
    if (!(after.norm() > 1e-3 * longest)) {
      // The triangle becomes a needle, which is allowed only if it was a worse one before.
      const double longestBefore = std::max(
          {(p - points_[v]).squaredNorm(), (q - points_[v]).squaredNorm(), (p - q).squaredNorm()});
      if (!(after.norm() * longestBefore > before.norm() * longest)) return false;
    }
    if (before.dot(after) < 0.25 * before.norm() * after.norm()) return false;
  }
  return true;
}

CollapsingMesh::Plan CollapsingMesh::planFor(std::uint32_t a, std::uint32_t b) const {
  Plan best{-1.0, a, b, {}};
  if (!linkAllows(a, b)) return best;
  Quadric q = quadrics_[a];
  q += quadrics_[b];
  const Vec3 &pa = points_[a], &pb = points_[b], middle = 0.5 * (pa + pb);
  // Both ends are tried first: unless another place is better, corners of the mesh stay in place.
  std::array<Vec3, 4> places{pa, pb, q.lowest(middle), middle};
  std::size_t count = places.size();
  if (border_[a] != border_[b]) {  // the end on the border keeps its place
    places[0] = border_[a] ? pa : pb;
    count = 1;
  } else if (!((places[2] - middle).norm() <= 2.0 * (pa - pb).norm())) {
    places[2] = middle;
  }
  const double negligible = 1e-9 * q.a.trace() * (pa - pb).squaredNorm();
  for (const Vec3& place : std::span(places).first(count)) {
    const double cost = std::max(q.at(place), 0.0);
    if (best.cost >= 0.0 && !(cost < best.cost - negligible)) continue;
    if (staysUpright(a, b, place) && staysUpright(b, a, place)) best = {cost, a, b, place};
  }
  return best;
}

void CollapsingMesh::collapse(const Plan& plan) {
  const auto& [cost, a, b, to] = plan;
  points_[a] = to;
  border_[a] = static_cast<char>(border_[a] | border_[b]);
  quadrics_[a] += quadrics_[b];
  for (const std::uint32_t t : around_[b]) {
    Triangle& corners = triangles_[t];
    if (std::ranges::count(corners, a)) {
      gone_[t] = 1;
      for (const std::uint32_t v : corners)
        if (v != b) around_[v].erase(std::ranges::find(around_[v], t));
    } else {
      *std::ranges::find(corners, b) = a;
      around_[a].push_back(t);
    }
  }
  std::ranges::sort(around_[a]);
  around_[b].clear();
  --alive_;
}

std::size_t CollapsingMesh::collapse(std::size_t most, std::span<const char> marked, int ends) {
  std::vector<Plan> plans;
  for (std::uint32_t v = 0; v < points_.size(); ++v)
    for (const std::uint32_t w : neighbours(v))
      if (w > v && (marked.empty() || marked[v] + marked[w] >= ends))
        if (const Plan plan = planFor(v, w); plan.cost >= 0.0) plans.push_back(plan);
  std::ranges::sort(plans, {}, [](const Plan& p) { return std::tie(p.cost, p.a, p.b); });
  std::vector<char> changed(points_.size(), 0);
  std::size_t done = 0;
  for (const Plan& plan : plans) {
    if (done == most) break;
    if (changed[plan.a] || changed[plan.b]) continue;
    collapse(plan);
    changed[plan.a] = changed[plan.b] = 1;
    for (const std::uint32_t v : neighbours(plan.a)) changed[v] = 1;
    ++done;
  }
  return done;
}

void CollapsingMesh::collapseTo(std::size_t vertices, double mean) {
  struct Candidate {
    double cost;
    std::uint32_t a, b, changesA, changesB;  ///< as often as both ends had moved
    bool operator<(const Candidate& other) const {
      return std::tie(other.cost, other.a, other.b) < std::tie(cost, a, b);
    }
  };
  std::priority_queue<Candidate> queue;
  std::vector<std::uint32_t> changes(points_.size(), 0);
  // A bound that is cheap: few edges are looked at more closely before they are the cheapest.
  const auto push = [&](std::uint32_t v, std::uint32_t w) {
    Quadric q = quadrics_[v];
    q += quadrics_[w];
    const double cost = std::max(q.at(q.lowest(0.5 * (points_[v] + points_[w]))), 0.0);
    const auto [a, b] = std::minmax(v, w);
    queue.push({cost, a, b, changes[a], changes[b]});
  };
  for (std::uint32_t v = 0; v < points_.size(); ++v)
    for (const std::uint32_t w : neighbours(v))
      if (w > v) push(v, w);
  while (alive_ > vertices && !queue.empty()) {
    Candidate next = queue.top();
    queue.pop();
    if (changes[next.a] != next.changesA || changes[next.b] != next.changesB) continue;
    const Plan plan = planFor(next.a, next.b);
    // Until one of its ends moves. Planes count by area, which is the trace.
    if (plan.cost < 0.0 ||
        plan.cost > mean * mean * (quadrics_[next.a].a + quadrics_[next.b].a).trace())
      continue;
    if (plan.cost > 1.001 * next.cost) {
      next.cost = plan.cost;
      queue.push(next);
      continue;
    }
    collapse(plan);
    ++changes[plan.a];
    ++changes[plan.b];
    for (const std::uint32_t w : neighbours(plan.a)) push(plan.a, w);
  }
}

SurfaceMesh CollapsingMesh::mesh() const {
  SurfaceMesh out{points_, {}};
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    if (!gone_[t]) out.faces.add(triangles_[t]);
  return out;
}

}  // namespace scree::shape::detail

namespace scree::shape {

SurfaceMesh simplified(const SurfaceMesh& given, std::size_t vertices) {
  // The middle of the mesh is moved to the origin, far from which quadrics lose digits.
  const Aabb box = detail::boxAround(given.vertices);
  const Vec3 middle = given.vertices.empty() ? Vec3::Zero() : box.centre();
  SurfaceMesh mesh = withoutLooseVertices(given);
  for (Vec3& v : mesh.vertices) v -= middle;
  detail::CollapsingMesh work(mesh);
  while (work.vertexCount() > vertices) {
    // At most 5 % at a time: costs are then computed again, before dearer edges collapse.
    const std::size_t some = std::max<std::size_t>(work.vertexCount() / 20, 1);
    if (work.collapse(std::min(some, work.vertexCount() - vertices)) == 0)
      throw GeometryError(fmt::format(
          "cannot be simplified to {} vertices without closing holes, joining parts or folding "
          "over; {} vertices are possible",
          vertices, work.vertexCount()));
  }
  mesh = withoutLooseVertices(work.mesh());
  for (Vec3& v : mesh.vertices) v += middle;
  return mesh;
}

}  // namespace scree::shape
