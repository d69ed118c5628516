// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_files.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

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

namespace {

/// Whether a run.json is that of a run that has not ended: rockable writes one when it starts.
bool isOfRunningRun(const std::string& path) {
  try {
    const std::string text = readFile(path);
    const auto key = text.find("\"end\"");
    if (key == std::string::npos) return false;
    const auto value = text.find('"', key + 5);
    return value != std::string::npos && text.compare(value, 9, "\"running\"") == 0;
  } catch (const Error&) {
    return false;  // it went between two looks
  }
}

}  // namespace

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
    if (newest && time >= *newest && !isOfRunningRun((folder / "run.json").string())) return true;
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

void followFiles(
    const std::vector<std::string>& paths, double seconds, const std::function<bool()>& stopped,
    const std::function<void(const std::vector<std::string>& files, bool over)>& look) {
  for (;;) {
    // Asked before the files are listed: what the run wrote last is among them.
    const bool over = runIsOver(confFilesNow(paths));
    look(confFilesNow(paths), over);
    if (over || stopped()) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until && !stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace scree::tools
