// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/formats.hpp"

#include <vector>

namespace scree::clump {

/// A particle made of balls alone, as programs for spheres know it.
struct SphereBody {
  const PackParticle* particle = nullptr;
  ParticleMass mass;
  double density = 1.0;  ///< [M/L³]
  double totalMass() const { return density * mass.solid.volume; }
  Mat3 inertia() const { return totalMass() * mass.solid.inertiaPerMass; }
  bool isClump() const { return particle->members.size() > 1 && !particle->unclumped; }
  /// Number of bodies that it is: each member is one if they are not clumped.
  std::size_t count() const { return isClump() ? 1 : particle->members.size(); }
};

// Texts for programs that build particles of spheres. Formats: the manuals of YADE (ymport),
// LAMMPS (read_data, fix rigid, molecule) and LIGGGHTS (fix particletemplate/multisphere).
std::vector<FormatFile> yadeFiles(const std::vector<SphereBody>& bodies,
                                  const WriteOptions& options);
std::vector<FormatFile> csvFiles(const std::vector<SphereBody>& bodies);
std::vector<FormatFile> lammpsFiles(const std::vector<SphereBody>& bodies, const ShapePack& pack,
                                    const WriteOptions& options);
std::vector<FormatFile> liggghtsFiles(const std::vector<SphereBody>& bodies,
                                      const WriteOptions& options);

}  // namespace scree::clump
