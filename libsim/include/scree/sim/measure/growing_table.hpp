// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that grow line by line, and what a killed program leaves of them.
#pragma once

#include <string>
#include <string_view>

namespace scree::sim {

/// `text` up to its last line break. A line without one was cut short, where a program was killed.
std::string_view wholeLines(std::string_view text) noexcept;

/// Adds whole lines to a file, which is made where there is none; none of them where that fails.
/// @throws IoError; also where `path` is a link, which is not followed
void appendLines(const std::string& path, std::string_view lines);

}  // namespace scree::sim
