// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/condition.hpp"
#include "scree/clump/clump_mass.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace scree::clump {

/// Box along the axes of the frame that bounds a particle tightly, each type of shape exactly.
struct ParticleBox {
  Vec3 least = Vec3::Zero(), most = Vec3::Zero();  ///< [L]
};
ParticleBox boxOf(const PackParticle& particle);

/// Centre of a particle: the centroid of its volume, or the middle of its box where it has none.
/// @throws GeometryError as particleMass, except for a particle without volume
std::vector<Vec3> particleCentres(const ShapePack& pack, const ClumpMassOptions& options = {});

/// Names that conditions on particles may use: id, kind ('Sphere', ... or 'clump'), shapes,
/// spheres, unclumped (1 or 0), x y z (centre), volume, equivRad (of the ball of the same volume),
/// boundRad (of the smallest ball around it), density (1 where it carries none), xmin ymin zmin
/// xmax ymax zmax (box).
std::span<const Condition::Name> particleNames();

/// Values of a formula over the names above, one a particle. Masses are computed only if the
/// formula needs them.
std::vector<double> particleNumbers(const ShapePack& pack, const Condition& formula,
                                    const ClumpMassOptions& options = {});

}  // namespace scree::clump
