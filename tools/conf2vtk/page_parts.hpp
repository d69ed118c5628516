// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace scree::tools {

/// The files of tools/conf2vtk/page/ and of three.js, as they were when this program was built.
struct PageParts {
  std::string_view style, body, script;
  std::string_view three, controls;  ///< empty where three.js was not there
};
PageParts pageParts();

}  // namespace scree::tools
