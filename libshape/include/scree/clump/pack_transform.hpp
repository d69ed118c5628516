// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/condition.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump {

/// [L] Tight box around a particle, along the axes of the frame; exact for all types of shape.
shape::Aabb boxOf(const PackParticle& particle);

/// [L] Centre of each particle: as given, else the centroid; without volume, middle of the box.
/// @throws GeometryError as particleMass, except for a particle without volume
std::vector<Vec3> particleCentres(const ShapePack& pack, const ClumpMassOptions& options = {});

/// Names that conditions on particles may use, with the meanings of docs/tools/clumpify.md.
std::span<const Condition::Name> particleNames();

/// Value of a formula over particleNames() for each particle. Masses are computed only if the
/// formula needs them.
std::vector<double> particleNumbers(const ShapePack& pack, const Condition& formula,
                                    const ClumpMassOptions& options = {});

// Functions that change a pack in place: bounding spheres, the numbers of shapes, corners and,
// where it applies, the periodic cell. Markers of shared nodes stay as they are. A result out of
// the range of double precision is refused with a ModelError that names the particle.

/// Moves all particles. The cell keeps its corner at the origin.
void translate(ShapePack& pack, const Vec3& by);

/// Turns all particles about a coordinate axis through the origin.
///
/// Quarter turns only exchange and negate numbers (also the semi-axes of an Ellipsoid), so four of
/// them restore every bit. Other angles turn an Ellipsoid by its rotation vector, of length at most
/// pi. The radius of a capsule keeps its value.
/// @param axis     0, 1 or 2 for x, y or z
/// @param degrees  right-handed
/// @throws ModelError for a periodic pack unless the turn maps the cell onto a box along the axes.
/// Quarter turns do; any angle does where the pack is periodic only along `axis`.
void rotate(ShapePack& pack, int axis, double degrees);

/// Multiplies all lengths and coordinates, and the cell. @param factor above 0
void scale(ShapePack& pack, double factor);

/// Repeats a periodic pack `counts` times along the axes; the cell grows with it.
///
/// The given particles stay first; copies follow by their x, y and z index (z runs fastest), with
/// IDs above the largest given one. Copies keep the `u` mark, but not the comments.
/// @throws ModelError if a count is below 1, or above 1 along an axis that is not periodic, or the
/// pack would have more than 50 million shapes
void tile(ShapePack& pack, const std::array<std::int64_t, 3>& counts);

/// Moves each particle as a whole by multiples of the cell, so that its centre lies in the cell:
/// from 0 to less than the edge along each periodic axis. A centre within rounding of either end is
/// put at the lower one, so that a second call moves nothing.
/// @param centres  [L] of the particles, in their order
/// @throws ModelError if the pack is not periodic
void canonicalize(ShapePack& pack, std::span<const Vec3> centres);

/// Sorts the particles by `keys`; equal keys keep their order, and NaN comes last.
void sortBy(ShapePack& pack, std::span<const double> keys);

/// Puts the particles into a random order that depends on the seed alone.
void shuffle(ShapePack& pack, std::uint64_t seed);

/// Removes the particles whose flag is not set, with the comments in front of them.
void keepOnly(ShapePack& pack, const std::vector<bool>& keep);

/// All packs in one. The IDs of a later pack stay if none of them is taken; else all of them become
/// new ones above the largest so far. The first user data stay; a warning names packs with others.
/// @throws ModelError if the periodic cells differ
ShapePack merged(std::span<const ShapePack> packs, Diagnostics& diagnostics);

/// Gives a new ID to each particle that follows one of the same ID: read from a file, the two would
/// be one. A warning counts them.
void separateIds(ShapePack& pack, Diagnostics& diagnostics);

/// Removes the balls of a particle that lie wholly inside another of its balls, which keeps the
/// solid. Of equal balls the first stays. Does nothing if the members are not clumped.
/// O(n log n) for balls that overlap few others. @returns the number of balls removed
std::size_t dropSwallowed(PackParticle& particle);

}  // namespace scree::clump
