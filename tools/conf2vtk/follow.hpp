// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"

#include <functional>
#include <string>

namespace scree::tools {

/// Converts a series while a run still writes it: every `seconds` what is new.
///
/// Ends after the run has: its `run.json` is not older than the newest conf-file, or, without one,
/// the newest conf-file has reached tmax. A file that cannot be read yet is tried again; one that
/// still cannot be read at the end is in the report. Waits for a folder that is not there yet.
/// @param stopped  asked between files: true ends it early
/// @return what all passes did together
Conf2vtkReport followRun(const Conf2vtkOptions& options, Diagnostics& diagnostics, double seconds,
                         const std::function<bool()>& stopped,
                         const std::function<void(const std::string&)>& announce);

}  // namespace scree::tools
