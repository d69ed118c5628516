// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "check/run_monitor.hpp"

#include "scree/sim/run.hpp"

#include <map>
#include <string>
#include <vector>

namespace scree::sim {

/// The text of run.json (docs/tools/rockable.md has the schema).
/// @param end  "starting", "running", "tmax", "extractor", "rest", "stopped", "failed"
/// @param ending  what ends the run at this step, before tmax
std::string runJson(const Simulation& simulation, const RunOptions& options, const std::string& end,
                    double wallSeconds, const std::vector<std::string>& outputs,
                    const std::string& stateHash, const std::map<int, std::string>& confHashes,
                    const RunMonitor& monitor, const std::optional<RestWatch>& rest,
                    const Ending& ending);

}  // namespace scree::sim
