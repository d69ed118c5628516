// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/cover.hpp"

#include <string>

namespace scree::tools {

/// A line for each quantity, with its bracket where it has one; for people.
std::string qualityTable(const clump::CoverQuality& quality);
/// `{"schema":1,"spheres":...}` (docs/tools/clumpify.md).
std::string qualityJson(const clump::CoverQuality& quality);
/// One line: spheres, IoU, volume ratio and largest gap.
std::string qualityLine(const clump::CoverQuality& quality);

}  // namespace scree::tools
