// SPDX-License-Identifier: GPL-3.0-or-later
#include "paths.hpp"

namespace scree::testing {

std::string dataFolder() { return SCREE_TEST_DATA; }
std::string goldenFolder() { return SCREE_GOLDEN; }
std::string docsFolder() { return SCREE_DOCS; }
std::string toolsFolder() { return SCREE_BIN; }

}  // namespace scree::testing
