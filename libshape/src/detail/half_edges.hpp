// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

/// Faces and what they share: the one place where edges are paired, parts found and faces wound.
namespace scree::shape::detail {

/// A side of a face, with the lower vertex first.
struct HalfEdge {
  std::uint32_t low, high, face;
  bool forward;  ///< runs from low to high
};

/// All sides of all faces but those of no length, sorted by their vertices, then by face.
std::vector<HalfEdge> sortedHalfEdges(const Polygons& faces);

/// Calls f(the half-edges on one edge) for each edge of sorted half-edges.
template <class F>
void forEachEdge(std::span<const HalfEdge> all, F&& f) {
  for (std::size_t begin = 0, end; begin < all.size(); begin = end) {
    end = begin + 1;
    while (end < all.size() && all[end].low == all[begin].low && all[end].high == all[begin].high)
      ++end;
    f(all.subspan(begin, end - begin));
  }
}

/// Sides of the faces of a closed surface, each with the face on its left. The faces must outlive
/// it.
class Sides {
 public:
  explicit Sides(const Polygons& faces);
  /// From, to and face of each side, sorted.
  const std::vector<std::array<std::uint32_t, 3>>& all() const { return list_; }
  /// @throws GeometryError where no face has the side
  std::uint32_t leftOf(std::uint32_t from, std::uint32_t to) const;
  /// Corner of a face before one of its vertices.
  std::uint32_t before(std::uint32_t face, std::uint32_t vertex) const;
  /// Faces at a vertex, counter-clockwise seen from outside, beginning left of the side to its
  /// lowest neighbour; none for a vertex without faces.
  std::vector<std::uint32_t> around(std::uint32_t vertex) const;

 private:
  const Polygons& faces_;
  std::vector<std::array<std::uint32_t, 3>> list_;
};

/// Closed lines that directed edges form, each without a vertex twice. Edges that belong to none
/// are left out. The first line begins at the lowest vertex.
std::vector<std::vector<std::uint32_t>> loopsOf(std::span<const Edge> edges);

/// Disjoint sets of numbers from 0 on; the lowest number stands for its set.
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t of(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Decides which faces to turn so that neighbours run opposite ways along edges of two faces.
/// @param turn  one per face, zero before; each connected part begins with its first face as it is
/// @returns a face at which this fails (a one-sided surface), or nothing
std::optional<std::uint32_t> windAlike(std::span<const HalfEdge> half, std::vector<char>& turn);

/// The faces, those marked in `turn` the other way about, from the same first corner.
Polygons turnedFaces(const Polygons& faces, const std::vector<char>& turn);

/// Finds for each face the first one with the same corners.
std::vector<std::uint32_t> firstAlike(const Polygons& faces);
/// Whether two faces with the same corners run through them the same way.
bool sameWay(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

/// Finds for each vertex the first one in the same place.
std::vector<std::uint32_t> firstEqual(std::span<const Vec3> vertices);

/// The mesh with vertex v of the old one as vertex newIndex[v] of the new one. A corner named twice
/// in a row counts once; faces left with fewer than three corners are dropped.
SurfaceMesh renumbered(std::vector<Vec3> vertices, const Polygons& faces,
                       const std::vector<std::uint32_t>& newIndex);

}  // namespace scree::shape::detail
