// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace scree::mass {
namespace {

struct Plane {
  Vec3 normal = Vec3::Zero();  ///< outward, unit
  double offset = 0.0;
  double above(const Vec3& p) const { return normal.dot(p) - offset; }
};

using Polygon = std::vector<Vec3>;

/// A convex solid as its faces, each a loop seen counter-clockwise from outside.
struct SolidPiece {
  std::vector<Polygon> faces;

  shape::Aabb box() const {
    shape::Aabb b;
    for (const Polygon& f : faces)
      for (const Vec3& p : f) b.add(p);
    return b;
  }
  Moments moments() const {
    // Tetrahedra seen from a corner: none is negative.
    const Vec3 o = faces.front().front();
    Moments m;
    for (const Polygon& f : faces) {
      const Vec3 a = f[0] - o;
      for (std::size_t k = 2; k < f.size(); ++k) {
        const Vec3 b = f[k - 1] - o, c = f[k] - o, t = a + b + c;
        const double w = a.dot(b.cross(c)) / 6.0;
        m.m0 += w;
        m.m1 += 0.25 * w * t;
        m.m2 += w / 20.0 *
                (t * t.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
      }
    }
    return m.movedBy(o);
  }
};

struct Solid {
  SolidPiece piece;
  std::vector<Plane> planes;
  shape::Aabb box;
};

std::optional<Solid> solidFrom(const std::vector<Vec3>& corners, const Vec3& origin) {
  std::vector<Vec3> local;
  for (const Vec3& c : corners) {
    if (!c.allFinite()) throw GeometryError("a polyhedron has a corner that is not finite");
    local.push_back(c - origin);
  }
  if (local.size() < 4) return std::nullopt;
  const shape::ConvexHull hull = shape::convexHull(local);
  if (hull.rank < 3) return std::nullopt;
  Solid solid;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    Polygon loop;
    Plane plane{hull.normals[f], 0.0};
    for (const std::uint32_t v : hull.faces[f]) {
      loop.push_back(hull.points[v]);
      plane.offset += plane.normal.dot(hull.points[v]);
    }
    plane.offset /= static_cast<double>(loop.size());
    solid.piece.faces.push_back(std::move(loop));
    solid.planes.push_back(plane);
  }
  solid.box = solid.piece.box();
  return solid;
}

/// Where the edge from a to b meets the plane: the same bits from either end.
Vec3 crossing(const Vec3& a, const Vec3& b, double da, double db) {
  const bool swapped = std::lexicographical_compare(b.begin(), b.end(), a.begin(), a.end());
  const Vec3 &p = swapped ? b : a, &q = swapped ? a : b;
  const double dp = swapped ? db : da, dq = swapped ? da : db;
  return p + dp / (dp - dq) * (q - p);
}

/// The loop of points of a convex face in a plane, seen counter-clockwise against `normal`.
Polygon loopOf(std::vector<Vec3> points, const Vec3& normal) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : points) middle += p;
  middle /= static_cast<double>(points.size());
  Eigen::Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  const Vec3 u = normal.cross(Vec3::Unit(least)).normalized(), v = normal.cross(u);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < points.size(); ++k)
    order.emplace_back(portableAtan2((points[k] - middle).dot(v), (points[k] - middle).dot(u)), k);
  std::sort(order.begin(), order.end());
  Polygon loop;
  for (const auto& [angle, k] : order)
    if (loop.empty() || points[k] != loop.back()) loop.push_back(points[k]);
  return loop;
}

enum class Side { inside, outside, both };

