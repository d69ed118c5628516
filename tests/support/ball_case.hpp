// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_cases.hpp"

#include <string>

namespace scree::testing {

/// The case that most tests of rockable run: a ball that falls onto a plate.
inline const std::string ballConf = fallingBall("0.02");

/// Writes the case, or another one of the same shapes, as case.conf.
inline void writeCase(const Folder& folder, const std::string& text = ballConf) {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", text);
}

}  // namespace scree::testing
