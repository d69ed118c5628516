// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace scree {

/// "0.1.0"
std::string version();
/// Compiler this build was made with, "g++ 12.2.0".
std::string compiler();
/// Source revision this build was made from, or "unknown".
std::string revision();

struct LibraryVersion {
  std::string name, version;
};
/// Libraries that libshape and libsim were built with.
std::vector<LibraryVersion> libraryVersions();

}  // namespace scree
