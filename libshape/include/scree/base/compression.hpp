// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scree {

/// The most that one file may hold, compressed or not.
inline constexpr std::size_t mostFileBytes = std::size_t{4} << 30;

/// Whether `data` begins with a frame of zstd (RFC 8878), by its magic number.
bool isCompressed(std::string_view data) noexcept;

/// `text` as one zstd frame of level 1 that knows its length and carries a checksum. One thread,
/// some 300 MB/s of text. The same version of the library gives the same bytes.
std::string compressed(std::string_view text);

/// What the frames in `data`, one or several in a row, hold. Memory grows with what comes out, not
/// with what a header claims.
/// @param name  of the file, for complaints
/// @param most  bytes that may come out
/// @throws ParseError naming the file where a frame is broken or cut short, where anything else
///         follows, where a frame wants more than 128 MiB to look back, or more than `most` comes
std::string decompressed(std::string_view data, const std::string& name,
                         std::size_t most = mostFileBytes);

/// Whether a file of this name is to be compressed: it ends in `.zst`.
bool namesCompressed(std::string_view name) noexcept;
/// `name` without that ending.
std::string_view withoutZst(std::string_view name) noexcept;

}  // namespace scree
