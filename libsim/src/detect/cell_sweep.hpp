// SPDX-License-Identifier: GPL-3.0-or-later
// The search for sub-elements of a large shape that are near a cell of another shape.
#pragma once

#include "detect/sub_search.hpp"
#include "near_distance.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace scree::sim {

/// Compares cells of one shape with parts of the tree of another. Works in the body frame of the
/// tree at homothety 1, so that only cells have to be transformed.
///
/// The descent ends at nodes of few cells, which are then tested one after the other. A swept cell
/// is bounded by its box, and by the plane of its face and those through its sides. For an oblique
/// face the planes are far sharper.
class CellSweep {
 public:
  /// @param limit  [L] distance of skeletons up to which pairs are listed
  /// @param cellsOfSecond  whether the cells are those of b and the tree that of a
  CellSweep(const BodyPose& cells, const BodyPose& tree, bool cellsOfSecond, double limit,
            NearSubElements& found)
      : c_(*cells.shape),
        s_(*tree.shape),
        ofSecond_(cellsOfSecond),
        scale_(tree.scale),
        ratio_(cells.scale / tree.scale),
        limit_(limit / tree.scale),
        halfEdge_(0.5 * tree.shape->longestEdge),
        found_(found) {
    const Mat3 back = tree.turn.transpose() * (1.0 / (tree.scale * tree.scale));
    turn_ = back * cells.turn;
    shift_ = back * (cells.pos - tree.pos);
  }

  void run(const ShapeGeometry::Cell& cell, std::uint32_t root) {
    place(cell);
    std::uint32_t stack[64];
    int top = 0;
    stack[top++] = root;
    while (top > 0) {
      const shape::AabbTree::Node& node = s_.tree.node(stack[--top]);
      const Vec3 centre = node.box.centre(), half = node.box.halfSize();
      if (far(centre, half)) continue;
      if (node.end - node.begin <= few) {
        compare(node, centre, half);
      } else {
        stack[top++] = node.first + 1;
        stack[top++] = node.first;
      }
    }
  }

  /// [L] Lower bound of the distances of all that was met and not listed.
  double least() const {
    return scale_ * std::min({least_, std::sqrt(least2_), std::sqrt(leastOfMiddle2_) - halfEdge_});
  }

 private:
  static constexpr std::uint32_t few = 16;
  struct Plane {
    Vec3 normal, size;  ///< unit; absolute values
    double offset;
    double bent = 0.0;  ///< [L] largest height of a corner of the face above the plane
  };
  struct Segment {
    Vec3 begin, along;
    double inverse;  ///< 1 / squared length; 0 for a length of 0
    std::uint32_t index;

    double distance2(const Vec3& p) const {
      const Vec3 d = p - begin;
      const double t = std::min(std::max(d.dot(along) * inverse, 0.0), 1.0);
      return (d - t * along).squaredNorm();
    }
  };
  struct Point {
    Vec3 at;
    std::uint32_t index;
  };

  Vec3 placed(std::uint32_t vertex) const { return shift_ + turn_ * c_.vertices[vertex]; }
  void addPlane(const Vec3& normal, const Vec3& through) {
    const Vec3 n = turn_ * normal * (1.0 / ratio_);
    planes_.push_back({n, n.cwiseAbs(), n.dot(through), 0.0});
  }

  void place(const ShapeGeometry::Cell& cell) {
    planes_.clear();
    edges_.clear();
    vertices_.clear();
    shape::Aabb box;
    face_ = cell.face;
    if (face_ != ShapeGeometry::noFace && c_.faces[face_].count == 0) face_ = ShapeGeometry::noFace;
    if (face_ != ShapeGeometry::noFace) {
      const ShapeGeometry::Face& face = c_.faces[face_];
      const auto sides = c_.sidesOf(face);
      addPlane(face.normal, placed(sides[0].corner));
      for (const ShapeGeometry::Side& side : sides) {
        const Vec3 corner = placed(side.corner);
        box.add(corner);
        if (face.convex) addPlane(side.normal, corner);
      }
      if (sides.size() > 3)
        for (const ShapeGeometry::Side& side : sides)
          for (Plane& plane : planes_) {
            const double above = plane.normal.dot(placed(side.corner)) - plane.offset;
            plane.bent = std::max(plane.bent, &plane == planes_.data() ? std::abs(above) : above);
          }
    }
    for (std::uint32_t k = 0; k < cell.vertexCount; ++k) {
      const std::uint32_t v = c_.cellVertices[cell.firstVertex + k];
      vertices_.push_back({placed(v), v});
      box.add(vertices_.back().at);
    }
    for (std::uint32_t k = 0; k < cell.edgeCount; ++k) {
      const std::uint32_t e = c_.cellEdges[cell.firstEdge + k];
      const Vec3 begin = placed(c_.edges[e][0]), end = placed(c_.edges[e][1]), along = end - begin;
      const double length2 = along.squaredNorm();
      edges_.push_back({begin, along, length2 > 0.0 ? 1.0 / length2 : 0.0, e});
      box.add(begin);
      box.add(end);
    }
    centre_ = box.centre();
    half_ = box.halfSize();
  }

  /// Whether a distance is too large to list. If so, it counts in least().
  bool beyond(double distance) {
    if (distance <= limit_) return false;
    least_ = std::min(least_, distance);
    return true;
  }
  bool beyond2(double distance2) {
    if (distance2 <= limit_ * limit_) return false;
    least2_ = std::min(least2_, distance2);
    return true;
  }

