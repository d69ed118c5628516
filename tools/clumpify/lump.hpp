// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"

#include <string>
#include <vector>

namespace scree::tools {

struct LumpVerbOptions {
  std::string input;                 ///< ShapePack; "-": standard input
  double density = 1.0;              ///< [M/L³] positive, of particles that carry none
  std::string share = "particle";    ///< equal corners are one node within a particle, or the pack
  std::string fromNan = "particle";  ///< how markers of shared nodes count, see packFrom
};

/// @throws UsageError for words or numbers out of range; GeometryError as lumpedNodes
std::vector<clump::LumpedNode> lumped(const LumpVerbOptions& options, Diagnostics& diagnostics);

/// A line a node and their total mass, for people.
std::string lumpTable(const std::vector<clump::LumpedNode>& nodes);
/// `{"schema":1,"nodes":[...],"total":{...}}` (docs/tools/clumpify.md).
std::string lumpJson(const std::vector<clump::LumpedNode>& nodes);

}  // namespace scree::tools
