// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// How messages name an input: `-` is standard input.
std::string inputName(const std::string& path);

/// @throws UsageError where standard input is given more than once: it can be read only once
void checkInputs(std::span<const std::string> paths);

/// What `work` returns; a solid that it refuses is named with the file it is from.
template <class Work>
auto inFile(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const GeometryError& error) {
    throw GeometryError(inputName(path) + ": " + error.what());
  }
}

/// The format that a text shows, as convert --from names it. The first line behind comments shows
/// shp, conf, yade and csv; any other text counts as shapepack.
std::string_view formatShown(const TextReader& in);

/// Values of a formula over the particles of a pack, one a particle.
/// @throws UsageError naming `option` for a formula that is wrong
std::vector<double> particleValues(const clump::ShapePack& pack, std::string_view option,
                                   const std::string& formula, const clump::ClumpMassOptions& mass);

/// The ShapePack in a file, "-": standard input.
/// @param fromNan  how markers of shared nodes count: "particle" or "line"
/// @throws ModelError for a text that shows another format. UsageError for another `fromNan`
clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan = "particle");
/// The same from a text of which nothing has been read.
clump::ShapePack packFrom(TextReader& in, Diagnostics& diagnostics, const std::string& fromNan);

}  // namespace scree::tools
