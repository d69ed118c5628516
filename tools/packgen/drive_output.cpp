// SPDX-License-Identifier: GPL-3.0-or-later
#include "drive_output.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
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

std::vector<std::string> DriveOutput::paths(const std::string& confOutput) const {
  std::vector<std::string> names;
  for (const auto& [path, text] : filesOf(*this, confOutput)) names.push_back(path);
  return names;
}

void DriveOutput::check(const std::string& confOutput, const CommonOptions& common) const {
  if (driving.empty() && extractors.empty()) return;
  if (confOutput == "-")
    throw UsageError(
        "-o - writes the conf-file alone, but its drives need drivingSystem.txt beside it: use -o "
        "FILE");
  for (const auto& [path, text] : filesOf(*this, confOutput))
    checkCanWrite(path, common.existing());
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

void refuseSameFiles(const std::vector<std::string>& outputs) {
  std::map<std::string, std::string> seen;  // of a file, the name given for it
  for (const std::string& path : outputs) {
    if (path.empty() || path == "-") continue;
    const auto [first, isNew] = seen.emplace(relativeTo(path, "."), path);
    if (!isNew)
      throw UsageError(fmt::format(
          "{}: two outputs would have this name; choose others with -o and --library", path));
  }
}

}  // namespace scree::tools
