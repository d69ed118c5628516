// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/run.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scree::tools {

struct RockableOptions {
  CommonOptions common;
  sim::RunOptions run;  ///< folder, steps, until, checkpoint, compress and doneFile as given
  std::string conf = "conf0";
  bool check = false, resume = false, untilRest = false;
  std::string rest;  ///< UNBALANCED,ENERGY,SECONDS
  std::optional<std::int64_t> seed;
  std::string keep, compat, list, replay;
};

void addOptions(CLI::App& app, RockableOptions& options);

/// Runs, checks or lists, as the options say. @returns the exit code
int rockable(const RockableOptions& options);

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
std::string listJson(
    const std::string& kind);  ///< {"schema":1,KIND:[{name, arguments, unit, default, help}]}

}  // namespace scree::tools
