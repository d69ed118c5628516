// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace scree::tools {

/// Whether two names are of one file that exists, also by different paths or through links.
bool sameFile(const std::string& a, const std::string& b);

/// That a command does not replace what it reads, not even with `--force`.
/// @param written  files that it is to write
/// @throws UsageError if one of them is one of those `read`, by whatever path or link
void checkNotInputs(const std::vector<std::string>& written, const std::vector<std::string>& read);

}  // namespace scree::tools
