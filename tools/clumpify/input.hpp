// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/clump/shape_pack.hpp"

#include <string>
#include <string_view>

namespace scree::tools {

/// What `work` returns; a solid that it refuses is named with the file it is from.
template <class Work>
auto inFile(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const GeometryError& error) {
    throw GeometryError((path == "-" ? std::string("standard input") : path) + ": " + error.what());
  }
}

/// The line that shows the format of a text: the first behind comments, where `#format` is none.
std::string_view firstLine(const TextReader& in);
/// Its first word.
std::string firstWord(const TextReader& in);

/// The ShapePack in a file, "-": standard input.
/// @param fromNan  how markers of shared nodes count: "particle" or "line"
/// @throws UsageError for a shape-file, or another word as `fromNan`
clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan = "particle");

}  // namespace scree::tools
