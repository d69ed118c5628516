// SPDX-License-Identifier: GPL-3.0-or-later
#include "ending.hpp"

#include "run_tool.hpp"
#include "signals.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace scree::tools {

void writeDone(const RockableOptions& options) {
  if (options.doneFile.empty()) return;
  // A pipe may have no reader. Else the file is written whole first.
  std::error_code ignored;
  if (std::filesystem::is_fifo(options.doneFile, ignored)) useDefaultSignals();
  writeFile(options.doneFile, sim::doneText(sim::earlierRun(options.folder)), Existing::replace);
}

void printRecord(const RockableOptions& options) {
  if (options.common.json)
    printResult(readFile((std::filesystem::path(options.folder) / "run.json").string()));
}

void refuseUnderStrict(const RockableOptions& options, const sim::RunQuality& quality,
                       const std::vector<std::string>& findings, bool printed) {
  if (!options.common.strict) return;
  if (!findings.empty()) {
    if (!printed) printErrors("rockable", findings, options.common);
    throw ModelError(fmt::format("{} finding{} about the run, errors under --strict",
                                 findings.size(), findings.size() > 1 ? "s" : ""));
  }
  if (!quality.withinBounds())
    throw ModelError(
        fmt::format("the run exceeds its bounds, an error under --strict: {}", describe(quality)));
}

}  // namespace scree::tools
