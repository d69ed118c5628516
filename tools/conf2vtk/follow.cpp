// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// The conf-files there are now, in the order of their numbers; none while nothing is there yet.
std::vector<std::string> filesNow(const std::vector<std::string>& paths) {
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

/// Whether the run that writes the files is over.
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

}  // namespace

Conf2vtkReport followRun(const Conf2vtkOptions& options, Diagnostics& diagnostics, double seconds,
                         const std::function<bool()>& stopped,
                         const std::function<void(const std::string&)>& announce) {
  Conf2vtkReport all;
  std::set<std::string> warned;
  Conf2vtkOptions pass = options;
  const auto convertNow = [&](const std::vector<std::string>& files) {
    pass.confs.clear();
    std::error_code code;
    for (const std::string& path : options.confs)
      if (fs::exists(path, code)) pass.confs.push_back(path);
    Diagnostics notes(diagnostics.strict());
    Conf2vtkReport report;
    try {
      report = conf2vtk(pass, notes, [](const std::string&) {}, {});
    } catch (const UsageError&) {
      throw;
    } catch (const IoError&) {
      // A file that went between two looks is no reason to end; what cannot be written is.
      const auto now = filesNow(options.confs);
      if (now == files) throw;
    } catch (const Error&) {
      report.failures.addCurrent({});  // of a single file, so far
    }
    pass.remake = false;  // what --force made again is new now
    for (const std::string& warning : notes.warnings())
      if (warned.insert(warning).second) diagnostics.warn(warning);
    all.converted += report.converted;
    all.kept = report.kept;
    all.bytes += report.bytes;
    all.removed += report.removed;
    all.failures = report.failures;
    all.collections = report.collections;
    if (report.converted > 0)
      announce(fmt::format("{} converted, {} in all; {:.1f} MB", report.converted,
                           report.converted + report.kept,
                           1e-6 * static_cast<double>(report.bytes)));
  };
  for (;;) {
    // Asked before the files are listed: what the run wrote last is among them.
    const bool over = runIsOver(filesNow(options.confs));
    const auto files = filesNow(options.confs);
    if (!files.empty()) convertNow(files);
    if (over || stopped()) return all;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until && !stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace scree::tools
