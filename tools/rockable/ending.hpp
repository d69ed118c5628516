// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rockable.hpp"

#include <cstddef>

namespace scree::tools {

/// Writes the file of --done, of the run that has left its run.json in the folder of outputs.
void writeDone(const RockableOptions& options);

/// Prints the run.json that the run has left, with --json.
void printRecord(const RockableOptions& options);

/// @throws ModelError under --strict where a run went wrong
/// @param findings  number of lines about it
void refuseUnderStrict(const RockableOptions& options, const sim::RunQuality& quality,
                       std::size_t findings);

}  // namespace scree::tools
