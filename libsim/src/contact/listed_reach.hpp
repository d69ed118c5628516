// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two sub-elements belong on a list of Rockable, and their gap. Pure functions.
// docs/compatibility.md explains Q1 and Q2.
#pragma once

#include "contact/kinematics.hpp"
#include "model/contacts.hpp"

namespace scree::sim {

/// Relation of two sub-elements.
struct ListedReach {
  double gap = HUGE_VAL;  ///< [L] along the normal; a distance of the bodies only if `over`
  bool over = false;      ///< whether the closest points lie inside both
  bool near = false;      ///< whether to list them
};

/// [L⁴] Edges of which |E_i|²|E_j|² sin² is not above this are never listed (Q1).
constexpr double leastDeterminant = 1e-12;

/// Computes gap and place. `branch` [L]: centre of i minus that of j. `skin`: dVerlet, [L] of gap.
/// Past the ends of an edge it is a share of its length; beside faces and past two edges, 0 (Q2).
inline ListedReach listedReach(const Candidate& c, const BodyPose& i, const BodyPose& j,
                               const Vec3& branch, double skin) {
  ListedReach r;
  const double rounding = i.radius + j.radius;
  if (c.pairing == Pairing::edgeEdge) {
    const auto [beginI, alongI] = i.edge(c.iSub);
    const auto [beginJ, alongJ] = j.edge(c.jSub);
    const Vec3 w = beginI + branch - beginJ;
    const EdgeFeet<double, Vec3> feet(w, alongI, alongJ);
    if (!(feet.determinant > leastDeterminant)) return r;
    const double s = feet.s, t = feet.t;
    r.gap = (w + s * alongI - t * alongJ).norm() - rounding;
    r.over = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
    r.near = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 && r.gap <= skin;
    return r;
  }
  const Vec3 p = i.arm(i.shape->vertices[c.iSub]) + branch;
  if (c.pairing == Pairing::vertexVertex) {
    r.gap = (p - j.arm(j.shape->vertices[c.jSub])).norm() - rounding;
    r.over = true;
    r.near = r.gap <= skin;
  } else if (c.pairing == Pairing::vertexEdge) {
    const auto [begin, along] = j.edge(c.jSub);
    const double share = (p - begin).dot(along) / along.squaredNorm();
    r.gap = (p - begin - share * along).norm() - rounding;
    r.over = share > 0.0 && share < 1.0;
    r.near = share >= -skin && share <= 1.0 + skin && r.gap <= skin;
  } else {
    const ShapeGeometry::Face& face = j.shape->faces[c.jSub];
    if (face.count == 0) return r;
    const Vec3 local = j.inBody(p);
    r.gap = std::abs(face.normal.dot(local) - face.offset) * j.scale - rounding;
    if (face.convex) {
      r.over = true;
      for (const ShapeGeometry::Side& s : j.shape->sidesOf(face))
        r.over = r.over && s.normal.dot(local) < s.offset;
    } else {
      r.over = overFaceByParity(*j.shape, face, local);
    }
    r.near = r.over && r.gap <= skin;
  }
  return r;
}

}  // namespace scree::sim
