// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/run.hpp"

#include <string>

namespace scree::tools {

struct CheckReport {
  std::string text;
  std::string failure;  ///< of the steps that were made; "" if there was none
};
/// The report of `--check`: what would run, what looks wrong, how long it would take on 1, 2, 4 ...
/// threads, and the memory. Makes some steps of `simulation` for these.
CheckReport checkReport(sim::Simulation& simulation, const sim::Drives& drives,
                        const sim::CriticalStep& critical, bool json);

/// Repeats the run of a run.json without outputs. @returns 0 where the state is the same
/// @throws ModelError where inputs or state differ
int replay(const std::string& recordPath, const CommonOptions& common);

/// The text of `--list KIND`. @throws UsageError naming the kinds
std::string listOf(const std::string& kind);
/// The same as JSON: {"schema":1,KIND:[{name, arguments, unit, default, help}]}.
std::string listJson(const std::string& kind);

}  // namespace scree::tools
