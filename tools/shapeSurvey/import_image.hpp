// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shapeSurvey.hpp"

#include "scree/scan/grains.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// Import of the grains of one image: its options, as typed where they are words.
struct ImageImport {
  std::string path, voxel, size, type = "uint16", border;
  std::optional<double> threshold;
  scan::GrainOptions grains;
  std::string output, conf, table;
  bool walls = false;  ///< six walls around the packing of the conf-file
};
/// Adds the options that only images have. @returns them
std::vector<CLI::Option*> addImageOptions(CLI::App& verb, ImageImport& options);
/// Reads, imports, reports and writes. @returns the exit code
int importImage(ImageImport options, const CommonOptions& common);

}  // namespace scree::tools
