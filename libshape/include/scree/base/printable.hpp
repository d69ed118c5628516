// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace scree {

/// `text` with nothing that a terminal takes for a command. Control characters, in UTF-8 those from
/// U+0080 to U+009F too, are spelt out as \x1b.
/// @param kept  control characters of ASCII that stay
std::string printable(std::string_view text, std::string_view kept = {});

}  // namespace scree
