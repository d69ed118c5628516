// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scree {

/// As writeFile() with Existing::replace, for a file that must survive a loss of power. The content
/// is on the disk before the file appears under its name, and so is the name when this returns.
/// Costs a flush of the disk (0.1 ms to some 10 ms).
/// @throws IoError with path and reason
void writeFileSafely(const std::string& path, std::string_view content);

/// Returns once the content of the file is on the disk; does nothing where it does not exist.
/// @throws IoError
void flushToDisk(const std::string& path);

/// Appends `text` to a file, which is made where there is none. Where that fails, the file has the
/// length that it had before. @throws IoError; also where `path` is a link, which is not followed
void appendToFile(const std::string& path, std::string_view text);

/// Whether a file of this name, without folders, is taken for a temporary one of some process. The
/// next run may remove it.
bool namesTemporary(const std::string& name);

/// Removes regular files `*.tmp-PID` from `folder` that writeFile() of a process left behind that
/// no longer runs. Those of processes that run stay. @returns how many were removed
std::size_t removeDeadTemporaries(const std::string& folder);

}  // namespace scree
