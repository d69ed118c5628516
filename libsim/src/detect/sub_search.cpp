// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/detect/sub_search.hpp"

#include "flat_search.hpp"
#include "near_distance.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

/// Both bodies in the axes of `a`, centre of `a` at the origin, true lengths.
class Descent {
 public:
  Descent(const Placed& a, const Placed& b, double skin, NearSubElements& found)
      : a_(*a.shape),
        b_(*b.shape),
        sizeA_(a.scale),
        reach_(a.radius + b.radius),
        limit_(reach_ + skin),
        found_(found) {
    const double inverse = 1.0 / a.scale;
    turn_ = a.turn.transpose() * b.turn * inverse;  // body frame of b, scaled, in the axes of a
    shift_ = a.turn.transpose() * (b.pos - a.pos) * inverse;
    spread_ = turn_.cwiseAbs();
    scaleB_ = b.scale;
    gap_ = HUGE_VAL;
  }

  double run() {
    if (farApart()) return gap_;
    descend();
    return gap_;
  }

 private:
  using Cell = ShapeGeometry::Cell;

  Vec3 vertexA(std::uint32_t v) const { return sizeA_ * a_.vertices[v]; }
  Vec3 vertexB(std::uint32_t v) const { return shift_ + turn_ * b_.vertices[v]; }

  /// A distance that is too large to list: remembered as what motion has to use up first.
  bool beyond(double distance) {
    if (distance <= limit_) return false;
    gap_ = std::min(gap_, distance - reach_);
    return true;
  }

  /// Where one shape is large (a terrain) and the other well off it, the ball around the small one
  /// gives a wide gap for the price of one descent: flight costs next to nothing.
  bool farApart() {
    constexpr std::size_t large = 64;
    if (std::max(a_.cells.size(), b_.cells.size()) < large) return false;
    const bool aIsLarge = a_.cells.size() >= b_.cells.size();
    const ShapeGeometry& big = aIsLarge ? a_ : b_;
    const double scaleBig = aIsLarge ? sizeA_ : scaleB_;
    const double ball = aIsLarge ? b_.reach * scaleB_ : a_.reach * sizeA_;
    // Centre of the small body in the frame of the large one, at the scale of its vertices.
    const Vec3 centre = aIsLarge ? Vec3(shift_ / sizeA_)
                                 : Vec3(-(turn_.transpose() * shift_) / (scaleB_ * scaleB_));
    const double distance = distanceTo(big, centre) * scaleBig - ball;
    if (distance <= limit_) return false;
    gap_ = distance - reach_;
    return true;
  }

  static double distanceTo(const ShapeGeometry& g, const Vec3& p) {
    double least2 = HUGE_VAL;
    struct Entry {
      double distance2;
      std::uint32_t node;
    };
    const auto toBox = [&](std::uint32_t node) {
      const shape::Aabb& box = g.tree.node(node).box;
      return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
    };
    Entry stack[64];
    int top = 0;
    stack[top++] = {toBox(0), 0};
    while (top > 0) {
      const Entry entry = stack[--top];
      if (entry.distance2 >= least2) continue;
      const auto& node = g.tree.node(entry.node);
      if (node.leaf()) {
        for (const std::uint32_t c : g.tree.items(node))
          least2 = std::min(least2, cellDistance2(g, g.cells[c], p));
        continue;
      }
      Entry left{toBox(node.first), node.first}, right{toBox(node.first + 1), node.first + 1};
      if (left.distance2 < right.distance2) std::swap(left, right);  // the nearer one last, on top
      stack[top++] = left;
      stack[top++] = right;
    }
    return std::sqrt(least2);
  }

