// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of bonds: that of contacts, whatever the gap, and on edges and faces without ends.
#pragma once

#include "contact/kinematics.hpp"

#include "scree/sim/model/contact_key.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::sim {

/// Relative position of sub-element `iSub` of i and `jSub` of j. A bond is glue: it holds where a
/// vertex slides past the end of its edge or the border of its face. So lines and planes continue
/// beyond them. `dn` may have either sign. `branch` = centre of i minus centre of j.
/// @param endsOfEdges  for two edges: no farther than their ends
/// @param side  normal of a bond so far: bodies pressed together by more than their rounding stay
/// on
///              the side they were on; zero: not known
/// @tparam ownRadii  as roundingOf
template <bool ownRadii = true>
Touch bondGeometry(Pairing pairing, const BodyPose& i, const BodyPose& j, const Vec3& branch,
                   std::uint32_t iSub, std::uint32_t jSub, bool endsOfEdges = false,
                   const Vec3& side = Vec3::Zero()) {
  const auto edgeOf = [](const BodyPose& body, std::uint32_t sub) {
    const shape::Edge& e = body.shape->edges[sub];
    const Vec3 begin = body.arm(body.shape->vertices[e[0]]);
    return std::pair<Vec3, Vec3>(begin, body.arm(body.shape->vertices[e[1]]) - begin);
  };
  Vec3 foot = Vec3::Zero(), across = Vec3::Zero();  // on i, and from j's nearest point to it
  if (pairing == Pairing::edgeEdge) {
    const auto [beginI, alongI] = edgeOf(i, iSub);
    const auto [beginJ, alongJ] = edgeOf(j, jSub);
    const Vec3 w = beginI + branch - beginJ;
    const double a = alongI.dot(w), b = alongJ.dot(w);
    const double c = alongI.squaredNorm(), d = alongJ.squaredNorm(), e = alongI.dot(alongJ);
    const double determinant = c * d - e * e;
    // Parallel edges are as near everywhere: the middle of i's stands for them.
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
      const auto [begin, along] = edgeOf(j, jSub);
      const Vec3 d = foot + branch - begin;
      const double length2 = along.squaredNorm();
      across = length2 > 0.0 ? Vec3(d - (d.dot(along) / length2) * along) : d;
    } else {
      const ShapeGeometry::Face& face = j.shape->faces[jSub];
      const Vec3 local = j.inBody(foot + branch);
      across = (face.normal.dot(local) - face.offset) * j.arm(face.normal);
    }
  }
  Touch touch;
  const Rounding rounding = roundingOf<ownRadii>(pairing, i, j, iSub, jSub);
  const double distance = across.norm();
  touch.dn = distance - (rounding.i + rounding.j);
  touch.n = distance > 0.0 ? Vec3(across * (1.0 / distance)) : Vec3::Zero();
  if (touch.n.dot(side) < 0.0) {
    touch.n = -touch.n;
    touch.dn = -distance - (rounding.i + rounding.j);
  }
  touch.arm = foot - touch.n * (rounding.i + 0.5 * touch.dn);
  return touch;
}

/// Area of the convex hull of points that lie in a plane or near one, in any order. It is 0 for
/// fewer than three and for points on a line. O(n log n).
double bondArea(const std::vector<Vec3>& points);

/// Geometry of a contact that has just ended. Edges count with the points nearest to those where
/// they ended: lines without ends that are almost parallel are nearest far away.
inline Touch geometryBeyondEnds(Pairing pairing, const BodyPose& i, const BodyPose& j,
                                const Vec3& branch, std::uint32_t iSub, std::uint32_t jSub) {
  return bondGeometry(pairing, i, j, branch, iSub, jSub, true);
}

/// `v`, fixed to a pair of bodies whose normal went from `n0` to `n1` (unit vectors). Meanwhile the
/// pair turned about the normal by `twist` [rad], which is small. The least rotation that brings n0
/// to n1 turns `v`, then the twist about n1. Keeps lengths to rounding.
inline Vec3 transported(const Vec3& v, const Vec3& n0, const Vec3& n1, double twist) {
  const Vec3 axis = n0.cross(n1);
  const double c = n0.dot(n1);
  // Opposite normals do not define the turn from one to the other; a bond that thin is left as it
  // is.
  Vec3 w = v;
  if (c > -0.99) {
    const Vec3 u = axis.cross(v);
    w += u + axis.cross(u) * (1.0 / (1.0 + c));
  }
  const double half = 0.5 * twist, t = half + half * half * half * (1.0 / 3.0);
  const Vec3 u = n1.cross(w);
  return w + (2.0 * t / (1.0 + t * t)) * (u + t * n1.cross(u));
}

}  // namespace scree::sim
