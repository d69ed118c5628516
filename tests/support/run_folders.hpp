// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of outputs compared.
#pragma once

#include "command.hpp"

#include <map>
#include <set>
#include <string>

namespace scree::testing {

/// Files of a folder, with their content; of those that hold times on the wall (run.json, perf.txt)
/// the names alone.
inline std::map<std::string, std::string> filesOf(const Folder& folder, const std::string& name) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path(name))) {
    if (!entry.is_regular_file()) continue;
    const std::string file = fs::relative(entry.path(), folder.path(name)).string();
    files[file] = file == "run.json" || file == "perf.txt" ? "" : readFile(entry.path().string());
  }
  return files;
}

/// "" where two folders hold the same files with the same bytes; else the first that differs.
inline std::string difference(const Folder& folder, const std::string& a, const std::string& b) {
  const auto in = filesOf(folder, a), other = filesOf(folder, b);
  for (const auto& [name, content] : in)
    if (!other.contains(name)) return name + " is in " + a + " alone";
  for (const auto& [name, content] : other)
    if (!in.contains(name)) return name + " is in " + b + " alone";
  for (const auto& [name, content] : in)
    if (other.at(name) != content) return name + " differs";
  return {};
}

}  // namespace scree::testing
