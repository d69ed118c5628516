// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/run.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scree::sim {

/// A call that goes on with the run in a folder.
struct ResumeRequest {
  std::string conf;                   ///< the conf-file that is named now; - is standard input
  bool compat = false;                ///< requested; a run goes on with the mechanics it began with
  std::optional<std::uint64_t> seed;  ///< the one given
};

/// Replaces `conf` by the newest state in the folder, with tmax and interConf of `conf`, and sets
/// how `run` begins: resumed, or again from `conf` where there is no such state. The rules follow
/// from `run.earlier`, the record of the run in the folder.
/// @returns false where the run came to its end, and that is no earlier than tmax
/// @throws ModelError where the run cannot be one of `conf`, nor of the request
bool continueRun(Conf& conf, RunOptions& run, const ResumeRequest& request,
                 Diagnostics& diagnostics);

/// The inputs of a resumed run are those that it began with; `run` has those of this call. Warns
/// where shapes, or the tables that are requested, are others now.
void keepInputs(RunOptions& run, double time, Diagnostics& diagnostics);

}  // namespace scree::sim
