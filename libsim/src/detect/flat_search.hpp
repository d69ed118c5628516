// SPDX-License-Identifier: GPL-3.0-or-later
// The search for near sub-elements of two shapes that have few of them: no tree, a slab.
#pragma once

#include "detect/sub_search.hpp"
#include "near_distance.hpp"

#include <algorithm>
#include <array>

namespace scree::sim {

/// Search across a slab: the gap between two bodies along a unit direction n. A sub-element of a
/// can be near b only if its highest point along n is near the lowest of b, and the reverse. What
/// is left on both sides is compared pair by pair. Any n is correct; the wider the gap, the less is
/// left. O(vertices + pairs near the gap). run() returns NearSubElements::gap.
class FlatSearch {
 public:
  /// Whether a shape has so few sub-elements that the slab is faster than a descent of trees.
  static bool suits(const ShapeGeometry& g) {
    return g.vertices.size() + g.edges.size() + g.faces.size() <= most;
  }

  /// Places both bodies in the axes of `a`, with its centre at the origin and in true lengths.
  FlatSearch(const BodyPose& a, const BodyPose& b, double skin, NearSubElements& found)
      : scaleA_(a.scale),
        scaleB_(b.scale),
        reach_(a.radius + b.radius),
        limit_(reach_ + skin),
        found_(found) {
    const double inverse = 1.0 / a.scale;
    turn_ = a.turn.transpose() * b.turn * inverse;
    shift_ = a.turn.transpose() * (b.pos - a.pos) * inverse;
    a_.shape = a.shape;
    b_.shape = b.shape;
    for (std::size_t k = 0; k < a.shape->vertices.size(); ++k)
      a_.at[k] = a.scale * a.shape->vertices[k];
    for (std::size_t k = 0; k < b.shape->vertices.size(); ++k)
      b_.at[k] = shift_ + turn_ * b.shape->vertices[k];
  }

  double run() {
    chooseDirection();
    // Depths count from the slab: below the highest vertex of a, above the lowest of b. `between`
    // is the width of the slab, negative where the bodies overlap along n.
    const auto [lowA, highA] = a_.project(direction_);
    const auto [lowB, highB] = b_.project(direction_);
    const double between = lowB - highA;
    for (std::size_t k = 0; k < a_.shape->vertices.size(); ++k) a_.depth[k] = highA - a_.depth[k];
    for (std::size_t k = 0; k < b_.shape->vertices.size(); ++k) b_.depth[k] -= lowB;
    gap_ = HUGE_VAL;
    if (beyond(between)) return gap_;
    keepNear(a_, between);
    keepNear(b_, between);
    compare(between);
    return gap_;
  }

 private:
  static constexpr std::size_t most = 200;
  struct Body {
    const ShapeGeometry* shape = nullptr;
    std::array<Vec3, most> at;
    std::array<double, most> depth;                          ///< of each vertex behind the slab
    std::array<std::uint32_t, most> vertices, edges, faces;  ///< near the slab
    std::array<double, most> edgeDepth, faceDepth;           ///< parallel to edges, faces
    std::size_t vertexCount = 0, edgeCount = 0, faceCount = 0;

    std::pair<double, double> project(const Vec3& n) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (std::size_t k = 0; k < shape->vertices.size(); ++k) {
        depth[k] = at[k].dot(n);
        low = std::min(low, depth[k]);
        high = std::max(high, depth[k]);
      }
      return {low, high};
    }
  };

  /// Whether a distance is too large to list. If so, it counts in the gap.
  bool beyond(double distance) {
    if (distance <= limit_) return false;
    gap_ = std::min(gap_, distance - reach_);
    return true;
  }
  /// The same for a squared distance: near ones need no root.
  bool beyond2(double distance2) {
    if (distance2 <= limit_ * limit_ * (1.0 - 1e-14)) return false;
    return beyond(std::sqrt(distance2));
  }

  void tryDirection(const Vec3& n) {
    const auto [lowA, highA] = a_.project(n);
    const auto [lowB, highB] = b_.project(n);
    if (lowB - highA > widest_) {
      widest_ = lowB - highA;
      direction_ = n;
    }
    if (lowA - highB > widest_) {
      widest_ = lowA - highB;
      direction_ = -n;
    }
  }
  /// Takes the line of centres, which suits round bodies, or if a shape has few faces the normal
  /// that gives the widest gap, which suits flat and long ones.
  void chooseDirection() {
    constexpr std::size_t fewFaces = 6;
    const double distance = shift_.norm();
    direction_ = distance > 0.0 ? Vec3(shift_ / distance) : Vec3::UnitX();
    const auto &facesA = a_.shape->faces, &facesB = b_.shape->faces;
    if (facesA.size() > fewFaces && facesB.size() > fewFaces) return;
    tryDirection(direction_);
    if (facesA.size() <= fewFaces)
      for (const ShapeGeometry::Face& f : facesA)
        if (f.count > 0) tryDirection(f.normal);
    if (facesB.size() <= fewFaces)
      for (const ShapeGeometry::Face& f : facesB)
        if (f.count > 0) tryDirection(turn_ * f.normal / scaleB_);
  }

