// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/run.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// Whether `file`, by whatever path or link, is an input of the run.
bool isInput(const std::string& file, const RunOptions& options);

/// The files of an earlier run in the folder of outputs, less the inputs of this one: what goes as
/// this one begins.
std::vector<std::string> leavingFiles(const RunOptions& options, const RunRecord& earlier);

/// @throws IoError where the folder holds an unfinished run or a run of another input. Also where
/// it holds a file that no earlier run has written and this one would replace.
void checkFolder(const RunOptions& options, const Simulation& simulation, const RunRecord& earlier);

}  // namespace scree::sim
