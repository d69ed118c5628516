// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/cover.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scree::tools {

/// `{"schema":1,"spheres":...}` (docs/tools/clumpify.md).
/// @param seed  of the search that made the clump, if any
std::string qualityJson(const clump::CoverQuality& quality, std::optional<std::uint64_t> seed = {});
/// One line: spheres, IoU, volume ratio and largest gap.
std::string qualityLine(const clump::CoverQuality& quality);

}  // namespace scree::tools
