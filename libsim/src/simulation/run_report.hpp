// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/run.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// The text of run.json; docs/tools/rockable.md names the keys.
std::string runJson(const Simulation& simulation, const RunOptions& options, const std::string& end,
                    double wallSeconds, const std::vector<std::string>& outputs);

/// What an earlier run.json says; empty where there is none or it cannot be read.
struct EarlierRun {
  bool done = false;
  double time = 0.0;  ///< [T] it came to
  std::vector<std::string> outputs;
};
EarlierRun earlierRun(const std::string& folder);

}  // namespace scree::sim
