// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder_lock.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace scree::sim {

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FolderLock::lock(const std::string& folder) {
  if (descriptor_ >= 0) return;
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw IoError(fmt::format(
      "{}: another run is writing into this folder; wait for it, or choose another one with -o",
      folder));
}

}  // namespace scree::sim
