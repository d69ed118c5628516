// SPDX-License-Identifier: GPL-3.0-or-later
#include "drive_output.hpp"

#include "scree/base/files.hpp"

#include <filesystem>
#include <utility>

namespace scree::tools {
namespace {

std::vector<std::pair<std::string, const std::string*>> filesOf(const DriveOutput& output,
                                                                const std::string& confOutput) {
  const std::filesystem::path folder = std::filesystem::path(confOutput).parent_path();
  std::vector<std::pair<std::string, const std::string*>> files;
  if (!output.driving.empty())
    files.emplace_back((folder / "drivingSystem.txt").string(), &output.driving);
  if (!output.extractors.empty())
    files.emplace_back((folder / "dataExtractors.txt").string(), &output.extractors);
  return files;
}

}  // namespace

void DriveOutput::check(const std::string& confOutput, const CommonOptions& common) const {
  if (driving.empty() && extractors.empty()) return;
  if (confOutput == "-")
    throw UsageError(
        "-o - writes the conf-file alone, but its drives need drivingSystem.txt beside it: name a "
        "file");
  for (const auto& [path, text] : filesOf(*this, confOutput))
    checkMayWrite(path, common.existing());
}

std::vector<std::string> DriveOutput::write(const std::string& confOutput,
                                            const CommonOptions& common) const {
  std::vector<std::string> written;
  for (const auto& [path, text] : filesOf(*this, confOutput)) {
    writeFile(path, *text, common.existing());
    written.push_back(path);
  }
  return written;
}

}  // namespace scree::tools
