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
    exact,       ///< shared volume counts once; closed form where there is one, else certified
    voxel,       ///< boxes inside any pebble, extrapolated, as PFC; becomes the given mass
    fromBlocks,  ///< sum of the pebbles as if they were apart; becomes the given mass
  };
  Calculate calculate = Calculate::exact;
  double tolerance = 1e-4;             ///< voxel: relative change of volume from level to level
  std::size_t maxCells = octreeBoxes;  ///< voxel: boxes cut at most
  std::optional<double> density;       ///< [M/L³]
  std::vector<PackGroup> groups, pebbleGroups;
  std::optional<double> volume;  ///< [L³] replaces the computed one; `inertia` must be set, too
  std::optional<Mat3> inertia;   ///< [M L²] about the centroid, mass included
  std::optional<Vec3> position;  ///< [L] given centroid; if empty, that of the union
  /// [L] Error of the points of the blocks from placing them. The bound of the mass includes it.
  double placing = 0.0;
  int threads = 1;
};

/// A clump, and its mass properties by the requested method.
struct Composed {
  PackParticle particle;
  ParticleMass mass;  ///< has `octree` for Calculate::voxel
};

/// Clump with the blocks as pebbles. Density, given mass and groups of the blocks are dropped.
/// @throws GeometryError if there is no block, or the clump has no volume
Composed composed(std::span<const PackParticle> blocks, std::int64_t id,
                  const ComposeOptions& options, Diagnostics& diagnostics);

/// Copy of `clump` with more pebbles. Its density stays unless options give another; their groups
/// replace those of the same slot. Its mass is computed again unless options give it.
Composed extended(const PackParticle& clump, std::span<const PackParticle> blocks,
                  const ComposeOptions& options, Diagnostics& diagnostics);

/// Pose of a shape: its vertex v is at position + orientation * (scale * v).
struct ShapePose {
  Vec3 position = Vec3::Zero();         ///< [L]
  Quat orientation = Quat::Identity();  ///< body frame -> global frame
  double scale = 1.0;                   ///< of vertices and rounding
};

/// ShapePack particle with the same solid as a shape.
///
/// A shape without faces becomes a Capsule for each edge and a Sphere for each vertex without edge.
/// A convex polyhedron becomes Tetra members that fill it, with the rounding of the shape. A convex
/// plate with a rounding becomes flat Tetra members.
/// @throws GeometryError naming the shape if it has faces and is not convex, is a surface, or has
/// no volume
PackParticle shapeParticle(const shape::Shape& shape, const ShapePose& pose, std::int64_t id);

/// Whether a surveyed shape states volume, centre or inertia other than those of its geometry:
/// by more than a relative 1e-5, since files may have six digits, and twice the bound.
bool statesOtherMass(const shape::Shape& shape);
/// Mass properties that a surveyed shape states, at the given pose and unit density.
/// @throws GeometryError if no body can have them
GivenMass statedMass(const shape::Shape& shape, const ShapePose& pose);

}  // namespace scree::clump
