// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/edge_collapse.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>

namespace scree::shape::detail {

Vec3 Quadric::lowest(const Vec3& about) const {
  const double scale = a.trace() / 3.0;
  if (!(scale > 0.0)) return about;
  // Enough to decide where the planes do not, too little to shift the point where they do.
  const Mat3 firm = a + 1e-5 * scale * Mat3::Identity();
  return about - firm.ldlt().solve(a * about + b);
}

CollapsingMesh::CollapsingMesh(std::vector<Vec3> points, const std::vector<Triangle>& triangles)
    : points_(std::move(points)),
      border_(points_.size(), 0),
      frozen_(points_.size(), 0),
      around_(points_.size()) {
  for (const Triangle& t : triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    for (const std::uint32_t v : t)
      around_[v].push_back(static_cast<std::uint32_t>(triangles_.size()));
    triangles_.push_back(t);
  }
  goneTriangle_.assign(triangles_.size(), 0);
  for (const auto& list : around_) alive_ += !list.empty();
  for (const Triangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      const std::size_t uses = edgeTriangles(a, b);
      if (uses == 1) border_[a] = border_[b] = 1;
      if (uses > 2) frozen_[a] = frozen_[b] = 1;
    }
}

std::size_t CollapsingMesh::edgeTriangles(std::uint32_t a, std::uint32_t b) const {
  std::size_t uses = 0;
  for (const std::uint32_t t : around_[a]) uses += std::ranges::count(triangles_[t], b) > 0;
  return uses;
}

std::vector<std::uint32_t> CollapsingMesh::neighbours(std::uint32_t v) const {
  std::vector<std::uint32_t> out;
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
  // Nothing may be common to both but the triangles on their edge.
  const std::vector<std::uint32_t> na = neighbours(a), nb = neighbours(b);
  std::vector<std::uint32_t> common;
  std::set_intersection(na.begin(), na.end(), nb.begin(), nb.end(), std::back_inserter(common));
  if (common.size() != shared) return false;
  if (shared == 1) return na.size() + nb.size() > 4;  // not the last triangle
  // Two triangles on the same three corners would be left: a tetrahedron, or an end like one.
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
      // A needle, unless it was a worse one before.
      const double was = std::max(
          {(p - points_[v]).squaredNorm(), (q - points_[v]).squaredNorm(), (p - q).squaredNorm()});
      if (!(after.norm() * was > before.norm() * longest)) return false;
    }
    if (before.dot(after) < 0.25 * before.norm() * after.norm()) return false;
  }
  return true;
}

bool CollapsingMesh::mayCollapse(std::uint32_t a, std::uint32_t b, const Vec3& to) const {
  return linkAllows(a, b) && staysUpright(a, b, to) && staysUpright(b, a, to);
}

void CollapsingMesh::collapse(std::uint32_t a, std::uint32_t b, const Vec3& to) {
  points_[a] = to;
  border_[a] = static_cast<char>(border_[a] | border_[b]);
  for (const std::uint32_t t : around_[b]) {
    Triangle& corners = triangles_[t];
    if (std::ranges::count(corners, a)) {
      goneTriangle_[t] = 1;
      for (const std::uint32_t v : corners)
        if (v != b) std::erase(around_[v], t);
    } else {
      *std::ranges::find(corners, b) = a;
      around_[a].push_back(t);
    }
  }
  std::ranges::sort(around_[a]);
  around_[b].clear();
  --alive_;
}

SurfaceMesh CollapsingMesh::mesh() const {
  SurfaceMesh out;
  out.vertices = points_;
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    if (!goneTriangle_[t]) out.faces.add(triangles_[t]);
  return withoutLooseVertices(out);
}

CollapsePlan planCollapse(const CollapsingMesh& mesh, const std::vector<Quadric>& quadrics,
                          std::uint32_t a, std::uint32_t b) {
  Quadric q = quadrics[a];
  q += quadrics[b];
  const Vec3 &pa = mesh.point(a), &pb = mesh.point(b), middle = 0.5 * (pa + pb);
  // The ends first: where they are as good as any other place, corners stay corners.
  std::array<Vec3, 4> places{pa, pb, q.lowest(middle), middle};
  std::size_t first = 0, last = 4;
  if (mesh.onBorder(a) != mesh.onBorder(b)) {  // a border keeps its place
    first = mesh.onBorder(a) ? 0 : 1;
    last = first + 1;
  } else if (!((places[2] - middle).norm() <= 2.0 * (pa - pb).norm())) {
    places[2] = middle;
  }
  CollapsePlan plan;
  const double nothing = 1e-9 * q.a.trace() * (pa - pb).squaredNorm();
  for (std::size_t k = first; k < last; ++k) {
    const double cost = std::max(q.at(places[k]), 0.0);
    if (plan.possible && !(cost < plan.cost - nothing)) continue;
    if (mesh.mayCollapse(a, b, places[k])) plan = {true, cost, places[k]};
  }
  return plan;
}

