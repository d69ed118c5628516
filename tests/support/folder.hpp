// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace scree::testing {

namespace fs = std::filesystem;

/// A folder of a name that no other test has, gone at the end. Tests write nowhere else: CTest runs
/// cases of a program side by side, and two that share a name destroy their files.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "scree-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }
  std::string operator/(const std::string& name) const { return path(name); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    writeFile(path(name), text, Existing::replace);
    return path(name);
  }
  std::string read(const std::string& name) const { return readFile(path(name)); }
  bool has(const std::string& name) const { return fs::exists(path(name)); }

 private:
  fs::path path_;
};

}  // namespace scree::testing
