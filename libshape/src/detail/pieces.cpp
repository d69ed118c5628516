// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "base/elementary.hpp"
#include "polygon_math.hpp"

#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::shape::detail {
namespace {

/// Directions that have no positive part along any of `blocked`, as convex spherical polygons.
std::vector<std::vector<Vec3>> freeDirections(const std::vector<Vec3>& blocked) {
  std::vector<std::vector<Vec3>> out;
  for (int octant = 0; octant < 8; ++octant) {
    const double sx = octant & 1 ? -1.0 : 1.0, sy = octant & 2 ? -1.0 : 1.0,
                 sz = octant & 4 ? -1.0 : 1.0;
    std::vector<Vec3> corners{Vec3(sx, 0, 0), Vec3(0, sy, 0), Vec3(0, 0, sz)};
    if (sx * sy * sz < 0.0) std::swap(corners[1], corners[2]);
    for (const Vec3& d : blocked) {
      std::vector<Vec3> kept;
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
        const double sa = a.dot(d), sb = b.dot(d);
        if (sa <= 1e-12) kept.push_back(a);
        if ((sa > 1e-12) != (sb > 1e-12) && std::abs(sa) > 1e-12 && std::abs(sb) > 1e-12)
          kept.push_back((std::abs(sb) * a + std::abs(sa) * b).normalized());
      }
      corners = std::move(kept);
      if (corners.size() < 3) break;
    }
    Vec3 area = Vec3::Zero();
    for (std::size_t k = 2; k < corners.size(); ++k)
      area += (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]);
    if (corners.size() >= 3 && area.norm() > 1e-9) out.push_back(std::move(corners));
  }
  return out;
}

class PieceDrawer {
 public:
  PieceDrawer(Patches& out, const Shape& shape, const Core& core)
      : out_(out), shape_(shape), faces_(core.faces), closed_(core.closed) {}

  void draw() {
    drawFaces();
    collectEdges();
    for (const auto& [edge, faces] : edges_) drawEdge(edge, faces);
    for (std::uint32_t v = 0; v < shape_.vertices.size(); ++v) {
      out_.setRadius(shape_.radiusAt(v));
      drawVertex(v);
    }
  }

