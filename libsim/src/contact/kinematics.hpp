// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the four pairings of sub-elements: pure functions, no force, no history.
#pragma once

#include "contact/lanes.hpp"
#include "contact/shape_geometry.hpp"
#include "model/contacts.hpp"

#include "scree/sim/model/images.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

/// A body where it stands, with all that its contacts read; written once a step.
struct BodyPose {
  Vec3 pos = Vec3::Zero();
  Mat3 turn = Mat3::Identity();  ///< homothety times rotation: body frame -> global, about `pos`
  Vec3 vel = Vec3::Zero(), spin = Vec3::Zero();
  double scale = 1.0;   ///< homothety
  double radius = 0.0;  ///< [L] of the rounding, homothety included
  const ShapeGeometry* shape = nullptr;

  /// [L] of the ball at a vertex: a clump has one for each.
  double radiusAt(std::uint32_t vertex) const {
    return shape->thinner.empty() ? radius : radius - scale * shape->thinner[vertex];
  }
  /// A point of the body frame, relative to `pos`, global axes.
  Vec3 arm(const Vec3& p) const { return turn * p; }
  struct Edge {
    Vec3 begin, along;  ///< [L] relative to `pos`; from there to its end; global axes
  };
  /// An edge of the shape where it stands.
  SCREE_INLINE Edge edge(std::uint32_t k) const {
    const auto [from, to] = shape->edges[k];
    const Vec3 begin = arm(shape->vertices[from]);
    return {begin, arm(shape->vertices[to]) - begin};
  }
  /// Back: a point relative to `pos` in the body frame at homothety 1.
  Vec3 inBody(const Vec3& arm) const { return (turn.transpose() * arm) * (1.0 / (scale * scale)); }
};

/// A body as its image stands and moves: `n` cells away, faster by what the cell moves.
inline BodyPose imageOf(const BodyPose& body, const Images& images, const CellShift& n) {
  BodyPose p = body;
  p.pos += images.offset(n);
  p.vel += images.velocity * n.cast<double>();
  return p;
}

/// [L] of the two sub-elements of a contact.
struct Rounding {
  double i, j;
};

/// @tparam ownRadii  either body may be a clump of balls of different radii. Such a body has
/// vertices alone, so other sub-elements have the radius of their body.
template <bool ownRadii>
SCREE_INLINE Rounding roundingOf([[maybe_unused]] Pairing pairing, const BodyPose& i,
                                 const BodyPose& j, [[maybe_unused]] std::uint32_t iSub,
                                 [[maybe_unused]] std::uint32_t jSub) {
  if constexpr (!ownRadii) return {i.radius, j.radius};
  return {pairing == Pairing::edgeEdge ? i.radius : i.radiusAt(iSub),
          pairing == Pairing::vertexVertex ? j.radiusAt(jSub) : j.radius};
}

/// Two sub-elements that overlap, or two in each lane.
template <class Number, class Vector>
struct TouchOf {
  Number dn = 0.0;                    ///< [L] gap, < 0
  Vector n = zeroVector<Vector>();    ///< unit normal from j to i
  Vector arm = zeroVector<Vector>();  ///< [L] contact point relative to the centre of i

  /// Sets the point on the normal through `foot`, a point of i relative to its centre.
  SCREE_INLINE void setArm(const Vector& foot, const Number& radiusI) {
    arm = foot - (radiusI + 0.5 * dn) * n;
  }
  /// Sets the normal, and the point, of two that are round.
  /// @param across  [L] from the foot on j to that on i; none where it has no length
  SCREE_INLINE void setRound(const Vector& foot, const Vector& across, const Number& distance,
                             const Number& radiusI) {
    n = choose(Number(0.0) < distance, Vector((1.0 / distance) * across), zeroVector<Vector>());
    setArm(foot, radiusI);
  }
};
using Touch = TouchOf<double, Vec3>;

/// Foot on the line of an edge, from a point `from` its begin; at lambda of its length.
template <class Number, class Vector>
struct EdgeFoot {
  Number length2, lambda;
  Vector across;  ///< [L] from the foot to the point
  SCREE_INLINE EdgeFoot(const Vector& from, const Vector& along)
      : length2(along.squaredNorm()),
        lambda(from.dot(along) / length2),
        across(from - lambda * along) {}
};

/// Feet of the common perpendicular of the lines of two edges. At s and t of their lengths.
template <class Number, class Vector>
struct EdgeFeet {
  Number c, d, e, determinant;  ///< c, d [L²]: squared lengths
  Number sTimes, tTimes;        ///< s and t times the determinant
  Number s, t;
  /// @param w  [L] from the begin of j to that of i
  SCREE_INLINE EdgeFeet(const Vector& w, const Vector& alongI, const Vector& alongJ) {
    const Number a = alongI.dot(w), b = alongJ.dot(w);
    c = alongI.squaredNorm();
    d = alongJ.squaredNorm();
    e = alongI.dot(alongJ);
    determinant = c * d - e * e;
    sTimes = e * b - a * d;
    tTimes = c * b - e * a;
    const Number inverse = 1.0 / determinant;
    s = sTimes * inverse;
    t = tTimes * inverse;
  }
};

