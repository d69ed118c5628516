// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <string>
#include <string_view>

namespace scree::tools {

/// Prints on standard error, behind an open progress bar. A terminal that has gone is no failure.
void talk(const std::string& text);

/// Text for a terminal, with characters spelt out that would move its cursor or colour it.
std::string harmless(std::string_view text);

/// Prints an error in one line.
void complain(const std::string& tool, const std::string& kind, const std::string& message,
              const CommonOptions& options);

}  // namespace scree::tools
