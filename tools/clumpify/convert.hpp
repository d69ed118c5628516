// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/clump/clump_mass.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

struct ConvertOptions {
  std::string input;          ///< "-": standard input
  std::string from = "auto";  ///< shapepack, conf, shp; auto: as the file shows
  std::string to;
  std::string toOption = "--to";     ///< how messages name the option of `to`
  std::string fromNan = "particle";  ///< how markers of shared nodes count, see packFrom
  std::string name = "pack";         ///< how snippets call the files: the name of the output
  /// Of shapes that particles come from, by ID. Particles without one are named by their ID.
  std::map<std::int64_t, std::string> shapeNames;
  bool toFile = false;        ///< the output has a name, and files may stand beside it
  double density = 1.0;       ///< [M/L³] of particles that carry none
  bool densityGiven = false;  ///< by the user, so that its loss is reported
  bool lossy = false;         ///< leave out what the target cannot hold
  std::string remedy = "--lossy continues without";  ///< what messages about a loss suggest
  int threads = 1;
};

/// A file of a result: its name is that of the output followed by `suffix`.
struct ConvertedFile {
  std::string suffix;
  std::string text;
};

/// @throws UsageError for an unknown format, or where its files would name one that other programs
/// cannot read
void checkName(const ConvertOptions& options);

/// @throws UsageError because a result has several files. @param format  as messages name it
[[noreturn]] void refuseStandardOutput(const std::string& format);

/// A pack in the format `options.to`: one file, or several. What the target cannot hold is refused
/// (a body, its shape, given mass or inertia) unless `lossy`, or warned about (the rest). Balls
/// that swallowedBalls() names are left out, with a warning, unless the target holds everything.
/// @throws UsageError for an unknown format or as checkName; ModelError where something would be
/// lost, or no particle is left
std::vector<ConvertedFile> written(const clump::ShapePack& pack, const ConvertOptions& options,
                                   Diagnostics& diagnostics);
/// The same for the pack in `options.input`.
std::vector<ConvertedFile> converted(const ConvertOptions& options, Diagnostics& diagnostics);

/// Writes the files beside each other, their names beginning with `output`.
/// @throws UsageError where several files would go to standard output; IoError where one is in the
/// way
void writeConverted(const std::vector<ConvertedFile>& files, const std::string& output,
                    const std::string& format, Existing existing);

}  // namespace scree::tools
