// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of bonds: as for contacts, but at any gap, and with edges and faces that have no ends.
#pragma once

#include "contact/kinematics.hpp"
#include "contact/lanes.hpp"
#include "detail/polygon_math.hpp"

#include "scree/sim/model/contact_key.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace scree::sim {

/// Nearest points of sub-element `iSub` of i and `jSub` of j. A bond is glue: it holds where a
/// vertex slides past the end of its edge or the border of its face. So lines and planes continue
/// beyond them.
template <class Number, class Vector>
struct NearestPointsOf {
  Vector foot;              ///< [L] point on i, from the centre of i
  Vector across;            ///< [L] from the point on j to that on i
  Number radiusI, radiusJ;  ///< [L] of the roundings
};
using NearestPoints = NearestPointsOf<double, Vec3>;
/// @param branch  [L] centre of i minus centre of j
/// @param endsOfEdges  for two edges: no farther than their ends
/// @tparam ownRadii  as roundingOf
template <bool ownRadii = true>
NearestPoints nearestPoints(Pairing pairing, const BodyPose& i, const BodyPose& j,
                            const Vec3& branch, std::uint32_t iSub, std::uint32_t jSub,
                            bool endsOfEdges = false) {
  NearestPoints points{};
  auto& [foot, across, radiusI, radiusJ] = points;
  if (pairing == Pairing::edgeEdge) {
    const auto [beginI, alongI] = i.edge(iSub);
    const auto [beginJ, alongJ] = j.edge(jSub);
    const Vec3 w = beginI + branch - beginJ;
    const double a = alongI.dot(w), b = alongJ.dot(w);
    const double c = alongI.squaredNorm(), d = alongJ.squaredNorm(), e = alongI.dot(alongJ);
    const double determinant = c * d - e * e;
    // Parallel edges have the same distance everywhere: the middle of the one of i is taken.
    double s = determinant > 1e-12 * c * d ? (e * b - a * d) / determinant : 0.5;
    if (endsOfEdges) s = std::clamp(s, 0.0, 1.0);
    double t = d > 0.0 ? (b + s * e) / d : 0.0;
    if (endsOfEdges && !(t >= 0.0 && t <= 1.0)) {
      t = std::clamp(t, 0.0, 1.0);
      s = std::clamp((t * e - a) / c, 0.0, 1.0);
    }
    foot = beginI + s * alongI;
    across = w + s * alongI - t * alongJ;
  } else {
    foot = i.arm(i.shape->vertices[iSub]);
    if (pairing == Pairing::vertexVertex) {
      across = foot + branch - j.arm(j.shape->vertices[jSub]);
    } else if (pairing == Pairing::vertexEdge) {
      const auto [begin, along] = j.edge(jSub);
      const Vec3 d = foot + branch - begin;
      const double length2 = along.squaredNorm();
      across = length2 > 0.0 ? Vec3(d - (d.dot(along) / length2) * along) : d;
    } else {
      const ShapeGeometry::Face& face = j.shape->faces[jSub];
      const Vec3 local = j.inBody(foot + branch);
      across = (face.normal.dot(local) - face.offset) * j.arm(face.normal);
    }
  }
  const Rounding rounding = roundingOf<ownRadii>(pairing, i, j, iSub, jSub);
  radiusI = rounding.i;
  radiusJ = rounding.j;
  return points;
}

/// BodyPose::arm and BodyPose::inBody of a point in each lane. Sums run as Eigen's do, which adds
/// x + (y + z) in the last row of a matrix times a vector: the bits are those of one point.
SCREE_INLINE Lane3 armOf(const BodyPose& body, const Lane3& p) {
  const Mat3& m = body.turn;
  return {m(0, 0) * p.x + m(0, 1) * p.y + m(0, 2) * p.z,
          m(1, 0) * p.x + m(1, 1) * p.y + m(1, 2) * p.z,
          m(2, 0) * p.x + (m(2, 1) * p.y + m(2, 2) * p.z)};
}
SCREE_INLINE Lane3 inBodyOf(const BodyPose& body, const Lane3& arm) {
  const Mat3& m = body.turn;
  const Lane scale = 1.0 / (body.scale * body.scale);
  return {(m(0, 0) * arm.x + m(1, 0) * arm.y + m(2, 0) * arm.z) * scale,
          (m(0, 1) * arm.x + m(1, 1) * arm.y + m(2, 1) * arm.z) * scale,
          (m(0, 2) * arm.x + m(1, 2) * arm.y + m(2, 2) * arm.z) * scale};
}
/// Nearest points of several bonds, one a lane. If all are vertex-vertex or all vertex-face (bonds
/// of flat faces), lanes are computed side by side, else one by one.
template <bool ownRadii>
SCREE_INLINE NearestPointsOf<Lane, Lane3> nearestPoints(
    const std::array<Pairing, laneCount>& pairing, const BodyPose& i, const BodyPose& j,
    const Vec3& branch, const std::array<std::uint32_t, laneCount>& iSub,
    const std::array<std::uint32_t, laneCount>& jSub) {
  const auto all = [&](Pairing of) {
    return !ownRadii && std::ranges::all_of(pairing, [of](Pairing p) { return p == of; });
  };
  std::array<Vec3, laneCount> a, b;
  if (all(Pairing::vertexVertex)) {
    for (std::size_t m = 0; m < laneCount; ++m) {
      a[m] = i.shape->vertices[iSub[m]];
      b[m] = j.shape->vertices[jSub[m]];
    }
    const Lane3 foot = armOf(i, gather(a.data()));
    return {foot, foot + Lane3(branch) - armOf(j, gather(b.data())), i.radius, j.radius};
  }
  if (all(Pairing::vertexFace)) {
    LaneNumbers offset;
    for (std::size_t m = 0; m < laneCount; ++m) {
      const ShapeGeometry::Face& face = j.shape->faces[jSub[m]];
      a[m] = i.shape->vertices[iSub[m]];
      b[m] = face.normal;
      offset[m] = face.offset;
    }
    const Lane3 foot = armOf(i, gather(a.data())), normal = gather(b.data());
    const Lane3 local = inBodyOf(j, foot + Lane3(branch));
    return {foot, (normal.dot(local) - loaded(offset)) * armOf(j, normal), i.radius, j.radius};
  }
  LaneNumbers radiusI, radiusJ;
  for (std::size_t m = 0; m < laneCount; ++m) {
    const NearestPoints p = nearestPoints<ownRadii>(pairing[m], i, j, branch, iSub[m], jSub[m]);
    a[m] = p.foot;
    b[m] = p.across;
    radiusI[m] = p.radiusI;
    radiusJ[m] = p.radiusJ;
  }
  return {gather(a.data()), gather(b.data()), loaded(radiusI), loaded(radiusJ)};
}

