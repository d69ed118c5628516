// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// Writes the files of a packing. Those that were not there before go again unless keep() is
/// called: half a packing would be in the way of the same command.
class PackFiles {
 public:
  explicit PackFiles(Existing existing) : existing_(existing) {}
  ~PackFiles();
  PackFiles(const PackFiles&) = delete;
  PackFiles& operator=(const PackFiles&) = delete;

  void write(const std::string& path, std::string_view text);  ///< @throws IoError
  void keep() { made_.clear(); }

 private:
  Existing existing_;
  std::vector<std::string> made_;
};

/// drivingSystem.txt and dataExtractors.txt beside a conf-file. Empty texts are not written.
struct DriveOutput {
  std::string driving, extractors;

  /// Those that are written beside `confOutput`.
  std::vector<std::string> paths(const std::string& confOutput) const;
  /// @throws UsageError where the conf-file goes to standard output
  /// @throws IoError without --force for a file that exists, also where its text here is empty
  void check(const std::string& confOutput, const CommonOptions& common) const;
  /// Writes them, and removes those of another packing. @returns the paths of those written
  std::vector<std::string> write(const std::string& confOutput, PackFiles& files,
                                 const CommonOptions& common) const;
};

/// @throws UsageError where two outputs are one file; "" and "-" are none
void refuseSameFiles(const std::vector<std::string>& outputs);

}  // namespace scree::tools
