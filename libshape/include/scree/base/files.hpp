// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace scree {

/// Whole content of a file, or of standard input for "-"; what is compressed with zstd, under
/// whatever name, comes decompressed.
/// Streams and devices are read to their end but never beyond 4 GiB, nor is more decompressed.
/// @throws IoError with path and reason; ParseError where compressed data are broken
std::string readFile(const std::string& path);

/// What messages call the file at `path`: "standard input" for "-".
std::string inputName(const std::string& path);

enum class Existing { refuse, replace };

/// Writes `content` under a temporary name in the same folder and renames it, so that no reader
/// ever meets half a file and an interrupted write leaves the old one; "-" is standard output.
/// Folders on the way are made. What exists and is no regular file (a device, a pipe) is written
/// to. A name that ends in `.zst` gets the content compressed.
/// @throws IoError with path and reason; also where the file exists and `existing` is refuse
void writeFile(const std::string& path, std::string_view content, Existing existing);

/// @throws IoError if `path` exists as a regular file and `existing` is refuse: for tools that work
/// long before they write.
void checkMayWrite(const std::string& path, Existing existing);

/// How a file at `path` is named from a file that stands in folder `from`; both may be relative to
/// the current directory. Absolute where no relative name exists.
std::string relativeTo(const std::string& path, const std::string& from);

}  // namespace scree
