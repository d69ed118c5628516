// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::clump {

/// Boxes that the methods of PFC (octree, voxel) cut at most, unless an option sets another number.
inline constexpr std::size_t octreeBoxes = 1'000'000;

/// How the mass of a particle is computed.
struct ClumpMassOptions {
  enum class Method {
    automatic,  ///< shared volume counts once: a closed form where there is one, else certified
    exact,      ///< a closed form or nothing
    sum,        ///< pebbles are added up as if apart; tetrahedra that fill a convex body are one
    grid,       ///< cubes by their centres, as Woo
    octree,     ///< boxes wholly inside one pebble, extrapolated, as PFC
  };
  Method method = Method::automatic;
  double tolerance = 1e-5;          ///< relative, of certified and octree volumes
  std::size_t boxes = octreeBoxes;  ///< octree: cut at most
  int divisions = 5;                ///< grid: cells to the smallest radius
  double density = 1.0;  ///< [M/L³] of particles that carry none, where masses are checked
  int threads = 1;
};

/// Mass properties of one particle, and how they came about. The solid has unit density, except
/// that given properties include what density the user had in mind.
struct ParticleMass {
  std::int64_t id = 0;
  std::optional<std::size_t> member;  ///< from 0, where members of the particle are not clumped
  std::string_view kind;              ///< the type of a single shape, "clump" for several
  std::size_t spheres = 0;            ///< members that are spheres
  mass::SolidProperties solid;
  std::optional<double> density;  ///< [M/L³] what the particle carries
  double boundRad = 0.0;          ///< [L] of the smallest ball around it
  double equivRad() const;        ///< [L] of the ball of the same volume.
  /// "given": as the user states them, per density; "exact": closed form of one shape;
  /// "exact-union": closed form of a union of spheres or of polyhedra, or of a convex body that
  /// several rounded tetrahedra fill; "certified", "sum", "grid", "octree".
  std::string_view method;
  /// None for sum, grid and octree, and where rounding may hide half of the volume.
  std::optional<mass::MassBound> bound;
  std::optional<mass::OctreeBounds> octree;  ///< of octree
};

/// Moments of one member about `origin`.
/// Spheres, capsules, ellipsoids and tetrahedra as solids; a facet is a prism of its thickness, a
/// tetrahedron includes its rounding.
mass::Moments memberMoments(const PackMember& member, const Vec3& origin);

/// Mass properties of a particle by its geometry, in the frame of the pack. Members that the file
/// marks as not clumped are taken together like those of a clump.
/// @throws GeometryError naming particle and line where it has no volume, and, for Method::exact,
/// where it has several pebbles that are neither all spheres nor all polyhedra
ParticleMass particleMass(const PackParticle& particle, const ClumpMassOptions& options = {});

/// The same, but given properties where the particle carries them.
/// @throws GeometryError also where mass or moments, with the density, exceed the range of double
/// precision
ParticleMass massOf(const PackParticle& particle, const ClumpMassOptions& options = {});

/// Masses of all particles of a pack, in its order. A particle that is not clumped has an entry for
/// each member.
/// @throws GeometryError as massOf
std::vector<ParticleMass> packMasses(const ShapePack& pack, const ClumpMassOptions& options = {});

/// The same where a method may not apply: an entry that cannot be computed is empty.
/// @param refusal  set to why the first of them is empty
std::vector<std::optional<ParticleMass>> possibleMasses(const ShapePack& pack,
                                                        const ClumpMassOptions& options,
                                                        std::string* refusal);

/// @param solid  of the particle, at unit density. @param density  [M/L³]
/// @throws GeometryError naming the particle where mass or moments exceed the range of double
/// precision
void checkMass(const PackParticle& particle, const mass::SolidProperties& solid, double density);

/// The share of one corner in a tetrahedron or facet of unit density, about that corner.
///
/// A corner owns the points whose largest barycentric coordinate is its own. In a tetrahedron that
/// is a quarter: six of the 24 pieces that corners, edge middles, face centroids and the centroid
/// span. In a facet, which is a prism of its thickness, it is a third. The shares of all corners,
/// moved to a common origin, add up to the element.
/// @throws GeometryError for a shape without corners
mass::Moments cornerMoments(const PackMember& element, std::size_t corner);

/// Mass and inertia collected at one node.
struct LumpedNode {
  std::int64_t id = 0;              ///< of the first particle that has the node
  Vec3 position = Vec3::Zero();     ///< [L]
  double mass = 0.0;                ///< [M] 0 where only shapes without volume meet
  Vec3 firstMoment = Vec3::Zero();  ///< [M L] about the node: the mass is not centred there
  Mat3 inertia = Mat3::Zero();      ///< [M L²] about the node, axes of the pack
  mass::PrincipalFrame principal;   ///< of that tensor
  std::size_t shapes = 0;           ///< that share the node
};

/// Mass and inertia of all shapes lumped to nodes, in the order in which nodes appear. Facets and
/// tetrahedra give each corner its share; the node of any other shape is its centre. Corners at the
/// same coordinates are one node within a particle; where its members are not clumped, markers of
/// shared nodes alone join them.
/// @param density  [M/L³] of particles that carry none
/// @throws GeometryError for rounded tetrahedra, whose rounding belongs to no corner.
/// Source: the lumping of Woo (woo.dem.Shape.lumpMassInertia).
/// A corner has a quarter of the volume here, where Woo counts 3/16.
std::vector<LumpedNode> lumpedNodes(const ShapePack& pack, double density = 1.0);

}  // namespace scree::clump
