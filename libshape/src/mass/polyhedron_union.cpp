// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/exact_products.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace scree::mass {
namespace {

struct Plane {
  Vec3 normal = Vec3::Zero();  ///< outward, unit
  double offset = 0.0;
  double above(const Vec3& p) const { return normal.dot(p) - offset; }
  Plane movedBy(const Vec3& shift) const { return {normal, offset + normal.dot(shift)}; }
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

/// Seen from its own place, where a thin one keeps its digits.
struct Solid {
  Vec3 place = Vec3::Zero();
  SolidPiece piece;
  std::vector<Plane> planes;
  shape::Aabb box;
  double reach = 0.0;  ///< of the corners
  double area = 0.0;   ///< of the surface
};

using Products = scree::detail::EdgeProducts;

/// The faces of a tetrahedron or a prism, however thin it is; none without volume.
std::vector<Polygon> facesOf(const Polyhedron& p, std::vector<Vec3>& normals) {
  const std::vector<Vec3>& c = p.corners;
  std::vector<Polygon> faces;
  if (p.prism) {
    const Vec3 n = Products::cross(c[0], c[1], c[2]).stableNormalized();
    if (n == Vec3::Zero() || !(n.dot(c[3] - c[0]) > 0.0)) return faces;
    faces = {{c[0], c[2], c[1]}, {c[3], c[4], c[5]}};
    normals = {-n, n};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      faces.push_back({c[k], c[next], c[next + 3], c[k + 3]});
      normals.push_back((c[next] - c[k]).cross(n).stableNormalized());
    }
    return faces;
  }
  const double volume = Products::triple(c[0], c[1], c[2], c[3]);
  if (volume == 0.0) return faces;
  const std::size_t a = volume > 0.0 ? 0 : 1, b = 1 - a;
  for (const auto& f : {std::array{a, std::size_t{2}, b}, std::array{a, b, std::size_t{3}},
                        std::array{b, std::size_t{2}, std::size_t{3}},
                        std::array{std::size_t{2}, a, std::size_t{3}}}) {
    faces.push_back({c[f[0]], c[f[1]], c[f[2]]});
    normals.push_back(Products::cross(c[f[0]], c[f[1]], c[f[2]]).stableNormalized());
  }
  return faces;
}

std::optional<Solid> solidFrom(const Polyhedron& p) {
  if (!p.place.allFinite() ||
      !std::all_of(p.corners.begin(), p.corners.end(), [](const Vec3& c) { return c.allFinite(); }))
    throw GeometryError("a polyhedron has a corner that is not finite");
  if (p.corners.size() < 4) return std::nullopt;
  Solid solid;
  solid.place = p.place;
  std::vector<Vec3> normals;
  if (p.prism || p.corners.size() == 4) {
    solid.piece.faces = facesOf(p, normals);
  } else {
    const shape::ConvexHull hull = shape::convexHull(p.corners);
    if (hull.rank < 3) return std::nullopt;
    normals = hull.normals;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      Polygon& loop = solid.piece.faces.emplace_back();
      for (const std::uint32_t v : hull.faces[f]) loop.push_back(hull.points[v]);
    }
  }
  if (solid.piece.faces.empty()) return std::nullopt;
  for (std::size_t f = 0; f < normals.size(); ++f) {
    const Polygon& loop = solid.piece.faces[f];
    Plane plane{normals[f], 0.0};
    for (const Vec3& v : loop) {
      plane.offset += plane.normal.dot(v);
      solid.reach = std::max(solid.reach, v.norm());
    }
    plane.offset /= static_cast<double>(loop.size());
    solid.planes.push_back(plane);
    for (std::size_t k = 2; k < loop.size(); ++k)
      solid.area += 0.5 * (loop[k - 1] - loop[0]).cross(loop[k] - loop[0]).stableNorm();
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

enum class Side { inside, outside, apart, both };

/// Cuts a piece along a plane. Corners nearer than `touch` lie on it and belong to both parts.
/// `slack` becomes the largest distance of such a corner, if that is more.
Side split(const SolidPiece& piece, const Plane& plane, double touch, SolidPiece& inside,
           SolidPiece& outside, double& slack) {
  bool in = false, out = false, on = false;
  for (const Polygon& f : piece.faces)
    for (const Vec3& p : f) {
      const double d = plane.above(p);
      in = in || d < -touch;
      out = out || d > touch;
      if (std::fabs(d) <= touch) {
        on = true;
        slack = std::max(slack, std::fabs(d));
      }
    }
  if (!in && !on) return Side::apart;
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

enum class Meeting { none, contact, cut };

/// Adds what of `piece` lies outside of planes to `out`: convex pieces, or the piece as it is.
Meeting subtract(SolidPiece piece, const std::vector<Plane>& planes, double touch, double& slack,
                 std::vector<SolidPiece>& out) {
  const std::size_t first = out.size();
  SolidPiece rest = piece, inside, outside;
  for (const Plane& plane : planes) {
    const Side side = split(rest, plane, touch, inside, outside, slack);
    if (side == Side::outside || side == Side::apart) {  // no shared volume: the piece stays whole
      out.resize(first);
      out.push_back(std::move(piece));
      return side == Side::apart ? Meeting::none : Meeting::contact;
    }
    if (side == Side::both) {
      out.push_back(outside);
      std::swap(rest, inside);
    }
  }
  return Meeting::cut;
}

}  // namespace

PolyhedronUnion polyhedronUnion(std::span<const Polyhedron> polyhedra, const Vec3& origin,
                                int threads, std::size_t limit) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  PolyhedronUnion result;
  std::vector<Solid> bodies;
  std::vector<const Polyhedron*> source;
  std::vector<shape::Aabb> boxes;
  for (const Polyhedron& p : polyhedra)
    if (auto solid = solidFrom(p)) {
      const Vec3 shift = solid->place - origin;
      shape::Aabb box;
      box.add(solid->box.low + shift);
      box.add(solid->box.high + shift);
      boxes.push_back(box.grown(4.0 * epsilon * (shift.norm() + solid->reach)));
      bodies.push_back(std::move(*solid));
      source.push_back(&p);
    } else if (p.alone) {
      result.moments += *p.alone;
      result.unsure += p.alone->m0;
    }
  if (bodies.empty()) return result;
  const shape::AabbTree tree(boxes, 8);
  std::vector<Moments> own(bodies.size());
  std::vector<double> unsure(bodies.size(), 0.0);
  parallelJobs(threads, bodies.size(), [&](std::size_t k) {
    const Solid& body = bodies[k];
    std::vector<std::uint32_t> before;
    tree.forEachNear(boxes[k], [&](std::uint32_t j) {
      if (j < k && boxes[k].overlaps(boxes[j])) before.push_back(j);
    });
    std::sort(before.begin(), before.end());
    bool whole = true;
    std::vector<SolidPiece> pieces{body.piece}, next;
    std::vector<Plane> planes;
    for (const std::uint32_t j : before) {
      const Vec3 shift = bodies[j].place - body.place;
      const double size = body.reach + shift.norm() + bodies[j].reach;
      shape::Aabb box;
      box.add(bodies[j].box.low + shift);
      box.add(bodies[j].box.high + shift);
      box = box.grown(4.0 * epsilon * size);
      planes.clear();
      for (const Plane& p : bodies[j].planes) planes.push_back(p.movedBy(shift));
      double slack = 0.0;
      bool near = false;
      next.clear();
      for (SolidPiece& piece : pieces) {
        if (piece.box().overlaps(box)) {
          double off = 0.0;
          const Meeting meeting = subtract(std::move(piece), planes, 4e-15 * size, off, next);
          if (meeting != Meeting::none) slack = std::max(slack, off);
          near = near || meeting != Meeting::none;
          whole = whole && meeting != Meeting::cut;
        } else {
          next.push_back(std::move(piece));
        }
        if (next.size() > limit)
          throw GeometryError(
              fmt::format("the union of its polyhedra takes more than {} pieces", limit));
      }
      if (near) unsure[k] += (slack + epsilon * size) * std::min(body.area, bodies[j].area);
      std::swap(pieces, next);
    }
    if (whole && source[k]->alone) {
      own[k] = *source[k]->alone;
      return;
    }
    for (const SolidPiece& piece : pieces) own[k] += piece.moments();
    own[k] = own[k].movedBy(body.place - origin);
    unsure[k] += epsilon * body.reach * body.area;
  });
  for (const Moments& m : own) result.moments += m;
  for (const double u : unsure) result.unsure += u;
  return result;
}

Moments polyhedronUnionMoments(std::span<const std::vector<Vec3>> solids, const Vec3& origin,
                               int threads, std::size_t limit) {
  std::vector<Polyhedron> polyhedra;
  for (const std::vector<Vec3>& corners : solids) {
    if (corners.empty()) continue;
    Polyhedron& p = polyhedra.emplace_back();
    p.place = corners.front();
    for (const Vec3& c : corners) p.corners.push_back(c - p.place);
  }
  return polyhedronUnion(polyhedra, origin, threads, limit).moments;
}

}  // namespace scree::mass
