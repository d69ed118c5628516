// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "check.hpp"
#include "export.hpp"

#include <CLI/CLI.hpp>

namespace scree::tools {

CLI::App& addExport(CLI::App& app, ExportOptions& options);

CLI::App& addCheck(CLI::App& app, CheckOptions& options);

}  // namespace scree::tools
