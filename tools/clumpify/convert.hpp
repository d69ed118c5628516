// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"

#include <string>

namespace scree::tools {

struct ConvertOptions {
  std::string input;  ///< "-": standard input
  std::string from = "shapepack";
  std::string to;
  std::string fromNan = "particle";  ///< how markers of shared nodes count, see packFrom
};

/// The input in the requested format. @throws UsageError for a format that is not available yet
std::string converted(const ConvertOptions& options, Diagnostics& diagnostics);

}  // namespace scree::tools