  /// A lower bound (exact but for corners of faces) of the distance of a point from a cell.
  static double cellDistance2(const ShapeGeometry& g, const Cell& cell, const Vec3& p) {
    double least2 = HUGE_VAL;
    for (std::uint32_t k = 0; k < cell.vertexCount; ++k)
      least2 =
          std::min(least2, (p - g.vertices[g.cellVertices[cell.firstVertex + k]]).squaredNorm());
    for (std::uint32_t k = 0; k < cell.edgeCount; ++k) {
      const shape::Edge& e = g.edges[g.cellEdges[cell.firstEdge + k]];
      least2 = std::min(least2, segmentDistanceOf2(p, g.vertices[e[0]], g.vertices[e[1]]));
    }
    if (cell.face != ShapeGeometry::noFace) {
      const double d = distanceToFace(g, g.faces[cell.face], p);
      least2 = std::min(least2, d * d);
    }
    return least2;
  }

  void descend() {
    struct Pair {
      std::uint32_t a, b;
    };
    std::vector<Pair> stack{{0, 0}};
    while (!stack.empty()) {
      const Pair pair = stack.back();
      stack.pop_back();
      const auto &nodeA = a_.tree.node(pair.a), &nodeB = b_.tree.node(pair.b);
      const Vec3 centreA = sizeA_ * nodeA.box.centre(), halfA = sizeA_ * nodeA.box.halfSize();
      const Vec3 centreB = shift_ + turn_ * nodeB.box.centre(),
                 halfB = spread_ * nodeB.box.halfSize();
      const Vec3 apart = (centreA - centreB).cwiseAbs() - halfA - halfB;
      if (apart.maxCoeff() > 0.0 && beyond(apart.cwiseMax(0.0).norm())) continue;
      // A box is a poor bound of a large face aslant; its plane and the planes through its sides
      // are a sharp one, and everything in the cell lies between them.
      if (nodeA.leaf() &&
          beyond(fromFace(a_, nodeA, centreB / sizeA_, turn_, nodeB.box.halfSize() / sizeA_) *
                 sizeA_))
        continue;
      if (nodeB.leaf()) {
        const Vec3 centre = turn_.transpose() * (centreA - shift_) / (scaleB_ * scaleB_);
        if (beyond(fromFace(b_, nodeB, centre, turn_.transpose(), halfA / (scaleB_ * scaleB_)) *
                   scaleB_))
          continue;
      }
      if (nodeA.leaf() && nodeB.leaf()) {
        for (const std::uint32_t ca : a_.tree.items(nodeA))
          for (const std::uint32_t cb : b_.tree.items(nodeB)) compare(a_.cells[ca], b_.cells[cb]);
      } else if (nodeB.leaf() || (!nodeA.leaf() && halfA.maxCoeff() >= halfB.maxCoeff())) {
        stack.push_back({nodeA.first + 1, pair.b});
        stack.push_back({nodeA.first, pair.b});
      } else {
        stack.push_back({pair.a, nodeB.first + 1});
        stack.push_back({pair.a, nodeB.first});
      }
    }
  }

  /// Lower bound of the distance of a box from the face of a leaf, in the body frame of the face;
  /// 0 where the leaf has no convex face. @param axes, half  turn the half sides of the box into
  /// the frame: a point of the box is centre + axes * h with |h| <= half
  static double fromFace(const ShapeGeometry& g, const shape::AabbTree::Node& leaf,
                         const Vec3& centre, const Mat3& axes, const Vec3& half) {
    const auto items = g.tree.items(leaf);
    if (items.size() != 1) return 0.0;
    const std::uint32_t f = g.cells[items[0]].face;
    if (f == ShapeGeometry::noFace || !g.faces[f].convex || g.faces[f].count == 0) return 0.0;
    const ShapeGeometry::Face& face = g.faces[f];
    const auto extent = [&](const Vec3& n) { return (axes.transpose() * n).cwiseAbs().dot(half); };
    double gap = std::abs(face.normal.dot(centre) - face.offset) - extent(face.normal);
    for (const ShapeGeometry::Side& s : g.sidesOf(face))
      gap = std::max(gap, s.normal.dot(centre) - s.offset - extent(s.normal));
    return std::max(gap, 0.0);
  }

  void list(Pairing pairing, bool swapped, std::uint32_t iSub, std::uint32_t jSub) {
    found_.candidates.push_back({iSub, jSub, pairing, swapped, 0.0});
  }

