// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// Why a value cannot be read, and where.
struct ConfigRefusal {
  std::string message;
  std::size_t at;  ///< byte of the line
};

/// The values of an option in a line of a file of options.
///
/// They are a text, or a list of texts between brackets. Texts may stand in quotes: "..." with the
/// escapes of TOML, or '...' without. Without quotes and brackets, commas or blanks separate
/// several. A comment may follow. @param at  byte behind the equals sign
/// @throws ConfigRefusal
std::vector<std::string> configValues(std::string_view line, std::size_t at);

/// Values in the form that configValues reads back as the same: numbers as they are, other texts
/// in quotes, several as a list.
std::string configText(const std::vector<std::string>& values);

inline constexpr std::string_view configBlanks = " \t\r";
/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace scree::tools