// Each function returns whether sub-element `iSub` of i overlaps `jSub` of j, with the closest
// points inside both. Ends and borders belong to the neighbouring vertices and edges. If not,
// `rest` is a lower bound on how far points of the two bodies must move before it can.
// `branch` = centre of i minus centre of j; `rounding` as roundingOf. Edges have the radius of
// their body.

inline bool touchVertexVertex(const BodyPose& i, const BodyPose& j, const Vec3& branch,
                              std::uint32_t iSub, std::uint32_t jSub, Rounding rounding,
                              Touch& touch, double& rest) {
  const Vec3 p = i.shape->ball ? Vec3(Vec3::Zero()) : i.arm(i.shape->vertices[iSub]);
  Vec3 d = p + branch;
  if (!j.shape->ball) d -= j.arm(j.shape->vertices[jSub]);
  const double distance = d.norm();
  touch.dn = distance - (rounding.i + rounding.j);
  if (touch.dn >= 0.0) {
    rest = touch.dn;
    return false;
  }
  touch.setRound(p, d, distance, rounding.i);
  return true;
}

/// How far points must move before a vertex, `beside` an edge or a face of j and `off` its line or
/// plane, can touch it, with its foot inside.
///
/// Where they touch, D (from foot to vertex) has length below `reach` and no part along u, the
/// direction of the edge or across the side of the face. Take the point of j that will be the foot,
/// as it stands now. If points move by δ at most until then, D differs by δ, and u by δ/R, with R
/// the bounding radius of j, since turns count as R φ. So now beside <= |D·u| <= δ (1 + reach/R).
/// The distance of the vertex from the whole edge or face, less `reach`, is a bound, too.
inline double restBeside(double beside, double off, double reach, const BodyPose& j) {
  return std::max({0.0, std::sqrt(beside * beside + off * off) - reach,
                   beside / (1.0 + reach / (j.shape->boundingRadius * j.scale))});
}

inline bool touchVertexEdge(const BodyPose& i, const BodyPose& j, const Vec3& branch,
                            std::uint32_t iSub, std::uint32_t jSub, Rounding rounding, Touch& touch,
                            double& rest) {
  const Vec3 p = i.arm(i.shape->vertices[iSub]);
  const auto [begin, along] = j.edge(jSub);
  const EdgeFoot<double, Vec3> foot(p + branch - begin, along);
  const double length2 = foot.length2, lambda = foot.lambda;
  const double distance2 = foot.across.squaredNorm(), reach = rounding.i + rounding.j;
  if (!(lambda > 0.0 && lambda < 1.0) || distance2 >= reach * reach) {
    if (length2 == 0.0) {  // an edge without length is touched at its vertices alone
      rest = HUGE_VAL;
      return false;
    }
    const double beyond = std::max(std::max(-lambda, lambda - 1.0) * std::sqrt(length2), 0.0);
    rest = restBeside(beyond, std::sqrt(distance2), reach, j);
    return false;
  }
  const double distance = std::sqrt(distance2);
  touch.dn = distance - reach;
  touch.setRound(p, foot.across, distance, rounding.i);
  return touch.dn < 0.0;
}

inline bool touchVertexFace(const BodyPose& i, const BodyPose& j, const Vec3& branch,
                            std::uint32_t iSub, std::uint32_t jSub, Rounding rounding, Touch& touch,
                            double& rest) {
  const ShapeGeometry& g = *j.shape;
  const ShapeGeometry::Face& face = g.faces[jSub];
  const Vec3 p = i.arm(i.shape->vertices[iSub]);
  const Vec3 local = j.inBody(p + branch);
  const double height = face.normal.dot(local) - face.offset, off = std::abs(height) * j.scale,
               reach = rounding.i + rounding.j;
  touch.dn = off - reach;
  double outside = -HUGE_VAL;
  if (face.convex) {
    for (const ShapeGeometry::Side& s : g.sidesOf(face))
      outside = std::max(outside, s.normal.dot(local) - s.offset);
  }
  if (touch.dn >= 0.0 || outside >= 0.0) {
    rest = restBeside(std::max(outside, 0.0) * j.scale, off, reach, j);
    return false;
  }
  if (!face.convex && !overFaceByParity(g, face, local)) {
    rest = 0.0;
    return false;
  }
  touch.n = (height < 0.0 ? -1.0 : 1.0) / j.scale * j.arm(face.normal);
  touch.setArm(p, rounding.i);
  return true;
}

/// Squared distance of a point, p away from the begin of a segment, from that segment.
inline double pointSegmentDistance2(const Vec3& p, const Vec3& along) {
  const double length2 = along.squaredNorm();
  const double t = length2 > 0.0 ? std::min(std::max(p.dot(along) / length2, 0.0), 1.0) : 0.0;
  return (p - t * along).squaredNorm();
}

