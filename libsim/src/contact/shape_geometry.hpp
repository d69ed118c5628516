// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/contact_key.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::sim {

/// Allocator that leaves room for one element behind the last. Lanes load four numbers at once, of
/// which a Vec3 has three.
template <class T>
struct RoomBehind : std::allocator<T> {
  T* allocate(std::size_t n) { return std::allocator<T>::allocate(n + 1); }
  void deallocate(T* p, std::size_t n) { std::allocator<T>::deallocate(p, n + 1); }
};

/// A shape as contact detection sees it: flat arrays in the body frame at homothety 1, made once.
///
/// Each face has its plane and, through each of its sides, a plane normal to it. So a few dot
/// products in the body frame decide whether a point is over a convex face.
struct ShapeGeometry {
  struct Face {
    Vec3 normal = Vec3::Zero();  ///< unit; zero for a face without area, which nothing touches
    double offset = 0.0;         ///< [L] normal·x on the plane
    std::uint32_t first = 0, count = 0;  ///< of its sides in `sides`
    bool convex = true;
    bool plain() const { return convex && count > 0; }  ///< convex, and has area
  };
  struct Side {
    Vec3 normal;           ///< unit, in the plane of the face, pointing out
    double offset;         ///< [L]
    std::uint32_t corner;  ///< vertex where the side begins
  };
  /// Content of a leaf of the tree: each vertex, edge and face of the shape stands in exactly one.
  struct Cell {
    std::uint32_t firstVertex, vertexCount;  ///< in cellVertices
    std::uint32_t firstEdge, edgeCount;      ///< in cellEdges
    std::uint32_t face;                      ///< or noFace
  };
  static constexpr std::uint32_t noFace = UINT32_MAX;

  double radius = 0.0;          ///< [L] of the rounding; of a clump, of its largest ball
  std::vector<double> thinner;  ///< [L] `radius` less that of each ball of a clump; empty:
                                ///< all are equal
  double boundingRadius = 0.0;  ///< [L] farthest vertex from the origin
  bool ball = false;            ///< one vertex, at the origin: nothing to turn
  bool plainFaces = true;       ///< all faces are plain()
  std::vector<Vec3, RoomBehind<Vec3>> vertices;
  std::vector<shape::Edge> edges;
  std::vector<std::uint32_t> faceOfEdge;  ///< face with the edge as a side, in its plane; or noFace
  std::vector<Face> faces;
  std::vector<Side> sides;

  std::vector<Cell> cells;  ///< in the order of the tree: those below a node are consecutive
  std::vector<std::uint32_t> cellVertices, cellEdges;
  double longestEdge = 0.0;  ///< [L]
  shape::AabbTree tree;      ///< over the cells; boxes of the skeleton, without the radius
  shape::Aabb box;           ///< of the skeleton

  std::span<const Side> sidesOf(const Face& f) const { return {sides.data() + f.first, f.count}; }
};

/// @throws ModelError for a shape of more than mostSubElements vertices, edges or faces
ShapeGeometry shapeGeometry(const shape::Shape& shape);

/// Number of sub-elements of the kind that a pairing takes from its first or second body.
std::uint32_t subElementCount(const ShapeGeometry& g, Pairing pairing, bool first);

/// Returns whether a point over the plane of a non-convex face is over the face, by the even-odd
/// rule in the plane, sides half open. @param p  body frame
bool overFaceByParity(const ShapeGeometry& g, const ShapeGeometry::Face& f, const Vec3& p);

}  // namespace scree::sim
