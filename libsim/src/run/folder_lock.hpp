// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace scree::sim {

/// Keeps other runs out of a folder while this one writes into it. Leaves no file, and ends with
/// the process, however that ends. Where the file system knows no such locks, it does nothing.
class FolderLock {
 public:
  FolderLock() = default;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();
  /// Does nothing where the folder is not there, or is locked by this object.
  /// @throws IoError where another run has it
  void lock(const std::string& folder);

 private:
  int descriptor_ = -1;
};

}  // namespace scree::sim