  /// Keeps the sub-elements of which a vertex is near the slab.
  void keepNear(Body& body, double between) {
    const ShapeGeometry& g = *body.shape;
    for (std::uint32_t k = 0; k < g.vertices.size(); ++k)
      if (!beyond(between + body.depth[k])) body.vertices[body.vertexCount++] = k;
    for (std::uint32_t k = 0; k < g.edges.size(); ++k) {
      const double depth = std::min(body.depth[g.edges[k][0]], body.depth[g.edges[k][1]]);
      if (between + depth > limit_) continue;  // its vertices count in the gap
      body.edgeDepth[body.edgeCount] = depth;
      body.edges[body.edgeCount++] = k;
    }
    for (std::uint32_t k = 0; k < g.faces.size(); ++k) {
      double depth = HUGE_VAL;
      for (const ShapeGeometry::Side& s : g.sidesOf(g.faces[k]))
        depth = std::min(depth, body.depth[s.corner]);
      if (between + depth > limit_) continue;
      body.faceDepth[body.faceCount] = depth;
      body.faces[body.faceCount++] = k;
    }
  }

  void list(Pairing pairing, bool swapped, std::uint32_t iSub, std::uint32_t jSub) {
    found_.candidates.push_back({iSub, jSub, pairing, swapped, 0.0});
  }

  /// All pairings, in the order of the conf-file.
  void compare(double between) {
    for (std::size_t k = 0; k < a_.vertexCount; ++k) {
      const std::uint32_t v = a_.vertices[k];
      for (std::size_t m = 0; m < b_.vertexCount; ++m) {
        const std::uint32_t w = b_.vertices[m];
        if (!beyond(between + a_.depth[v] + b_.depth[w]) &&
            !beyond2((a_.at[v] - b_.at[w]).squaredNorm()))
          list(Pairing::vertexVertex, false, v, w);
      }
    }
    vertexEdge(a_, b_, false, between);
    vertexFace(a_, b_, false, between, [&](const Vec3& p) {
      return Vec3(turn_.transpose() * (p - shift_) / (scaleB_ * scaleB_));
    });
    for (std::size_t k = 0; k < a_.edgeCount; ++k) {
      const shape::Edge& e = a_.shape->edges[a_.edges[k]];
      const Vec3 begin = a_.at[e[0]], along = a_.at[e[1]] - begin;
      for (std::size_t m = 0; m < b_.edgeCount; ++m) {
        if (beyond(between + a_.edgeDepth[k] + b_.edgeDepth[m])) continue;
        const shape::Edge& f = b_.shape->edges[b_.edges[m]];
        const Vec3 other = b_.at[f[0]];
        if (!beyond2(segmentDistance2(begin - other, along, b_.at[f[1]] - other)))
          list(Pairing::edgeEdge, false, a_.edges[k], b_.edges[m]);
      }
    }
    vertexEdge(b_, a_, true, between);
    vertexFace(b_, a_, true, between, [&](const Vec3& p) { return Vec3(p / scaleA_); });
  }

  void vertexEdge(const Body& i, const Body& j, bool swapped, double between) {
    for (std::size_t k = 0; k < i.vertexCount; ++k) {
      const std::uint32_t v = i.vertices[k];
      for (std::size_t m = 0; m < j.edgeCount; ++m) {
        if (beyond(between + i.depth[v] + j.edgeDepth[m])) continue;
        const shape::Edge& e = j.shape->edges[j.edges[m]];
        if (!beyond2(pointSegmentDistance2(i.at[v] - j.at[e[0]], j.at[e[1]] - j.at[e[0]])))
          list(Pairing::vertexEdge, swapped, v, j.edges[m]);
      }
    }
  }

  template <class ToBodyFrame>
  void vertexFace(const Body& i, const Body& j, bool swapped, double between,
                  ToBodyFrame&& toBodyFrameOfJ) {
    if (j.faceCount == 0) return;
    const double scale = swapped ? scaleA_ : scaleB_;
    for (std::size_t k = 0; k < i.vertexCount; ++k) {
      const std::uint32_t v = i.vertices[k];
      const Vec3 local = toBodyFrameOfJ(i.at[v]);
      for (std::size_t m = 0; m < j.faceCount; ++m)
        if (!beyond(between + i.depth[v] + j.faceDepth[m]) &&
            !beyond(distanceToFace(*j.shape, j.shape->faces[j.faces[m]], local) * scale))
          list(Pairing::vertexFace, swapped, v, j.faces[m]);
    }
  }

  Body a_, b_;
  double scaleA_, scaleB_, reach_, limit_;
  NearSubElements& found_;
  Mat3 turn_;
  Vec3 shift_, direction_;
  double widest_ = -HUGE_VAL, gap_ = HUGE_VAL;
};

}  // namespace scree::sim
