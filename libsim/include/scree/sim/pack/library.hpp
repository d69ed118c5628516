// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// `FILE` or `FILE:NAME` as users type it.
struct LibrarySource {
  std::string file;
  std::string shape;  ///< empty: all shapes of the file
};
/// A colon parts file and name unless a file with the whole text as its name exists.
LibrarySource librarySource(const std::string& text);

/// The shapes of several shape-files, in order, as the files hold them (not surveyed).
/// A shape that comes twice, alike, is taken once.
/// @throws ModelError for a name that is not there, or that stands for two different shapes
std::vector<shape::Shape> gatheredShapes(const std::vector<LibrarySource>& sources,
                                         Diagnostics& diagnostics);

}  // namespace scree::sim
