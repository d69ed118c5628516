// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// drivingSystem.txt and dataExtractors.txt beside a conf-file. Empty texts are not written.
struct DriveOutput {
  std::string driving, extractors;

  /// @throws UsageError where the conf-file goes to standard output, IoError for a file that exists
  void check(const std::string& confOutput, const CommonOptions& common) const;
  /// Writes them. @returns their paths
  std::vector<std::string> write(const std::string& confOutput, const CommonOptions& common) const;
};

}  // namespace scree::tools
