// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rockable.hpp"

#include <cstdint>
#include <vector>

namespace scree::tools {

/// The seed that commands draw with: the one given, or that of the run to be resumed.
/// @throws ModelError where another one is given than that run began with
std::uint64_t seedOf(const RockableOptions& options);

/// The state in the folder of outputs that the run goes on from, in place of `conf`. @returns
/// whether there is one
/// @param firstTime  [T] at which the conf-file begins; becomes when that run began
/// @throws ModelError where that run cannot be one of `conf`, nor of the options
bool takeUp(sim::Conf& conf, double& firstTime, const RockableOptions& options,
            Diagnostics& diagnostics);

/// The inputs `begun` of a run, as they are named now. The folder of outputs may have been
/// moved: an input that is no longer there is the one of `now` with its role and content.
std::vector<sim::InputFile> inputsOf(std::vector<sim::InputFile> begun,
                                     const std::vector<sim::InputFile>& now);

/// Warns where the run, resumed at `time` [T], does not write the tables that it began with.
/// @param inputs  of the resumed run
void warnOfExtractors(const std::vector<sim::InputFile>& inputs, double time,
                      const RockableOptions& options, Diagnostics& diagnostics);

/// --resume of a run that is done: the same checks as of one that is not, and what it ended with.
void reportDone(const sim::Conf& conf, const RockableOptions& options, Diagnostics& diagnostics);

}  // namespace scree::tools
