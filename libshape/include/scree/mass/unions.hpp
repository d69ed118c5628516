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
  Moments moments;             ///< about `origin`, so that a clump far from 0 0 0 loses no digits
};

/// Moments of the union of `balls`: what several balls share counts once. Exact up to rounding.
///
/// The power cells of the balls cut the union into disjoint convex pieces, each a ball clipped by
/// planes. The moments of a piece follow from its planar facets alone. Measured error below 1e-13
/// also for repeated, contained, tangent and coaxal balls and for sets within rounding of such. The
/// result does not depend on `threads`. O(n log n + n k²) with k neighbours a ball.
/// @throws GeometryError if there is no ball, or one whose radius or centre is no usable number
/// Source: power cells, F. Aurenhammer, SIAM J. Comput. 16, 78-96, 1987; the reduction to facets by
/// the divergence theorem is ours (docs/decisions/ball-union.md).
BallMoments ballUnionMoments(std::span<const Ball> balls, int threads = 1);

/// Volume, centre and inertia of a solid from moments about a point near it.
/// @throws GeometryError as solidProperties
SolidProperties solidOf(const BallMoments& body);

/// A convex polyhedron. Its corners are seen from a place near it, where a thin one keeps its
/// digits.
struct Polyhedron {
  Vec3 place = Vec3::Zero();  ///< [L]
  std::vector<Vec3> corners;  ///< [L] from there; the hull of them counts
  bool prism = false;  ///< six corners, the last three moved from the first along their normal
  std::optional<Moments> alone;  ///< about the origin of the union, where they are known better
};

struct PolyhedronUnion {
  Moments moments;      ///< about the origin
  double unsure = 0.0;  ///< [L³] volume along faces, of which rounding hides whether it is shared
};

/// The union of convex polyhedra: what several of them share counts once. Exact up to rounding.
///
/// Each polyhedron is cut along the faces of those before it, and what lies outside of them is
/// added up. These pieces are disjoint, convex and of positive volume, so nothing cancels. A cut
/// gives the same points to both of its sides; where rounding places it a little off, one piece
/// gains what the other loses. So touching, coplanar, repeated and nested polyhedra need no special
/// care. Tetrahedra and prisms may be as thin as double precision allows. Measured error below
/// 1e-13 beyond `unsure` (docs/mass-properties.md). The result does not depend on `threads`.
/// @throws GeometryError if the pieces exceed `limit`, which takes hundreds of mutual overlaps
PolyhedronUnion polyhedronUnion(std::span<const Polyhedron> polyhedra, const Vec3& origin,
                                int threads = 1, std::size_t limit = 500'000);

/// Moments of the union of hulls of points, about `origin`.
Moments polyhedronUnionMoments(std::span<const std::vector<Vec3>> solids, const Vec3& origin,
                               int threads = 1, std::size_t limit = 500'000);

}  // namespace scree::mass
