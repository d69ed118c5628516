// SPDX-License-Identifier: GPL-3.0-or-later
#include "edge_collapse.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <map>

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
