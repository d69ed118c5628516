// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace scree {

/// Whether two names are of one file or folder that exists, also by different paths or through
/// links. False if one of them cannot be looked up.
bool sameFile(const std::string& a, const std::string& b);

}  // namespace scree
