// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verb.hpp"

#include "scree/base/error.hpp"

#include <string>
#include <vector>

namespace scree::tools {

struct ImageOptions {
  std::string shapes, shape;              ///< file; name of one shape, or empty for all
  std::string output;                     ///< PNG, or "-"
  std::vector<int> size{800, 600};        ///< pixels of the whole picture
  std::vector<double> view{35.0, 22.0};   ///< degrees: azimuth, elevation
  std::vector<double> up{0.0, 0.0, 1.0};  ///< direction of the shapes' frame that is up
  int columns = 0;                        ///< of a sheet of several shapes; 0: by its proportions
  bool box = false, perspective = false, plain = false, edges = true;
  int threads = 1;
};

/// The bytes of a PNG picture of one shape, or of a sheet of several with their names.
/// @throws UsageError for sizes that are no picture, GeometryError as shape::coreOf
std::string pictureOf(const ImageOptions& options, Diagnostics& diagnostics);
std::string imageJson(const ImageOptions& options, std::size_t bytes);

Verb addImageVerb(CLI::App& app, const CommonOptions& common);

}  // namespace scree::tools
