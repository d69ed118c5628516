// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scree {

/// Returns once the content of the file is on the disk. Does nothing if there is no such file.
/// @throws IoError
void flushToDisk(const std::string& path);

/// Appends `text` to a file, which is made if there is none. If that fails, the file has the length
/// that it had before. @throws IoError; also if `path` is a link, since links are not followed
void appendToFile(const std::string& path, std::string_view text);

/// Whether `name`, without folders, is that of a temporary file of writeFile() in any process. A
/// later run may remove such a file.
bool namesTemporary(const std::string& name);

/// Removes from `folder` the regular files `*.tmp-PID` that writeFile() left behind in a process
/// that no longer runs. Files of running processes stay. @returns number of files removed
std::size_t removeDeadTemporaries(const std::string& folder);

}  // namespace scree
