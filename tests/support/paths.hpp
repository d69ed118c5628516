// SPDX-License-Identifier: GPL-3.0-or-later
// The folders that tests read. They are constants of one source, so that the compiled tests do not
// depend on where the checkout lies.
#pragma once

#include <string>

namespace scree::testing {

std::string dataFolder();    ///< public data sets; may be absent
std::string goldenFolder();  ///< tests/golden
std::string docsFolder();    ///< docs
std::string toolsFolder();   ///< the programs of this build

}  // namespace scree::testing
