// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace scree::tools {

/// Prints on standard error, behind an open progress bar. A terminal that has gone is no failure.
void talk(const std::string& text);

/// Text for a terminal, with characters spelt out that would move its cursor or colour it.
std::string harmless(std::string_view text);

/// A value for people; "nan" where it is null.
std::string textOf(const nlohmann::ordered_json& value);
/// The members of an object for people, a line each with name and value; none for null.
std::string listText(const nlohmann::ordered_json& object);

/// Prints an error in one line.
void complain(const std::string& tool, const std::string& kind, const std::string& message,
              const CommonOptions& options);

}  // namespace scree::tools
