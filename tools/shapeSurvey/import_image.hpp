// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "read_image.hpp"
#include "shapeSurvey.hpp"

#include <optional>
#include <string>

namespace scree::tools {

/// Import of the grains of one image.
struct ImageImport {
  std::string path;
  Vec3 voxel = Vec3::Zero();  ///< [L] sides
  std::optional<RawForm> raw;
  scan::GrainOptions grains;
  std::optional<double> density;  ///< [M/L³] of the table and the conf-file
  std::string output, conf, table;
  bool walls = false;  ///< six walls around the packing of the conf-file
};
/// Reads, imports, reports and writes. @returns the exit code
int importImage(ImageImport& options, const CommonOptions& common);

}  // namespace scree::tools