/// Cuts a piece along a plane. Corners nearer than `touch` lie on it and belong to both parts.
Side split(const SolidPiece& piece, const Plane& plane, double touch, SolidPiece& inside,
           SolidPiece& outside) {
  bool in = false, out = false;
  for (const Polygon& f : piece.faces)
    for (const Vec3& p : f) {
      const double d = plane.above(p);
      in = in || d < -touch;
      out = out || d > touch;
    }
  if (!out) return Side::inside;
  if (!in) return Side::outside;
  inside.faces.clear();
  outside.faces.clear();
  std::vector<Vec3> cut;
  for (const Polygon& f : piece.faces) {
    Polygon low, high;
    bool strictLow = false, strictHigh = false;
    for (std::size_t k = 0; k < f.size(); ++k) {
      const Vec3 &a = f[k], &b = f[(k + 1) % f.size()];
      const double da = plane.above(a), db = plane.above(b);
      const bool onA = std::fabs(da) <= touch, onB = std::fabs(db) <= touch;
      if (onA) {
        low.push_back(a);
        high.push_back(a);
        cut.push_back(a);
      } else {
        (da < 0.0 ? low : high).push_back(a);
        (da < 0.0 ? strictLow : strictHigh) = true;
      }
      if (!onA && !onB && (da < 0.0) != (db < 0.0)) {
        const Vec3 p = crossing(a, b, da, db);
        low.push_back(p);
        high.push_back(p);
        cut.push_back(p);
      }
    }
    if (strictLow && low.size() > 2) inside.faces.push_back(std::move(low));
    if (strictHigh && high.size() > 2) outside.faces.push_back(std::move(high));
  }
  if (cut.size() > 2) {
    Polygon loop = loopOf(std::move(cut), plane.normal);
    if (loop.size() > 2) {
      inside.faces.push_back(loop);
      std::reverse(loop.begin(), loop.end());
      outside.faces.push_back(std::move(loop));
    }
  }
  return Side::both;
}

/// Adds what of `piece` lies outside `solid` to `out`: convex pieces, or the piece as it is.
void subtract(SolidPiece piece, const Solid& solid, double touch, std::vector<SolidPiece>& out) {
  const std::size_t first = out.size();
  SolidPiece rest = piece, inside, outside;
  for (const Plane& plane : solid.planes) {
    switch (split(rest, plane, touch, inside, outside)) {
      case Side::inside:
        break;
      case Side::outside:  // they share no volume: the piece stays whole
        out.resize(first);
        out.push_back(std::move(piece));
        return;
      case Side::both:
        out.push_back(outside);
        std::swap(rest, inside);
        break;
    }
  }
}

}  // namespace

Moments polyhedronUnionMoments(std::span<const std::vector<Vec3>> solids, const Vec3& origin,
                               int threads, std::size_t limit) {
  std::vector<Solid> bodies;
  std::vector<shape::Aabb> boxes;
  double size = 0.0;
  for (const std::vector<Vec3>& corners : solids)
    if (auto solid = solidFrom(corners, origin)) {
      for (const Polygon& f : solid->piece.faces)
        for (const Vec3& p : f) size = std::max(size, p.norm());
      boxes.push_back(solid->box);
      bodies.push_back(std::move(*solid));
    }
  Moments sum;
  if (bodies.empty()) return sum;
  const double touch = 4e-15 * size;
  const shape::AabbTree tree(boxes, 8);
  std::vector<Moments> own(bodies.size());
  parallelJobs(threads, bodies.size(), [&](std::size_t k) {
    std::vector<std::uint32_t> before;
    tree.forEachNear(boxes[k], [&](std::uint32_t j) {
      if (j < k && boxes[k].overlaps(boxes[j])) before.push_back(j);
    });
    std::sort(before.begin(), before.end());
    std::vector<SolidPiece> pieces{bodies[k].piece}, next;
    for (const std::uint32_t j : before) {
      next.clear();
      for (SolidPiece& piece : pieces) {
        if (piece.box().overlaps(boxes[j]))
          subtract(std::move(piece), bodies[j], touch, next);
        else
          next.push_back(std::move(piece));
        if (next.size() > limit)
          throw GeometryError(
              fmt::format("the union of its polyhedra takes more than {} pieces", limit));
      }
      std::swap(pieces, next);
    }
    for (const SolidPiece& piece : pieces) own[k] += piece.moments();
  });
  for (const Moments& m : own) sum += m;
  return sum;
}

}  // namespace scree::mass
