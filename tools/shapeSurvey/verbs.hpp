// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "check.hpp"
#include "export.hpp"
#include "image.hpp"

#include <CLI/CLI.hpp>

namespace scree::tools {

CLI::App& addExport(CLI::App& app, ExportOptions& options);

CLI::App& addCheck(CLI::App& app, CheckOptions& options);

CLI::App& addImage(CLI::App& app, ImageOptions& options);

}  // namespace scree::tools
