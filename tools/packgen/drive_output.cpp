// SPDX-License-Identifier: GPL-3.0-or-later
#include "drive_output.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

using File = std::pair<std::string, const std::string*>;

/// The files beside a conf-file that a run of it reads, with the texts that they should have.
std::vector<File> filesBeside(const DriveOutput& output, const std::string& confOutput) {
  const std::filesystem::path folder = std::filesystem::path(confOutput).parent_path();
  return {{(folder / "drivingSystem.txt").string(), &output.driving},
          {(folder / "dataExtractors.txt").string(), &output.extractors}};
}

std::vector<File> filesOf(const DriveOutput& output, const std::string& confOutput) {
  std::vector<File> files = filesBeside(output, confOutput);
  std::erase_if(files, [](const File& file) { return file.second->empty(); });
  return files;
}

/// Files of another packing that a run of the new conf-file would obey.
std::vector<std::string> leftOver(const DriveOutput& output, const std::string& confOutput) {
  std::vector<std::string> found;
  for (const auto& [path, text] : filesBeside(output, confOutput))
    if (std::error_code ignored; text->empty() && std::filesystem::exists(path, ignored))
      found.push_back(path);
  return found;
}

}  // namespace

std::vector<std::string> DriveOutput::paths(const std::string& confOutput) const {
  std::vector<std::string> names;
  for (const auto& [path, text] : filesOf(*this, confOutput)) names.push_back(path);
  return names;
}

void DriveOutput::check(const std::string& confOutput, const CommonOptions& common) const {
  if (confOutput == "-") {
    if (driving.empty() && extractors.empty()) return;
    throw UsageError(
        "-o - writes the conf-file alone, but its drives need drivingSystem.txt beside it: use -o "
        "FILE");
  }
  for (const auto& [path, text] : filesOf(*this, confOutput))
    checkCanWrite(path, common.existing());
  const std::vector<std::string> found = leftOver(*this, confOutput);
  if (!found.empty() && !common.force)
    throw IoError(
        fmt::format("{}: a run of the new conf-file would read this file, which is of another "
                    "packing; choose another folder with -o, or remove it with --force",
                    found.front()));
}

PackFiles::~PackFiles() {
  for (const std::string& path : made_) (void)std::remove(path.c_str());
}

void PackFiles::write(const std::string& path, std::string_view text) {
  std::error_code ignored;
  const bool isNew = path != "-" && std::filesystem::symlink_status(path, ignored).type() ==
                                        std::filesystem::file_type::not_found;
  if (isNew) made_.reserve(made_.size() + 1);
  writeFile(path, text, existing_);
  if (isNew) made_.push_back(path);
}

std::vector<std::string> DriveOutput::write(const std::string& confOutput, PackFiles& files,
                                            const CommonOptions& common) const {
  std::vector<std::string> written;
  if (confOutput == "-") return written;
  for (const std::string& path : leftOver(*this, confOutput)) {
    if (std::error_code failure; !std::filesystem::remove(path, failure))
      throw IoError(fmt::format("{}: cannot remove it: {}", path, failure.message()));
    say(common, fmt::format("{}: removed, it was of another packing", path));
  }
  for (const auto& [path, text] : filesOf(*this, confOutput)) {
    files.write(path, *text);
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