  void compare(const Cell& ca, const Cell& cb) {
    for (std::uint32_t k = 0; k < ca.vertexCount; ++k) {
      const std::uint32_t v = a_.cellVertices[ca.firstVertex + k];
      const Vec3 p = vertexA(v);
      for (std::uint32_t m = 0; m < cb.vertexCount; ++m) {
        const std::uint32_t w = b_.cellVertices[cb.firstVertex + m];
        if (!beyond((p - vertexB(w)).norm())) list(Pairing::vertexVertex, false, v, w);
      }
      for (std::uint32_t m = 0; m < cb.edgeCount; ++m) {
        const std::uint32_t e = b_.cellEdges[cb.firstEdge + m];
        if (!beyond(
                std::sqrt(segmentDistanceOf2(p, vertexB(b_.edges[e][0]), vertexB(b_.edges[e][1])))))
          list(Pairing::vertexEdge, false, v, e);
      }
      if (cb.face != ShapeGeometry::noFace) {
        const Vec3 local = turn_.transpose() * (p - shift_) / (scaleB_ * scaleB_);
        if (!beyond(distanceToFace(b_, b_.faces[cb.face], local) * scaleB_))
          list(Pairing::vertexFace, false, v, cb.face);
      }
    }
    for (std::uint32_t m = 0; m < cb.vertexCount; ++m) {
      const std::uint32_t w = b_.cellVertices[cb.firstVertex + m];
      const Vec3 p = vertexB(w);
      for (std::uint32_t k = 0; k < ca.edgeCount; ++k) {
        const std::uint32_t e = a_.cellEdges[ca.firstEdge + k];
        if (!beyond(
                std::sqrt(segmentDistanceOf2(p, vertexA(a_.edges[e][0]), vertexA(a_.edges[e][1])))))
          list(Pairing::vertexEdge, true, w, e);
      }
      if (ca.face != ShapeGeometry::noFace &&
          !beyond(distanceToFace(a_, a_.faces[ca.face], p / sizeA_) * sizeA_))
        list(Pairing::vertexFace, true, w, ca.face);
    }
    for (std::uint32_t k = 0; k < ca.edgeCount; ++k) {
      const std::uint32_t e = a_.cellEdges[ca.firstEdge + k];
      const Vec3 begin = vertexA(a_.edges[e][0]), along = vertexA(a_.edges[e][1]) - begin;
      for (std::uint32_t m = 0; m < cb.edgeCount; ++m) {
        const std::uint32_t f = b_.cellEdges[cb.firstEdge + m];
        const Vec3 other = vertexB(b_.edges[f][0]);
        if (!beyond(
                std::sqrt(segmentDistance2(begin - other, along, vertexB(b_.edges[f][1]) - other))))
          list(Pairing::edgeEdge, false, e, f);
      }
    }
  }

  const ShapeGeometry &a_, &b_;
  double sizeA_, scaleB_ = 1.0, reach_, limit_;
  NearSubElements& found_;
  Mat3 turn_, spread_;
  Vec3 shift_;
  double gap_;
};

}  // namespace

void findNearBy(SearchWay way, const Placed& a, const Placed& b, double skin,
                NearSubElements& found) {
  found.candidates.clear();
  if (way == SearchWay::slab) {
    found.gap = FlatSearch(a, b, skin, found).run();
    return;
  }
  found.gap = Descent(a, b, skin, found).run();
  std::sort(found.candidates.begin(), found.candidates.end(),
            [](const Candidate& x, const Candidate& y) { return x.order() < y.order(); });
}

SearchWay searchWay(const ShapeGeometry& a, const ShapeGeometry& b) {
  return FlatSearch::suits(a) && FlatSearch::suits(b) ? SearchWay::slab : SearchWay::trees;
}

void findNear(const Placed& a, const Placed& b, double skin, NearSubElements& found) {
  findNearBy(searchWay(*a.shape, *b.shape), a, b, skin, found);
}

}  // namespace scree::sim
