// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"

#include <string>

namespace scree::tools {

/// The ShapePack in a file, "-": standard input.
/// @param fromNan  how markers of shared nodes count: "particle" or "line"
/// @throws UsageError for a shape-file, or another word as `fromNan`
clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan = "particle");

}  // namespace scree::tools
