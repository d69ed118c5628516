// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scree::mass {

struct Ball {
  Vec3 centre = Vec3::Zero();  ///< [L]
  double radius = 0.0;         ///< [L] positive
};

/// Moments of a solid made of balls, about a point near it.
struct BallMoments {
  Vec3 origin = Vec3::Zero();  ///< [L] middle of the box of all balls
  Moments moments;             ///< about `origin`, so that a clump far from (0,0,0) loses no digits
};

/// Moments of the union of `balls`: volume that several share counts once. Exact up to rounding.
///
/// The power cells of the balls cut the union into disjoint convex pieces, each a ball clipped by
/// planes. The moments of a piece follow from its planar facets alone. Measured error below 1e-13
/// also for balls that are repeated, contained, tangent or coaxal, exactly or up to rounding. The
/// result does not depend on `threads`. O(n log n + n k²) with k neighbours per ball.
/// @throws GeometryError if there is no ball, or one whose radius or centre is not a usable number
/// Source: power cells, F. Aurenhammer, SIAM J. Comput. 16, 78-96, 1987; the reduction to facets by
/// the divergence theorem is ours (docs/decisions/ball-union.md).
BallMoments ballUnionMoments(std::span<const Ball> balls, int threads = 1);

/// Part of a union of balls that lies in the power cell of one of them.
struct VisiblePart {
  double volume = 0.0;       ///< [L³] of the ball within its power cell
  double area = 0.0;         ///< [L²] of its sphere that no other ball covers
  Vec3 pull = Vec3::Zero();  ///< [L²] outward unit normal, integrated over that area
};
/// Visible part of each ball. As accurate as ballUnionMoments, in a third of its time. Volumes and
/// areas add up to those of the union.
std::vector<VisiblePart> visibleParts(std::span<const Ball> balls, int threads = 1);

/// Volume, centre and inertia of a solid from moments about a point near it.
/// @throws GeometryError as solidProperties
SolidProperties solidOf(const BallMoments& body);

/// A convex polyhedron, the hull of its corners. They are relative to a point near it, so that a
/// thin polyhedron far from the origin loses no digits.
struct Polyhedron {
  Vec3 place = Vec3::Zero();  ///< [L] point near the polyhedron
  std::vector<Vec3> corners;  ///< [L] relative to `place`
  bool prism = false;  ///< six corners: the last three are the first three moved along their normal
  std::optional<Moments> alone;  ///< better known moments of it, about `origin` of the union
};

struct PolyhedronUnion {
  Moments moments;      ///< about the `origin` of the call
  double unsure = 0.0;  ///< [L³] volume along faces that rounding may count wrongly
};

/// Moments of the union of convex polyhedra: volume that several share counts once. Exact up to
/// rounding.
///
/// Each polyhedron is cut along the faces of those before it, and the pieces outside of them are
/// added up; touching, coplanar, repeated and nested polyhedra need no special care. They may be as
/// thin as double precision allows. Measured error below 1e-13 beyond `unsure`
/// (docs/mass-properties.md). The result does not depend on `threads`.
/// @throws GeometryError if a polyhedron is cut into more than `limit` pieces, which takes hundreds
/// of mutual overlaps
PolyhedronUnion polyhedronUnion(std::span<const Polyhedron> polyhedra, const Vec3& origin,
                                int threads = 1, std::size_t limit = 500'000);

/// Moments, about `origin`, of the union of the convex hulls of sets of points.
Moments polyhedronUnionMoments(std::span<const std::vector<Vec3>> solids, const Vec3& origin,
                               int threads = 1, std::size_t limit = 500'000);

}  // namespace scree::mass
