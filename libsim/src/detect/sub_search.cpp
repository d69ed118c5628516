// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/sub_search.hpp"

#include "cell_sweep.hpp"
#include "flat_search.hpp"
#include "near_distance.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

/// Both bodies in the axes of `a`, centre of `a` at the origin, true lengths.
class Descent {
 public:
  Descent(const BodyPose& a, const BodyPose& b, double skin, NearSubElements& found)
      : a_(*a.shape),
        b_(*b.shape),
        sizeA_(a.scale),
        reach_(a.radius + b.radius),
        limit_(reach_ + skin),
        cellsOfA_(a, b, false, limit_, found),
        cellsOfB_(b, a, true, limit_, found) {
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

  /// A distance that is too large to list: remembered as what motion has to use up first.
  bool beyond(double distance) {
    if (distance <= limit_) return false;
    gap_ = std::min(gap_, distance - reach_);
    return true;
  }

  /// Where one shape is large (a terrain) and the other far from it, the ball around the small one
  /// gives a wide gap. This costs one descent, so flight costs next to nothing.
  bool farApart() {
    constexpr std::size_t large = 64;
    if (std::max(a_.cells.size(), b_.cells.size()) < large) return false;
    const bool aIsLarge = a_.cells.size() >= b_.cells.size();
    const ShapeGeometry& big = aIsLarge ? a_ : b_;
    const double scaleBig = aIsLarge ? sizeA_ : scaleB_;
    const double ball = aIsLarge ? b_.boundingRadius * scaleB_ : a_.boundingRadius * sizeA_;
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
      least2 = std::min(
          least2, pointSegmentDistance2(p - g.vertices[e[0]], g.vertices[e[1]] - g.vertices[e[0]]));
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
    Pair stack[128];  // halving by the median: neither tree is deeper than 32
    int top = 0;
    stack[top++] = {0, 0};
    while (top > 0) {
      const Pair pair = stack[--top];
      const auto &nodeA = a_.tree.node(pair.a), &nodeB = b_.tree.node(pair.b);
      const Vec3 centreA = sizeA_ * nodeA.box.centre(), halfA = sizeA_ * nodeA.box.halfSize();
      const Vec3 centreB = shift_ + turn_ * nodeB.box.centre(),
                 halfB = spread_ * nodeB.box.halfSize();
      const Vec3 apart = (centreA - centreB).cwiseAbs() - halfA - halfB;
      if (apart.maxCoeff() > 0.0 && beyond(apart.cwiseMax(0.0).norm())) continue;
      if (nodeA.leaf()) {
        for (const std::uint32_t c : a_.tree.items(nodeA)) cellsOfA_.run(a_.cells[c], pair.b);
      } else if (nodeB.leaf()) {
        for (const std::uint32_t c : b_.tree.items(nodeB)) cellsOfB_.run(b_.cells[c], pair.a);
      } else if (halfA.maxCoeff() >= halfB.maxCoeff()) {
        stack[top++] = {nodeA.first + 1, pair.b};
        stack[top++] = {nodeA.first, pair.b};
      } else {
        stack[top++] = {pair.a, nodeB.first + 1};
        stack[top++] = {pair.a, nodeB.first};
      }
    }
    gap_ = std::min(gap_, std::min(cellsOfA_.least(), cellsOfB_.least()) - reach_);
  }

  const ShapeGeometry &a_, &b_;
  double sizeA_, scaleB_ = 1.0, reach_, limit_;
  CellSweep cellsOfA_, cellsOfB_;
  Mat3 turn_, spread_;
  Vec3 shift_;
  double gap_;
};

}  // namespace

void NearSubElements::sortKeys() {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::sort(keys[k].begin(), keys[k].end());
    for (const std::uint64_t key : keys[k])
      candidates.push_back({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key),
                            static_cast<Pairing>(k % 4), k >= 4, 0.0});
    keys[k].clear();
  }
}

void findNearBy(SearchWay way, const BodyPose& a, const BodyPose& b, double skin,
                NearSubElements& found) {
  found.candidates.clear();
  if (way == SearchWay::slab) {
    found.gap = FlatSearch(a, b, skin, found).run();
    return;
  }
  found.gap = std::max(Descent(a, b, skin, found).run(), skin);
  found.sortKeys();
}

SearchWay searchWay(const ShapeGeometry& a, const ShapeGeometry& b) {
  return FlatSearch::suits(a) && FlatSearch::suits(b) ? SearchWay::slab : SearchWay::trees;
}

void findNear(const BodyPose& a, const BodyPose& b, double skin, NearSubElements& found) {
  findNearBy(searchWay(*a.shape, *b.shape), a, b, skin, found);
}

}  // namespace scree::sim
