// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow.hpp"

#include "inputs.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace scree::tools {

namespace fs = std::filesystem;

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
      const auto now = confFilesNow(options.confs);
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
  followFiles(options.confs, seconds, stopped, [&](const std::vector<std::string>& files, bool) {
    if (!files.empty()) convertNow(files);
  });
  return all;
}

}  // namespace scree::tools
