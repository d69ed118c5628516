// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/clump_mass.hpp"

#include <string>
#include <vector>

namespace scree::tools {

struct MassOptions {
  std::string input;            ///< ShapePack; "-": standard input
  double density = 1.0;         ///< [M/L³] positive
  std::string method = "auto";  ///< auto, exact, sum, grid, octree, or all of them but exact
  int threads = 1;
  double tolerance = 1e-5;           ///< relative, of certified volumes
  int divisions = 5;                 ///< grid: cells to the smallest radius
  std::string fromNan = "particle";  ///< how markers of shared nodes count, see packFrom
};

/// Mass properties of each particle of a pack; for "all", an entry a particle and method.
/// @throws UsageError for an unknown method, numbers out of range, or a shape-file
std::vector<clump::ParticleMass> masses(const MassOptions& options, Diagnostics& diagnostics);

/// A line a particle, for people, and their total. @param density  of particles that carry none
/// @param total  false where particles appear several times
std::string massTable(const std::vector<clump::ParticleMass>& particles, double density,
                      bool total = true);
/// `{"schema":1,"particles":[...],"total":{...}}` (docs/tools/clumpify.md).
std::string massJson(const std::vector<clump::ParticleMass>& particles, double density,
                     bool total = true);

}  // namespace scree::tools
