// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace scree::tools {

/// Exit code of a run that a signal has stopped.
inline constexpr int stoppedResumable = 75;

/// From here on the signals of terminals and schedulers end the program at once, with that code.
/// Nothing needs to be saved yet, and a file that is being read may never end.
/// @param quiet  no message
void endOnSignals(bool quiet);

/// From here on a first signal requests that the run saves and stops. A second INT or TERM ends the
/// program at once.
void saveOnSignals();

/// The same, but further signals have no effect: the program stops soon, and would leave files
/// behind if it ended at once.
void tidyUpOnSignals();

/// From here on signals have their default effect: they end the program. All is saved, and what is
/// left to do may wait for ever.
void useDefaultSignals();

/// Whether a signal has come since saveOnSignals() or tidyUpOnSignals().
const std::atomic<bool>& stopRequested();

}  // namespace scree::tools
