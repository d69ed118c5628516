// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/clump/cover.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scree::tools {

/// A line for each quantity, with its bracket where it has one; for people.
std::string qualityTable(const clump::CoverQuality& quality);
/// `{"schema":1,"spheres":...}` (docs/tools/clumpify.md).
/// @param seed  of the search that made the clump, if any
std::string qualityJson(const clump::CoverQuality& quality, std::optional<std::uint64_t> seed = {});
/// Warns of each proven range that is wider than requested: the limit of work ended its search.
void warnOfWideRanges(const clump::CoverQuality& quality, double tolerance,
                      Diagnostics& diagnostics);
/// One line: spheres, IoU, volume ratio and largest gap.
std::string qualityLine(const clump::CoverQuality& quality);

}  // namespace scree::tools
