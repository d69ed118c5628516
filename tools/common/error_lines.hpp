// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// Prints errors that did not end the tool on stderr, one line each, as runTool() prints the one
/// that ends it.
void printErrors(const std::string& tool, const std::vector<std::string>& errors,
                 const CommonOptions& options);

}  // namespace scree::tools
