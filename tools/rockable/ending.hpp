// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rockable.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// Writes the file of --done, of the run that has left its run.json in the folder of outputs.
void writeDone(const RockableOptions& options);

/// Prints the run.json that the run has left, with --json.
void printRecord(const RockableOptions& options);

/// @throws ModelError under --strict where a run went wrong
/// @param findings  lines about it; printed first, as errors, unless `printed`
void refuseUnderStrict(const RockableOptions& options, const sim::RunQuality& quality,
                       const std::vector<std::string>& findings, bool printed);

}  // namespace scree::tools
