// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace scree::tools {

/// `text` as one word of a POSIX shell, for commands that a tool prints to be typed. It is quoted
/// unless all its characters are plain. So a shell sees the same bytes and runs nothing in them.
std::string shellWord(std::string_view text);

}  // namespace scree::tools
