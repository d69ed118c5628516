// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scree::tools {

struct RockableOptions {
  CommonOptions common;
  std::string conf = "conf0";
  std::string folder = ".";
  bool check = false, dryRun = false, resume = false;
  std::optional<std::int64_t> steps;
  std::optional<double> until;
  std::string doneFile, keep, compat, list;
};

void addOptions(CLI::App& app, RockableOptions& options);

/// Runs, checks or lists, as the options say. @returns the exit code
int rockable(const RockableOptions& options);

/// What `--check` and `--dry-run` print: what would run, without running it.
std::string checkReport(const sim::Simulation& simulation, const RockableOptions& options);

/// What `--list KIND` prints. @throws UsageError naming the kinds
std::string listOf(const std::string& kind);

}  // namespace scree::tools
