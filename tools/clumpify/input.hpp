// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace scree::tools {

/// The ShapePack in a file, "-": standard input.
/// @param fromNan  how markers of shared nodes count: "particle" or "line"
/// @throws UsageError for a shape-file, or another word as `fromNan`
clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan = "particle");

using Json = nlohmann::ordered_json;
Json jsonArray(const Vec3& v);  ///< x, y, z
Json jsonRows(const Mat3& m);   ///< nine numbers, row by row
Json jsonQuat(const Quat& q);   ///< w, x, y, z

}  // namespace scree::tools
