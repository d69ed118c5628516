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

/// Box [L] along the axes of the frame that bounds a particle tightly, each type of shape exactly.
shape::Aabb boxOf(const PackParticle& particle);

/// Centre of a particle: the centroid of its volume, or the middle of its box where it has none.
/// @throws GeometryError as particleMass, except for a particle without volume
std::vector<Vec3> particleCentres(const ShapePack& pack, const ClumpMassOptions& options = {});

/// Names that conditions on particles may use, with the meanings of docs/tools/clumpify.md.
std::span<const Condition::Name> particleNames();

/// Values of a formula over the names above, one a particle. Masses are computed only if the
/// formula needs them.
std::vector<double> particleNumbers(const ShapePack& pack, const Condition& formula,
                                    const ClumpMassOptions& options = {});

// Each function changes a pack in place: bounding spheres, shape numbers, corners and, where it
// applies, the periodic cell. Markers of shared nodes stay as they are. A result that is not finite
// is refused with a ModelError that names the particle.

/// Moves all particles. The cell keeps its corner at the origin.
void translate(ShapePack& pack, const Vec3& by);

/// Turns all particles about an axis of the file through the origin.
///
/// Quarter turns only exchange and negate numbers, so four of them give the same bits; the
/// semi-axes of an Ellipsoid change places then. Other angles turn an Ellipsoid by its rotation
/// vector, of length at most pi. The radius of a capsule keeps its value.
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
/// IDs that count on from the largest. Copies keep the `u` mark and leave comments behind.
/// @throws ModelError if a count is below 1, or above 1 along an axis that is not periodic, or the
/// pack would have more than 50 million shapes
void tile(ShapePack& pack, const std::array<std::int64_t, 3>& counts);

/// Moves each particle as a whole by multiples of the cell, so that its centre lies in [0, L) along
/// each periodic axis. A centre within rounding of an end goes to the lower one, so that a second
/// call moves nothing.
/// @param centres  [L] one a particle
/// @throws ModelError if the pack is not periodic
void canonicalize(ShapePack& pack, std::span<const Vec3> centres);

/// Particles in the order of `keys`, ties in their present order; NaN last.
void sortBy(ShapePack& pack, std::span<const double> keys);

/// Particles in a random order that depends on the seed alone.
void shuffle(ShapePack& pack, std::uint64_t seed);

/// Leaves the particles whose flag is set. Comments in front of a particle go with it.
void keepOnly(ShapePack& pack, const std::vector<bool>& keep);

/// All packs in one. IDs of a later pack stay if none of them is taken; else they count on from the
/// largest so far. The cell must be the same; the first user data count, a note names others.
/// @throws ModelError where cells differ
ShapePack merged(std::span<const ShapePack> packs, Diagnostics& diagnostics);

/// Gives a particle the next free ID where its ID is also that of the particle before it: the file
/// would tie the two together. A warning says of how many.
void separateIds(ShapePack& pack, Diagnostics& diagnostics);

/// Takes balls out of a particle that lie wholly inside another ball of it, and add nothing. Of
/// equal balls the first stays. The solid stays the same; members that are not clumped stay.
/// O(n log n) for balls that overlap few others. @returns how many were taken out
std::size_t dropSwallowed(PackParticle& particle);

}  // namespace scree::clump
