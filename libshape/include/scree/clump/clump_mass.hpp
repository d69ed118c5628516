// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/ball_union.hpp"
#include "scree/clump/shape_pack.hpp"

#include <string_view>
#include <vector>

namespace scree::clump {

/// How members of a clump that overlap are counted.
enum class Overlap {
  once,  ///< volume shared by several members counts once: the solid that one sees
  each,  ///< members are added up as if apart, as some programs do
};

/// Mass properties of one particle at unit density, and how they came about.
struct ParticleMass {
  std::int64_t id = 0;
  std::string_view kind;    ///< the type of a single shape, "clump" for several
  std::size_t spheres = 0;  ///< members that are spheres
  mass::SolidProperties solid;
  /// "exact": closed form of one shape, or of several that share no volume; "exact-union": spheres
  /// that overlap, volume counted once; "sum": members added up although volume may be shared.
  std::string_view method;
};

/// Moments of one member about `origin`.
/// Spheres, capsules, ellipsoids and tetrahedra as solids; a facet is a prism of its thickness.
mass::Moments memberMoments(const PackMember& member, const Vec3& origin);

/// Mass properties of a particle, in the frame of the pack. Members that the file marks as not
/// clumped are taken together like those of a clump.
/// @throws GeometryError naming particle and line where it has no volume, and, for Overlap::once,
/// where a member other than a sphere overlaps another member: that union has no closed form here
ParticleMass particleMass(const PackParticle& particle, Overlap overlap = Overlap::once,
                          int threads = 1);

/// The same for each particle of a pack, in its order.
std::vector<ParticleMass> packMasses(const ShapePack& pack, Overlap overlap = Overlap::once,
                                     int threads = 1);

}  // namespace scree::clump
