// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// @throws UsageError naming `option` where a file has another ending; "" and "-" are accepted
void checkEnding(std::string_view option, const std::string& file, std::string_view ending);

/// One document a file, and one on standard output ("-"). Empty names are none.
/// @throws UsageError where two outputs have the same name
void checkOutputs(std::vector<std::string> files);

}  // namespace scree::tools
