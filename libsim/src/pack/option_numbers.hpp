// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// The numbers of a value such as "box:1,2,3" of the option `option`, all finite and above 0.
/// @param form  the value as help writes it, "box:LX,LY,LZ", for the message
/// @throws UsageError for another word, or where there are not `count` of them
std::vector<double> positiveNumbers(std::string_view option, const std::string& text,
                                    std::size_t count, std::string_view form);

}  // namespace scree::sim
