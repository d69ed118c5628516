// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/mass/certified.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <span>
#include <vector>

namespace scree::clump {

/// Options of making a clump from blocks.
struct ComposeOptions {
  enum class Calculate {
    exact,       ///< shared volume counts once, in closed form, or certified where there is none
    voxel,       ///< boxes inside any pebble, extrapolated, as PFC; the clump carries the result
    fromBlocks,  ///< pebbles of the blocks added up as if apart; the clump carries the result
  };
  Calculate calculate = Calculate::exact;
  double tolerance = 1e-4;             ///< voxel: of the extrapolated volume from level to level
  std::size_t maxCells = octreeBoxes;  ///< voxel: boxes cut at most
  std::optional<double> density;       ///< [M/L³]
  std::vector<PackGroup> groups, pebbleGroups;
  std::optional<double> volume;  ///< [L³] given, together with `inertia`
  std::optional<Mat3> inertia;   ///< [M L²] about the centroid, mass included
  std::optional<Vec3> position;  ///< [L] of the centroid; the union's where it is not given
  /// [L] by which points of the blocks may be off because they were placed. The bound includes it.
  double placing = 0.0;
  int threads = 1;
};

/// A clump, and its mass properties by the requested way.
struct Composed {
  PackParticle particle;
  ParticleMass mass;  ///< voxel: with `octree`
};

/// Blocks as pebbles of one clump. What they carry themselves is dropped, except their rounding.
/// @throws GeometryError if there is no block, or the clump has no volume
Composed composed(std::span<const PackParticle> blocks, std::int64_t id,
                  const ComposeOptions& options, Diagnostics& diagnostics);

/// More pebbles for `clump`. Its density and groups stay unless options give others; a group of the
/// same slot is replaced. Its mass is computed again unless options give it.
Composed extended(const PackParticle& clump, std::span<const PackParticle> blocks,
                  const ComposeOptions& options, Diagnostics& diagnostics);

/// Where a shape stands: its vertex v is at position + orientation * (scale v).
struct ShapePose {
  Vec3 position = Vec3::Zero();         ///< [L]
  Quat orientation = Quat::Identity();  ///< body frame -> global frame
  double scale = 1.0;                   ///< of vertices and rounding
};

/// A shape as members of a ShapePack particle, of the same solid.
///
/// A shape without faces becomes a Capsule for each edge and a Sphere for each vertex that no edge
/// has. A convex polyhedron becomes Tetra members that fill it, with the rounding of the shape; a
/// flat convex face with a rounding becomes flat ones.
/// @throws GeometryError naming the shape if it is not convex, is a sheet, or has no volume
PackParticle shapeParticle(const shape::Shape& shape, const ShapePose& pose, std::int64_t id);

/// Whether a surveyed shape states volume, centre or inertia other than those of its geometry.
/// They must differ by more than 1e-5, since files may have six digits, and by more than the bound
/// of certified values.
bool statesOtherMass(const shape::Shape& shape);
/// The mass properties that a surveyed shape states, where it stands, at unit density.
/// @throws GeometryError where they are not those of a body
GivenMass statedMass(const shape::Shape& shape, const ShapePose& pose);

}  // namespace scree::clump
