// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::tools {

/// Blocks of a ShapePack (its particles), of a conf-file (its bodies, by number) or of a
/// shape-file (each shape where its `position` and `orientation` place it, by number). The file
/// itself shows which it is. "-": standard input.
/// @throws GeometryError naming the body for a shape that no pebble can be
clump::ShapePack blocksFrom(const std::string& path, const std::string& fromNan,
                            Diagnostics& diagnostics);

/// Numbers of a list such as `0-3,7`. @throws UsageError naming `option`
std::vector<std::pair<std::int64_t, std::int64_t>> idRanges(const std::string& text,
                                                            const std::string& option);

}  // namespace scree::tools
