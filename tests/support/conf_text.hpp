// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files written out in a test.
#pragma once

#include "scree/sim/io/conf_file.hpp"

#include <string>

namespace scree::samples {

/// A body of group 0, cluster 0, at rest in the origin.
inline const std::string bodyLine = "Ball 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";

inline sim::Conf read(const std::string& text, Diagnostics& diagnostics) {
  TextReader in("conf", text);
  return sim::readConf(in, diagnostics);
}
/// @throws where a reader warns, too
inline sim::Conf read(const std::string& text) {
  Diagnostics strict(true);
  return read(text, strict);
}

}  // namespace scree::samples
