// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace scree::tools {

/// `text` as one word of a shell, for commands that a tool prints to be typed. It is quoted unless
/// all its characters are plain. So a shell sees the same bytes and runs nothing in them. Control
/// characters need $'...', which bash, zsh and ksh read.
std::string shellWord(std::string_view text);
/// The same for the path of a file, which may begin with '-': that is then no option. "-" stays.
std::string shellFile(std::string_view path);

}  // namespace scree::tools
