// SPDX-License-Identifier: GPL-3.0-or-later
#include "growing_file.hpp"
#include "run_tables.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/table.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace scree::sim {

void checkResumedTables(const RunOptions& options, const Simulation& simulation,
                        Diagnostics& diagnostics) {
  const auto check = [&](const std::string& name, std::uint64_t expected) {
    const std::string path = (std::filesystem::path(options.folder) / name).string();
    const std::uint64_t found = timesBetween(path, options.firstTime, simulation.time());
    if (found < expected)
      diagnostics.warn(fmt::format(
          "{}: has rows of {} of the {} times up to t = {}; the run continues it, but the others "
          "stay missing",
          path, found, expected, tableTime(simulation.time())));
  };
  const std::uint64_t states =
      static_cast<std::uint64_t>(std::max(0, simulation.iconf() - options.firstConf));
  for (const char* name : {"kineticEnergy.txt", "energy.txt", "perf.txt"}) check(name, states);
  for (const ScriptedExtractor& e : options.extractors) {
    const std::string path = (std::filesystem::path(options.folder) / e.file).string();
    if (const std::string first = firstLine(path); first.starts_with('#') && first != headerOf(e))
      throw ModelError(fmt::format(
          "{}: its columns are not those of {} in {}; resume the run with the lines of this file "
          "that it began with, or give the table another name",
          path, nameOf(e.extractor), e.where.file));
    // Records are due at steps 1, 1 + period, 1 + 2 periods ...
    const auto due = [&](std::uint64_t step) { return step == 0 ? 0 : (step - 1) / e.period + 1; };
    check(e.file, due(simulation.stepIndex()) -
                      std::min(due(simulation.stepIndex()), due(options.firstStep)));
  }
}

}  // namespace scree::sim
