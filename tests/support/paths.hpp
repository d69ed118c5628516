// SPDX-License-Identifier: GPL-3.0-or-later
// The folders that tests read. They are constants of one source, so that the compiled tests do not
// depend on where the checkout lies.
#pragma once

#include <filesystem>
#include <string>

namespace scree::testing {

std::string dataFolder();    ///< public data sets; may be absent
std::string goldenFolder();  ///< tests/golden
std::string docsFolder();    ///< docs
std::string toolsFolder();   ///< the programs of this build

/// Records that the running test cannot check what it is for, and prints `reason`.
///
/// The test program then ends with 77, which CTest shows as skipped, or with 1 where the
/// environment variable SCREE_REQUIRE_DATA is set. A failure takes precedence over a skip.
void skip(const std::string& reason);

/// The path of `what` in the folder of public data; "" where it is absent, and the test counts as
/// skipped.
inline std::string publicData(const std::string& what) {
  const auto path = std::filesystem::path(dataFolder()) / what;
  if (std::filesystem::exists(path)) return path.string();
  skip("no " + what + " in the folder of public data (SCREE_TEST_DATA)");
  return {};
}

}  // namespace scree::testing