 private:
  void drawFaces() {
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const Vec3 area = areaVector(shape_.vertices, faces_[f]);
      normals_.push_back(area.norm() > 0.0 ? Vec3(area.normalized()) : Vec3(Vec3::Zero()));
      if (normals_.back().isZero()) continue;
      Ids ids;
      for (const std::uint32_t v : faces_[f])
        ids.push_back(out_.point(shape_.vertices[v], normals_.back()));
      out_.cell(ids);
      if (closed_) continue;
      ids.clear();
      for (const std::uint32_t v : faces_[f])
        ids.push_back(out_.point(shape_.vertices[v], -normals_.back()));
      std::reverse(ids.begin(), ids.end());
      out_.cell(ids);
    }
  }

  void collectEdges() {
    const auto at = [&](std::uint32_t a, std::uint32_t b) -> std::vector<std::uint32_t>& {
      return edges_[{std::min(a, b), std::max(a, b)}];
    };
    for (const Edge& e : shape_.edges)
      if (shape_.vertices[e[0]] != shape_.vertices[e[1]]) at(e[0], e[1]);
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < faces_[f].size(); ++k) {
        const std::uint32_t a = faces_[f][k], b = faces_[f][(k + 1) % faces_[f].size()];
        if (shape_.vertices[a] != shape_.vertices[b] && !normals_[f].isZero())
          at(a, b).push_back(f);
      }
    arms_.resize(shape_.vertices.size());
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0, n = faces_[f].size(); n > 3 && k < n; ++k) {
        // At a reflex corner of a polygon the face reaches beyond what its edges span.
        const std::uint32_t v = faces_[f][k];
        const Vec3 in = shape_.vertices[v] - shape_.vertices[faces_[f][(k + n - 1) % n]];
        const Vec3 out = shape_.vertices[faces_[f][(k + 1) % n]] - shape_.vertices[v];
        if (in.cross(out).dot(normals_[f]) < 0.0)
          arms_[v].push_back({(in.normalized() - out.normalized()).normalized(), false});
      }
  }

  void drawEdge(const Edge& edge, const std::vector<std::uint32_t>& faces) {
    const Vec3 &p = shape_.vertices[edge[0]], &q = shape_.vertices[edge[1]];
    const Vec3 t = (q - p).normalized();
    if (closed_ && faces.empty()) return;  // an edge that no face has: inside, or a whisker
    const auto noteArms = [&](bool ridge) {
      arms_[edge[0]].push_back({t, ridge});
      arms_[edge[1]].push_back({-t, ridge});
    };
    const Mat3 frame = axesAlong(t);
    // Half circles of directions that look away from each face, cut with each other.
    double centre = 0.0, low = -pi, high = pi;
    Vec3 outward = Vec3::Zero();
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const std::uint32_t f = faces[k];
      Vec3 inFace = normals_[f].cross(t);
      if (!runsForward(f, edge)) inFace = -inFace;
      outward += normals_[f];
      const double angle = elementary::atan2(-inFace.dot(frame.col(2)), -inFace.dot(frame.col(1)));
      if (k == 0) {
        centre = angle;
        low = -0.5 * pi;
        high = 0.5 * pi;
      } else {
        const double off = std::remainder(angle - centre, 2.0 * pi);
        low = std::max(low, off - 0.5 * pi);
        high = std::min(high, off + 0.5 * pi);
      }
    }
    if (high - low < 1e-6) return noteArms(false);
    const auto direction = [&](double angle) {
      return Vec3(elementary::cos(centre + angle) * frame.col(1) +
                  elementary::sin(centre + angle) * frame.col(2));
    };
    const bool hidden = closed_ && direction(0.5 * (low + high)).dot(outward) <= 0.0;  // reflex
    noteArms(!hidden);
    if (hidden) return;
    const int s = out_.segments(high - low);
    const bool whole = high - low > 2.0 * pi - 1e-9;
    Ids atP, atQ;
    for (int k = 0; k <= s; ++k) {
      if (whole && k == s) {
        atP.push_back(atP[0]);
        atQ.push_back(atQ[0]);
        break;
      }
      const Vec3 n = direction(low + (high - low) * k / s);
      atP.push_back(out_.point(p, n));
      atQ.push_back(out_.point(q, n));
    }
    // Angles run counter-clockwise about t: where that is downwards, q's row is on the right.
    out_.strip(atP, atQ);
  }

  void drawVertex(std::uint32_t v) {
    std::vector<Vec3> directions;
    for (const Arm& arm : arms_[v]) directions.push_back(arm.direction);
    for (const auto& corners : freeDirections(directions))
      if (!closed_ || looksOut(v, corners)) out_.spherePolygon(shape_.vertices[v], corners);
  }

  /// Of a closed mesh: whether a patch that looks away from all edges at v looks out of the solid.
  /// The solid lies on the side of the edges unless their outermost one is reflex: then v is a pit.
  bool looksOut(std::uint32_t v, const std::vector<Vec3>& corners) const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& c : corners) sum += c;
    const Vec3 up = sum.normalized(), sideways = axesAlong(up).col(1);
    bool ridge = false;
    double outermost = -1e300;
    for (const Arm& arm : arms_[v]) {
      const double reach = arm.direction.dot(sideways) / std::max(-arm.direction.dot(up), 1e-9);
      if (reach > outermost) {
        outermost = reach;
        ridge = arm.ridge;
      }
    }
    return ridge;
  }

  bool runsForward(std::uint32_t f, const Edge& edge) const {
    const auto corners = faces_[f];
    for (std::size_t k = 0; k < corners.size(); ++k)
      if (corners[k] == edge[0] && corners[(k + 1) % corners.size()] == edge[1]) return true;
    return false;
  }

  Patches& out_;
  const Shape& shape_;
  const Polygons& faces_;
  bool closed_;
  std::vector<Vec3> normals_;
  std::map<Edge, std::vector<std::uint32_t>> edges_;
  struct Arm {
    Vec3 direction;
    bool ridge;  ///< an edge that shows
  };
  std::vector<std::vector<Arm>> arms_;  ///< what leaves each vertex
};

}  // namespace

void drawPieces(Patches& out, const Shape& shape, const Core& core) {
  PieceDrawer(out, shape, core).draw();
}

}  // namespace scree::shape::detail