/// Squared distance of two segments a + s·ea and b + t·eb, s and t in [0, 1]; w = a - b. Parallel
/// and zero-length segments, whose closest points may be taken at an end, go by their ends.
/// Source: C. Ericson, Real-Time Collision Detection, 5.1.9.
inline double segmentDistance2(const Vec3& w, const Vec3& ea, const Vec3& eb) {
  const double a = ea.squaredNorm(), e = eb.squaredNorm(), b = ea.dot(eb);
  const double denominator = a * e - b * b;
  if (!(denominator > 1e-14 * a * e))
    return std::min({pointSegmentDistance2(w, eb), pointSegmentDistance2(w + ea, eb),
                     pointSegmentDistance2(-w, ea), pointSegmentDistance2(eb - w, ea)});
  const auto clamp01 = [](double x) { return std::min(std::max(x, 0.0), 1.0); };
  const double c = ea.dot(w), f = eb.dot(w);
  double s = clamp01((b * f - c * e) / denominator);
  double t = (b * s + f) / e;
  if (t < 0.0) {
    t = 0.0;
    s = clamp01(-c / a);
  } else if (t > 1.0) {
    t = 1.0;
    s = clamp01((b - c) / a);
  }
  return (w + s * ea - t * eb).squaredNorm();
}

/// How far points must move before the feet of the common perpendicular of two edges can lie inside
/// both. One lies x beyond an end: s = sNumerator/determinant along i, t alike along j.
///
/// Where edges of unit directions u, v touch, D (from foot to foot) has D·u = D·v = 0, |D| < reach.
/// Take the points of the two bodies that will be the feet, as they stand now. If points move by
/// δ = δi + δj at most until then, D differs by δ and u by 2 δi/length. So now
/// |D·u| <= δ + 2 reach δi/length, and |D·v| alike. But these points lie at least x from the foot
/// of today. The gradient of the squared distance grows linearly from there: x sin² <= |D·u| +
/// |cos| |D·v|. So
///     `δ >= x sin² / (1 + |cos| + 2 reach/length)`, length that of the shorter edge.
inline double sidewaysRest(double sNumerator, double tNumerator, double determinant, double c,
                           double d, double e, double reach) {
  const double lengthI = std::sqrt(c), lengthJ = std::sqrt(d), inverse = 1.0 / (c * d);
  const double beyondI = lengthI * std::max(-sNumerator, sNumerator - determinant),
               beyondJ = lengthJ * std::max(-tNumerator, tNumerator - determinant);
  const double xSine2 = std::max(beyondI, beyondJ) * inverse;
  const double cosine = std::abs(e) / (lengthI * lengthJ);
  return xSine2 / (1.0 + cosine + 2.0 * reach / std::min(lengthI, lengthJ));
}

/// @tparam absoluteBound  parallel by a bound in [L⁴], see listed_reach.hpp; else by the sine
template <bool absoluteBound = false>
bool touchEdgeEdge(const BodyPose& i, const BodyPose& j, const Vec3& branch, std::uint32_t iSub,
                   std::uint32_t jSub, Touch& touch, double& rest) {
  const auto [beginI, alongI] = i.edge(iSub);
  const auto [beginJ, alongJ] = j.edge(jSub);
  const Vec3 w = beginI + branch - beginJ;
  const EdgeFeet<double, Vec3> feet(w, alongI, alongJ);
  const auto& [c, d, e, determinant, sTimes, tTimes, s, t] = feet;
  const double reach = i.radius + j.radius;
  // Parallel edges (sine below 1e-6) touch through their vertices.
  if (determinant > (absoluteBound ? 1e-12 : 1e-12 * c * d)) {
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
      const Vec3 across = w + s * alongI - t * alongJ;
      const double distance = across.norm();
      touch.dn = distance - reach;
      if (touch.dn >= 0.0) {
        rest = touch.dn;
        return false;
      }
      touch.setRound(beginI + s * alongI, across, distance, i.radius);
      return true;
    }
  }
  rest = std::max(0.0, std::sqrt(segmentDistance2(w, alongI, alongJ)) - reach);
  if (determinant > 1e-12 * c * d)
    rest = std::max(rest, sidewaysRest(sTimes, tTimes, determinant, c, d, e, reach));
  return false;
}

/// Whether a candidate touches.
/// @tparam absoluteBound  as touchEdgeEdge
/// @tparam ownRadii       as roundingOf
template <bool absoluteBound = false, bool ownRadii = true>
bool touches(const Candidate& c, const BodyPose& i, const BodyPose& j, const Vec3& branch,
             Touch& touch, double& rest) {
  const Rounding rounding = roundingOf<ownRadii>(c.pairing, i, j, c.iSub, c.jSub);
  switch (c.pairing) {
    case Pairing::vertexVertex:
      return touchVertexVertex(i, j, branch, c.iSub, c.jSub, rounding, touch, rest);
    case Pairing::vertexEdge:
      return touchVertexEdge(i, j, branch, c.iSub, c.jSub, rounding, touch, rest);
    case Pairing::vertexFace:
      return touchVertexFace(i, j, branch, c.iSub, c.jSub, rounding, touch, rest);
    default:
      return touchEdgeEdge<absoluteBound>(i, j, branch, c.iSub, c.jSub, touch, rest);
  }
}

}  // namespace scree::sim
