// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <string>
#include <string_view>

namespace scree::tools {

/// To standard error, behind an open progress bar. A terminal that has gone is no reason to fail.
void talk(const std::string& text);

/// Text with names from files in it, for a terminal: what would move its cursor or colour it is
/// spelt out.
std::string harmless(std::string_view text);

/// An error in one line.
void complain(const std::string& tool, const std::string& kind, const std::string& message,
              const CommonOptions& options);

/// With -v, what the program is, how it runs, and the sizes of the files that the command line
/// names.
void sayStart(const CLI::App& app, const CommonOptions& options);
/// With -v, what the run took.
void sayEnd(const CommonOptions& options);

}  // namespace scree::tools
