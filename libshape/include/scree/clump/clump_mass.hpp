// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/clump/unions.hpp"
#include "scree/mass/certified.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace scree::clump {

/// How the mass of a particle is computed.
struct ClumpMassOptions {
  enum class Method {
    automatic,  ///< shared volume counts once: a closed form where there is one, else certified
    exact,      ///< a closed form or nothing
    sum,        ///< members are added up as if apart, as some programs do
    grid,       ///< cubes by their centres, as Woo
    octree,     ///< boxes wholly inside one member, extrapolated, as PFC
  };
  Method method = Method::automatic;
  double tolerance = 1e-5;  ///< relative, of certified volumes
  int divisions = 5;        ///< grid: cells to the smallest radius
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
  double equivRad() const;        ///< [L] of the ball of the same volume
  /// "given": as the user states them, per density; "exact": closed form of one shape, or of
  /// several that share no volume; "exact-union": spheres or polyhedra that overlap, volume counted
  /// once; "certified": shared volume counted once, within a proven bound; "sum": members added up
  /// although volume may be shared; "grid", "octree".
  std::string_view method;
  std::optional<mass::MassBound> bound;  ///< none for sum, grid and octree
};

/// Moments of one member about `origin`.
/// Spheres, capsules, ellipsoids and tetrahedra as solids; a facet is a prism of its thickness, a
/// tetrahedron includes its rounding.
mass::Moments memberMoments(const PackMember& member, const Vec3& origin);

/// A particle as a union of solids: spheres, capsules, ellipsoids, tetrahedra and, where they have
/// a thickness, facets as prisms.
mass::CertifiedBody bodyOf(const PackParticle& particle);

/// Mass properties of a particle by its geometry, in the frame of the pack. Members that the file
/// marks as not clumped are taken together like those of a clump.
/// @throws GeometryError naming particle and line where it has no volume, and, for Method::exact,
/// where members overlap that are neither two spheres nor two polyhedra
ParticleMass particleMass(const PackParticle& particle, const ClumpMassOptions& options = {});

/// The same for each particle of a pack, in its order: given properties where it carries them, and
/// an entry for each member of a particle that is not clumped.
std::vector<ParticleMass> packMasses(const ShapePack& pack, const ClumpMassOptions& options = {});

}  // namespace scree::clump