std::vector<Quadric> planeQuadrics(const CollapsingMesh& mesh) {
  std::vector<Quadric> quadrics(mesh.size());
  std::map<std::array<std::uint32_t, 2>, int> uses;
  for (std::uint32_t t = 0; t < mesh.triangleSlots(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangle(t)[k], b = mesh.triangle(t)[(k + 1) % 3];
      if (mesh.onBorder(a) && mesh.onBorder(b)) ++uses[{std::min(a, b), std::max(a, b)}];
    }
  for (std::uint32_t t = 0; t < mesh.triangleSlots(); ++t) {
    const auto& corners = mesh.triangle(t);
    const Vec3 &p = mesh.point(corners[0]), &q = mesh.point(corners[1]),
               &r = mesh.point(corners[2]);
    const Vec3 cross = (q - p).cross(r - p);
    const double area = 0.5 * cross.norm();
    if (!(area > 0.0)) continue;
    const Vec3 normal = cross.normalized();
    for (const std::uint32_t v : corners) quadrics[v].addPlane(normal, normal.dot(p), area / 3.0);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
      const auto found = uses.find({std::min(a, b), std::max(a, b)});
      if (found == uses.end() || found->second != 1) continue;
      const Vec3 side = mesh.point(b) - mesh.point(a), across = side.cross(normal).normalized();
      for (const std::uint32_t v : {a, b})
        quadrics[v].addPlane(across, across.dot(mesh.point(a)), side.squaredNorm());
    }
  }
  return quadrics;
}

}  // namespace scree::shape::detail

namespace scree::shape {
namespace {

using detail::CollapsingMesh;
using detail::Quadric;

struct Candidate {
  double cost;
  std::uint32_t a, b;
  std::uint32_t ageA, ageB;  ///< of the two vertices when this was planned
  bool operator>(const Candidate& other) const {
    return cost != other.cost ? cost > other.cost : std::pair(a, b) > std::pair(other.a, other.b);
  }
};

class Simplifier {
 public:
  explicit Simplifier(CollapsingMesh mesh)
      : mesh_(std::move(mesh)), quadrics_(planeQuadrics(mesh_)), age_(mesh_.size(), 0) {}

  void reduceTo(std::size_t vertices) {
    // An edge that could not collapse may do so later, when its surroundings have changed.
    for (std::size_t before = 0; before != mesh_.vertexCount();) {
      before = mesh_.vertexCount();
      if (before <= vertices) return;
      for (std::uint32_t v = 0; v < mesh_.size(); ++v)
        if (mesh_.hasVertex(v)) offerAround(v, true);
      while (!queue_.empty() && mesh_.vertexCount() > vertices) step();
      queue_ = {};
    }
  }

  CollapsingMesh& mesh() { return mesh_; }

 private:
  void offerAround(std::uint32_t v, bool onlyHigher) {
    for (const std::uint32_t w : mesh_.neighbours(v)) {
      if (onlyHigher && w < v) continue;
      const std::uint32_t a = std::min(v, w), b = std::max(v, w);
      const detail::CollapsePlan plan = planCollapse(mesh_, quadrics_, a, b);
      if (plan.possible)
        queue_.push({plan.cost, a, b, age_[a], age_[b]});
      else
        blocked_.insert({a, b});
    }
  }

  /// Edges near a vertex that could not collapse: perhaps they can now.
  void offerBlocked(std::uint32_t v) {
    for (const std::uint32_t w : mesh_.neighbours(v))
      for (const std::uint32_t x : mesh_.neighbours(w)) {
        const std::uint32_t a = std::min(w, x), b = std::max(w, x);
        if (blocked_.erase({a, b}) == 0) continue;
        const detail::CollapsePlan plan = planCollapse(mesh_, quadrics_, a, b);
        if (plan.possible)
          queue_.push({plan.cost, a, b, age_[a], age_[b]});
        else
          blocked_.insert({a, b});
      }
  }

  void step() {
    const Candidate c = queue_.top();
    queue_.pop();
    if (!mesh_.hasVertex(c.a) || !mesh_.hasVertex(c.b) || age_[c.a] != c.ageA ||
        age_[c.b] != c.ageB)
      return;
    // Triangles around may have changed since.
    const detail::CollapsePlan plan = planCollapse(mesh_, quadrics_, c.a, c.b);
    if (!plan.possible) {
      blocked_.insert({c.a, c.b});
      return;
    }
    if (plan.cost > c.cost) {
      queue_.push({plan.cost, c.a, c.b, c.ageA, c.ageB});
      return;
    }
    mesh_.collapse(c.a, c.b, plan.to);
    quadrics_[c.a] += quadrics_[c.b];
    ++age_[c.a];
    offerAround(c.a, false);
    offerBlocked(c.a);
  }

  CollapsingMesh mesh_;
  std::vector<Quadric> quadrics_;
  std::vector<std::uint32_t> age_;
  std::set<Edge> blocked_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

}  // namespace

SurfaceMesh simplified(const SurfaceMesh& mesh, std::size_t vertices) {
  // From the middle, so that quadrics lose no digits far from the origin.
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  SurfaceMesh used = withoutLooseVertices(mesh);
  const Vec3 origin = mesh.vertices.empty() ? Vec3::Zero() : box.centre();
  for (Vec3& v : used.vertices) v -= origin;
  Simplifier simplifier(CollapsingMesh(used.vertices, trianglesOf(used)));
  simplifier.reduceTo(vertices);
  const std::size_t reached = simplifier.mesh().vertexCount();
  if (reached > vertices)
    throw GeometryError(
        fmt::format("cannot be simplified to {} vertices without closing holes, joining parts or "
                    "folding over; {} vertices are possible",
                    vertices, reached));
  SurfaceMesh out = simplifier.mesh().mesh();
  for (Vec3& v : out.vertices) v += origin;
  return out;
}

}  // namespace scree::shape
