// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/clump_mass.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

struct MassOptions {
  std::string input;            ///< ShapePack; "-": standard input
  double density = 1.0;         ///< [M/L³] positive
  std::string method = "auto";  ///< auto, exact, sum, grid, octree, or all of them but exact
  int threads = 1;
  std::optional<double> tolerance{};  ///< relative, of certified and octree volumes; 1e-5
  std::optional<int> divisions{};     ///< grid: cells to the smallest radius; 5
  std::string fromNan = "particle";   ///< how markers of shared nodes count, see packFrom
};

/// What ended a search by boxes of which so many could be cut, for notes.
std::string limitOf(const mass::OctreeBounds& octree, std::size_t allowed);

/// Mass properties of each particle of a pack; for "all", an entry a particle and method.
/// @throws UsageError for an unknown method, and numbers out of range or of another method.
/// ModelError for a file of another format
std::vector<clump::ParticleMass> masses(const MassOptions& options, Diagnostics& diagnostics);

/// A line a particle, for people, and their total. @param density  of particles that carry none
/// @param total  false where particles appear several times
std::string massTable(const std::vector<clump::ParticleMass>& particles, double density,
                      bool total = true);
/// `{"schema":1,"particles":[...],"total":{...}}` (docs/tools/clumpify.md).
std::string massJson(const std::vector<clump::ParticleMass>& particles, double density,
                     bool total = true);

}  // namespace scree::tools
