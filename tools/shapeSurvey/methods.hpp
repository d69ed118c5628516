// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"
#include "shapeSurvey.hpp"

namespace scree::tools {

/// The options of `compute` that say how masses are computed.
void addMethodOptions(CLI::App& verb, ComputeOptions& options);
/// @throws UsageError for an unknown method, or numbers out of range
mass::MassOptions massOptions(const ComputeOptions& options);
/// Method and, where there is one, bound: "certified, within 8e-07".
std::string worthOf(const mass::MassReport& report);

}  // namespace scree::tools