  bool far(const Vec3& centre, const Vec3& half) {
    const Vec3 apart = (centre - centre_).cwiseAbs() - half - half_;
    if (apart.maxCoeff() > 0.0 && beyond2(apart.cwiseMax(0.0).squaredNorm())) return true;
    if (planes_.empty()) return false;
    const Plane& plane = planes_.front();
    double gap =
        std::abs(plane.normal.dot(centre) - plane.offset) - plane.size.dot(half) - plane.bent;
    for (const Plane& side : std::span(planes_).subspan(1))
      gap = std::max(gap, side.normal.dot(centre) - side.offset - side.size.dot(half) - side.bent);
    return beyond(gap);
  }

  /// Compares the cell with all that is below a node.
  void compare(const shape::AabbTree::Node& node, const Vec3& centre, const Vec3& half) {
    const ShapeGeometry::Cell &first = s_.cells[node.begin], &last = s_.cells[node.end - 1];
    const std::uint32_t *vertices = s_.cellVertices.data() + first.firstVertex,
                        *vertexEnd = s_.cellVertices.data() + last.firstVertex + last.vertexCount,
                        *edges = s_.cellEdges.data() + first.firstEdge,
                        *edgeEnd = s_.cellEdges.data() + last.firstEdge + last.edgeCount;
    if (face_ != ShapeGeometry::noFace)
      for (const std::uint32_t* v = vertices; v != vertexEnd; ++v)
        if (!beyondFace(s_.vertices[*v])) listVertexOfTree(Pairing::vertexFace, *v, face_);

    const double radius = half.norm();
    for (const Segment& e : edges_) {
      if (beyond(std::sqrt(e.distance2(centre)) - radius)) continue;
      for (const std::uint32_t* v = vertices; v != vertexEnd; ++v)
        if (!beyond2(e.distance2(s_.vertices[*v])))
          listVertexOfTree(Pairing::vertexEdge, *v, e.index);
      const double middleLimit = limit_ + halfEdge_, middleLimit2 = middleLimit * middleLimit;
      for (const std::uint32_t* f = edges; f != edgeEnd; ++f) {
        const Vec3 &from = s_.vertices[s_.edges[*f][0]], &to = s_.vertices[s_.edges[*f][1]];
        const double middle2 = e.distance2(0.5 * (from + to));
        if (middle2 > middleLimit2)
          leastOfMiddle2_ = std::min(leastOfMiddle2_, middle2);
        else if (!beyond2(segmentDistance2(e.begin - from, e.along, to - from)))
          listAlike(Pairing::edgeEdge, e.index, *f);
      }
    }

    for (const Point& p : vertices_) {
      if (beyond2(((p.at - centre).cwiseAbs() - half).cwiseMax(0.0).squaredNorm())) continue;
      for (const std::uint32_t* v = vertices; v != vertexEnd; ++v)
        if (!beyond2((p.at - s_.vertices[*v]).squaredNorm()))
          listAlike(Pairing::vertexVertex, p.index, *v);
      for (const std::uint32_t* f = edges; f != edgeEnd; ++f)
        if (const Vec3& from = s_.vertices[s_.edges[*f][0]];
            !beyond2(pointSegmentDistance2(p.at - from, s_.vertices[s_.edges[*f][1]] - from)))
          listVertexOfCell(Pairing::vertexEdge, p.index, *f);
      for (std::uint32_t k = node.begin; k < node.end; ++k) {
        const std::uint32_t f = s_.cells[k].face;
        if (f != ShapeGeometry::noFace && !beyond(distanceToFace(s_, s_.faces[f], p.at)))
          listVertexOfCell(Pairing::vertexFace, p.index, f);
      }
    }
  }

  /// Whether a vertex of the tree is too far from the face of the cell, as by distanceToFace().
  bool beyondFace(const Vec3& p) {
    const ShapeGeometry::Face& face = c_.faces[face_];
    if (!face.convex)
      return beyond(
          distanceToFace(c_, face, turn_.transpose() * (p - shift_) * (1.0 / (ratio_ * ratio_))) *
          ratio_);
    const double height = planes_.front().normal.dot(p) - planes_.front().offset;
    double outside = 0.0;
    for (std::size_t k = 1; k < planes_.size(); ++k)
      outside = std::max(outside, planes_[k].normal.dot(p) - planes_[k].offset);
    return beyond2(height * height + outside * outside);
  }

  void listAlike(Pairing pairing, std::uint32_t ofCell, std::uint32_t ofTree) {
    found_.keysOf(pairing, false)
        .push_back(ofSecond_ ? NearSubElements::key(ofTree, ofCell)
                             : NearSubElements::key(ofCell, ofTree));
  }
  void listVertexOfTree(Pairing pairing, std::uint32_t vertex, std::uint32_t other) {
    found_.keysOf(pairing, !ofSecond_).push_back(NearSubElements::key(vertex, other));
  }
  void listVertexOfCell(Pairing pairing, std::uint32_t vertex, std::uint32_t other) {
    found_.keysOf(pairing, ofSecond_).push_back(NearSubElements::key(vertex, other));
  }

  const ShapeGeometry &c_, &s_;
  bool ofSecond_;
  double scale_, ratio_, limit_, halfEdge_;
  NearSubElements& found_;
  Mat3 turn_;
  Vec3 shift_;

  // The cell, placed.
  std::uint32_t face_ = ShapeGeometry::noFace;
  std::vector<Plane> planes_;  ///< that of the face, then those through its sides
  std::vector<Segment> edges_;
  std::vector<Point> vertices_;
  Vec3 centre_, half_;

  double least_ = HUGE_VAL, least2_ = HUGE_VAL, leastOfMiddle2_ = HUGE_VAL;
};

}  // namespace scree::sim
