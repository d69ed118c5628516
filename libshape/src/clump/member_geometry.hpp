// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump {

using mass::Ball;

/// The smallest ball around all members of a particle. It encloses them up to rounding, and its
/// radius is the least possible within 1e-7 where there are ellipsoids among several members,
/// within rounding elsewhere.
/// Source: K. Fischer, B. Gärtner, "The smallest enclosing ball of balls", IJCGA 14, 341-378, 2004
/// (CGAL); ellipsoids enter by their farthest points, one after the other.
/// @throws GeometryError if there is no member
Ball boundingBall(std::span<const PackMember> members);

/// Balls [L], seen from `origin`, whose convex hull is the member; none for an ellipsoid.
std::vector<Ball> hullBalls(const PackMember& member, const Vec3& origin);
/// The map [L] of the unit ball, about the origin, to an ellipsoid about its centre.
Mat3 ellipsoidStretch(const PackMember& ellipsoid);
/// Box [L] that bounds a member tightly.
shape::Aabb boxOf(const PackMember& member);

/// [L] centre of a member with one node, mean of the corners of others.
Vec3 middleOf(const PackMember& member);

/// Type of a single shape, "clump" for several.
std::string_view kindOf(const PackParticle& particle);
std::size_t spheresIn(const PackParticle& particle);

/// One member as a particle of its own, with what its particle carries but given mass properties.
PackParticle memberAlone(const PackParticle& particle, std::size_t member);

/// Solids with plane faces: a tetrahedron without rounding, a facet as a prism.
bool isPolyhedron(const PackMember& member);

/// [L] corners of such a solid. Of a facet first those against its normal; none if it has no
/// volume.
std::vector<Vec3> polyhedronCorners(const PackMember& member);

/// The same, seen from the first node.
mass::Polyhedron polyhedronOf(const PackMember& member);

/// [L] how far coordinates in a box may be off that have been moved and turned a few times.
double coordinateError(const shape::Aabb& box);

/// Members that are one pebble together: consecutive tetrahedra of one rounding with the same first
/// corner that fill a convex body without overlap, as `shapeParticle` writes a polyhedron. Any
/// other member is a pebble by itself.
std::vector<std::vector<std::uint32_t>> pebblesOf(const PackParticle& particle);

/// Moments of a pebble about `origin`. Adds to `unsure` the volume [L³] that rounding may hide.
mass::Moments pebbleMoments(const PackParticle& particle, const std::vector<std::uint32_t>& pebble,
                            const Vec3& origin, double& unsure);

/// Adds to the bound of a mass what it may be off where each point may be off by `placing`.
void addPlacing(ParticleMass& mass, const PackParticle& particle, double placing);

/// A particle as a union of its pebbles, each convex body as one part.
mass::CertifiedBody pebbleBody(const PackParticle& particle);

}  // namespace scree::clump
