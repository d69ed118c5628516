// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace scree::testing {

/// Records that the running test cannot check what it is for, and prints `reason`.
///
/// The test program then ends with 77, which CTest shows as skipped, or with 1 where the
/// environment variable SCREE_REQUIRE_DATA is set. A failure takes precedence over a skip.
void skip(const std::string& reason);

}  // namespace scree::testing
