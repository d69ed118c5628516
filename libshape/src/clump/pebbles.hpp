// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/mass/certified.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump {

/// [L] how far coordinates in a box may be off that have been moved and turned a few times.
double coordinateError(const shape::Aabb& box);

/// Members that are one pebble together: tetrahedra of one rounding that fill a convex body without
/// overlap. Any other member is a pebble by itself. In the order of their first member.
///
/// Tetrahedra belong together if they share faces. Of those, consecutive ones with the same first
/// corner are taken as one body where all such bodies are convex: so `shapeParticle` writes a
/// polyhedron.
std::vector<std::vector<std::uint32_t>> pebblesOf(const PackParticle& particle);

/// Adds to the bound of a mass what it may be off where each point may be off by `placing`.
void addPlacing(ParticleMass& mass, const PackParticle& particle, double placing);

/// A particle as a union of its pebbles, each convex body as one part.
mass::CertifiedBody pebbleBody(const PackParticle& particle);

}  // namespace scree::clump