/// Gap, normal and point of a bond, or of one in each lane.
template <class Number, class Vector>
struct BondTouch {
  Number dn;      ///< [L] gap, of either sign
  Vector n, arm;  ///< unit normal from j to i; [L] point where it acts, from the centre of i
};
/// @param side  normal of the bond so far: bodies pressed together by more than their rounding stay
///              on the side they were on; zero: not known
template <class Number, class Vector>
SCREE_INLINE BondTouch<Number, Vector> bondTouch(const Vector& foot, const Vector& across,
                                                 const Number& radiusI, const Number& radiusJ,
                                                 const Vector& side) {
  const Number distance = across.norm(), none = 0.0;
  const Vector n =
      choose(none < distance, Vector((1.0 / distance) * across), Vector(Vec3(Vec3::Zero())));
  const auto flipped = n.dot(side) < none;
  BondTouch<Number, Vector> touch;
  touch.n = choose(flipped, Vector(-n), n);
  touch.dn = choose(flipped, Number(-distance), distance) - (radiusI + radiusJ);
  touch.arm = foot - (radiusI + 0.5 * touch.dn) * touch.n;
  return touch;
}
/// Touch of two sub-elements as a bond has it; arguments as nearestPoints.
template <bool ownRadii = true>
Touch bondGeometry(Pairing pairing, const BodyPose& i, const BodyPose& j, const Vec3& branch,
                   std::uint32_t iSub, std::uint32_t jSub, bool endsOfEdges = false) {
  const NearestPoints p = nearestPoints<ownRadii>(pairing, i, j, branch, iSub, jSub, endsOfEdges);
  const auto [dn, n, arm] = bondTouch(p.foot, p.across, p.radiusI, p.radiusJ, Vec3(Vec3::Zero()));
  return {dn, n, arm};
}

/// Area of the convex hull of points that lie in a plane or near one, in any order. It is 0 for
/// fewer than three and for points on a line. O(n log n).
inline double bondArea(const std::vector<Vec3>& points) {
  if (points.size() < 3) return 0.0;
  // The plane: through one point, the farthest from it and the farthest from the line of both.
  const Vec3& origin = points[0];
  Vec3 u = Vec3::Zero(), w = Vec3::Zero();
  for (const Vec3& p : points)
    if ((p - origin).squaredNorm() > u.squaredNorm()) u = p - origin;
  if (u.norm() == 0.0) return 0.0;
  u.normalize();
  for (const Vec3& p : points) {
    const Vec3 across = (p - origin) - u.dot(p - origin) * u;
    if (across.squaredNorm() > w.squaredNorm()) w = across;
  }
  if (w.norm() == 0.0) return 0.0;
  w.normalize();
  std::vector<Vec2> flat;
  for (const Vec3& p : points) flat.emplace_back(u.dot(p - origin), w.dot(p - origin));
  const std::vector<std::uint32_t> hull = shape::detail::hull2(flat, 0.0);
  double area = 0.0;
  for (std::size_t k = 2; k < hull.size(); ++k) {
    const Vec2 a = flat[hull[k - 1]] - flat[hull[0]], b = flat[hull[k]] - flat[hull[0]];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  return area;
}

/// `v` carried along with a pair of bodies whose normal turns from `n0` to `n1` (unit vectors), and
/// which turns about its normal by a small `twist` [rad]: first the least rotation that brings n0
/// to n1, then the twist about n1. Keeps lengths to rounding.
template <class Number, class Vector>
SCREE_INLINE Vector transported(const Vector& v, const Vector& n0, const Vector& n1,
                                const Number& twist) {
  const Vector axis = n0.cross(n1), across = axis.cross(v);
  const Number c = n0.dot(n1);
  const Vector turned = v + (across + (1.0 / (1.0 + c)) * axis.cross(across));
  // Almost opposite normals define no rotation: v keeps its direction.
  const Vector w = choose(-0.99 < c, turned, v);
  const Number half = 0.5 * twist, t = half + half * half * half * (1.0 / 3.0);
  const Vector u = n1.cross(w), twisted = u + t * n1.cross(u);
  return w + (2.0 * t / (1.0 + t * t)) * twisted;
}

}  // namespace scree::sim
