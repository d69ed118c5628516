// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace scree::tools {

/// The conf-files that files and folders stand for at this moment, in the order of their numbers.
/// None while nothing exists, and where a file disappears between two looks. For tools that follow
/// a run.
std::vector<std::string> confFilesNow(const std::vector<std::string>& paths);

/// Whether the run that writes these conf-files is over. Its `run.json` is then not older than the
/// newest of them, or, without a run.json, the newest has reached tmax.
bool runIsOver(const std::vector<std::string>& files);

}  // namespace scree::tools
