// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace scree {

/// "0.1.0"
std::string version();
/// Compiler of this build, "GNU 12.2.0".
std::string compiler();
/// Processor that this build is for, "x86_64".
std::string architecture();
/// Source revision of this build, "3572414d01fc"; "-dirty" is appended where files differed from
/// it, and it is "unknown" where the sources were no repository.
std::string revision();

struct LibraryVersion {
  std::string name, version;
};
/// Libraries that libshape and libsim were built with.
std::vector<LibraryVersion> libraryVersions();

}  // namespace scree
