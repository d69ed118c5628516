// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_files.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <filesystem>
#include <optional>
#include <set>

namespace scree::tools {

namespace fs = std::filesystem;

std::vector<std::string> confFilesNow(const std::vector<std::string>& paths) {
  std::vector<std::string> there;
  std::error_code code;
  for (const std::string& path : paths)
    if (fs::exists(path, code)) there.push_back(path);
  if (there.empty()) return {};
  try {
    return sim::confSeries(there);
  } catch (const Error&) {
    return {};  // a file went between two looks
  } catch (const fs::filesystem_error&) {
    return {};
  }
}

bool runIsOver(const std::vector<std::string>& files) {
  if (files.empty()) return false;
  std::error_code code;
  std::optional<fs::file_time_type> newest;
  std::set<fs::path> folders;
  for (const std::string& file : files) {
    folders.insert(fs::path(file).parent_path());
    const auto time = fs::last_write_time(file, code);
    if (!code && (!newest || time > *newest)) newest = time;
  }
  bool recorded = false;
  for (const fs::path& folder : folders) {
    const auto time = fs::last_write_time(folder / "run.json", code);
    if (code) continue;
    recorded = true;
    if (newest && time >= *newest) return true;
  }
  if (recorded) return false;  // of an earlier run
  try {
    Diagnostics ignored;
    const sim::Conf last = sim::readConfFromFile(files.back(), ignored);
    return last.t >= last.tmax - 0.5 * last.dt;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace scree::tools
