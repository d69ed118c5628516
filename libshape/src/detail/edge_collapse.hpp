// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/mesh.hpp"

#include <boost/container/small_vector.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// A quadratic function of a point: weighted squared distances to planes, summed.
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

/// A triangle mesh of which edges are collapsed, the cheapest first. Keeps what is closed closed
/// and what is manifold manifold; vertices of edges with more than two triangles stay as they are.
class CollapsingMesh {
 public:
  explicit CollapsingMesh(const SurfaceMesh& mesh);

  std::size_t vertexCount() const { return alive_; }
  /// Vertices as numbered before, unused ones included, and the triangles that are left.
  SurfaceMesh mesh() const;
  /// Collapses at most `most` edges, no two of them near each other.
  /// @param marked  1 for each vertex that is marked, else 0; empty: all edges may go
  /// @param ends    of an edge that must be marked
  /// @returns how many were collapsed
  std::size_t collapse(std::size_t most, std::span<const char> marked = {}, int ends = 0);
  /// Collapses edges one by one, the cheapest at that time, until so many vertices are left or no
  /// edge may collapse. Several times faster than rounds of collapse() where few vertices remain.
  /// @param mean  [L] most distance of a new vertex from the planes of the triangles it stands for,
  ///              root mean square
  void collapseTo(std::size_t vertices, double mean = HUGE_VAL);

 private:
  using Triangle = std::array<std::uint32_t, 3>;
  /// The point that an edge should collapse to, and the cost.
  struct Plan {
    double cost = -1.0;  ///< below 0: the edge must not collapse
    std::uint32_t a = 0, b = 0;
    Vec3 to = Vec3::Zero();
  };

  void addQuadrics();
  Plan planFor(std::uint32_t a, std::uint32_t b) const;
  bool linkAllows(std::uint32_t a, std::uint32_t b) const;
  bool staysUpright(std::uint32_t v, std::uint32_t other, const Vec3& to) const;
  void collapse(const Plan& plan);
  std::size_t edgeTriangles(std::uint32_t a, std::uint32_t b) const;
  using Ring = boost::container::small_vector<std::uint32_t, 32>;
  Ring neighbours(std::uint32_t v) const;  ///< sorted

  std::vector<Vec3> points_;
  std::vector<Triangle> triangles_;
  std::vector<char> gone_, border_, frozen_;
  std::vector<boost::container::small_vector<std::uint32_t, 8>> around_;  ///< triangles at a vertex
  /// Area-weighted planes of the triangles at each vertex, and steep planes along open borders.
  std::vector<Quadric> quadrics_;
  std::size_t alive_ = 0;
};

}  // namespace scree::shape::detail
