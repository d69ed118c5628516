// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/mesh.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// A quadratic function of a point: weighted squared distances to planes and points, summed.
struct Quadric {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0.0;

  /// weight * (normal.x - offset)²
  void addPlane(const Vec3& normal, double offset, double weight) {
    a += weight * normal * normal.transpose();
    b -= weight * offset * normal;
    c += weight * offset * offset;
  }
  Quadric& operator+=(const Quadric& other) {
    a += other.a, b += other.b, c += other.c;
    return *this;
  }
  double at(const Vec3& x) const { return x.dot(a * x) + 2.0 * b.dot(x) + c; }
  /// Point of least value, nearest to `about` in directions that the planes leave open.
  Vec3 lowest(const Vec3& about) const;
};

/// A triangle mesh of which edges can be collapsed, one at a time. Keeps what is closed closed and
/// what is manifold manifold; vertices of edges with more than two triangles stay as they are.
class CollapsingMesh {
 public:
  using Triangle = std::array<std::uint32_t, 3>;
  CollapsingMesh(std::vector<Vec3> points, const std::vector<Triangle>& triangles);

  std::size_t vertexCount() const { return alive_; }
  std::size_t size() const { return points_.size(); }
  const Vec3& point(std::uint32_t v) const { return points_[v]; }
  const Triangle& triangle(std::uint32_t t) const { return triangles_[t]; }
  bool hasTriangle(std::uint32_t t) const { return !goneTriangle_[t]; }
  std::size_t triangleSlots() const { return triangles_.size(); }
  bool hasVertex(std::uint32_t v) const { return !around_[v].empty(); }
  std::span<const std::uint32_t> trianglesAt(std::uint32_t v) const { return around_[v]; }
  std::vector<std::uint32_t> neighbours(std::uint32_t v) const;  ///< sorted
  bool onBorder(std::uint32_t v) const { return border_[v] != 0; }

  /// Whether a and b may become one vertex at `to`. The surface must stay what it is, and no
  /// triangle around may turn by more than about 75 degrees or become a needle.
  bool mayCollapse(std::uint32_t a, std::uint32_t b, const Vec3& to) const;
  /// b becomes a, at `to`.
  void collapse(std::uint32_t a, std::uint32_t b, const Vec3& to);

  /// The remaining mesh, vertices and faces in their old order.
  SurfaceMesh mesh() const;

 private:
  bool linkAllows(std::uint32_t a, std::uint32_t b) const;
  bool staysUpright(std::uint32_t v, std::uint32_t other, const Vec3& to) const;
  std::size_t edgeTriangles(std::uint32_t a, std::uint32_t b) const;

  std::vector<Vec3> points_;
  std::vector<Triangle> triangles_;
  std::vector<char> goneTriangle_, border_, frozen_;
  std::vector<std::vector<std::uint32_t>> around_;  ///< triangles at a vertex
  std::size_t alive_ = 0;
};

/// The point that an edge should collapse to, and the cost.
struct CollapsePlan {
  bool possible = false;
  double cost = 0.0;
  Vec3 to = Vec3::Zero();
};
CollapsePlan planCollapse(const CollapsingMesh& mesh, const std::vector<Quadric>& quadrics,
                          std::uint32_t a, std::uint32_t b);

/// Area-weighted planes of the triangles at each vertex, and steep planes along open borders.
std::vector<Quadric> planeQuadrics(const CollapsingMesh& mesh);

}  // namespace scree::shape::detail
