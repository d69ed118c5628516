// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

/// Whole content of a file, or of standard input for "-"; what is compressed with zstd, under
/// whatever name, comes decompressed.
/// Streams and terminals are read to their end but never beyond 4 GiB, nor is more decompressed.
/// Other devices than /dev/null are refused: they may have no end.
/// @throws IoError with path and reason; ParseError where compressed data are broken
std::string readFile(const std::string& path);

/// Name of the file at `path` in messages: "standard input" for "-".
std::string inputName(const std::string& path);

enum class Existing { refuse, replace };

/// Writes `content` under a temporary name in the same folder and renames it. No reader ever meets
/// half a file, and an interrupted write leaves the old one. "-" is standard output. Folders on the
/// way are made. A device or a pipe is written to. Links are replaced, except those of the system,
/// as /dev/stdout. A name that ends in `.zst` gets the content compressed.
/// @throws IoError with path and reason; also where the file exists and `existing` is refuse
void writeFile(const std::string& path, std::string_view content, Existing existing);

/// The name of which `name`, without folders, is the temporary one of a process that no longer
/// runs; empty for other names.
std::string nameOfDeadTemporary(const std::string& name);

/// @throws IoError if `path` exists as a regular file and `existing` is refuse: for tools that work
/// long before they write.
void checkMayWrite(const std::string& path, Existing existing);
/// The same, and that a file can be made there.
/// @throws IoError also if `path` is a folder, or if the nearest folder above it that exists cannot
/// be written to
void checkCanWrite(const std::string& path, Existing existing);

/// Whether two names are of one file or folder that exists, also by different paths or through
/// links. False if one of them cannot be looked up.
bool sameFile(const std::string& a, const std::string& b);

/// How a file at `path` is named from a file that stands in folder `from`; both may be relative to
/// the current directory. Absolute where no relative name exists.
std::string relativeTo(const std::string& path, const std::string& from);

/// At most `count` bytes of a regular file from byte `from` on, as they stand there: fewer where it
/// ends before. Compressed files are not decompressed.
/// @throws IoError with path and reason
std::string readPart(const std::string& path, std::uint64_t from, std::size_t count);

/// A file that is written in parts under a temporary name and appears whole, in place of what is
/// there. Without finish() nothing appears.
///
/// A file or link of the temporary name, made beforehand, is not written to.
class PiecewiseFile {
 public:
  explicit PiecewiseFile(std::string path);  ///< folders on the way are made. @throws IoError
  ~PiecewiseFile();
  PiecewiseFile(const PiecewiseFile&) = delete;
  PiecewiseFile& operator=(const PiecewiseFile&) = delete;

  void append(std::string_view text);  ///< @throws IoError
  void finish();                       ///< @throws IoError

 private:
  std::string path_, temporary_;
};

/// The most that one file may hold, compressed or not.
inline constexpr std::size_t mostFileBytes = std::size_t{4} << 30;

/// Whether `data` begins with a frame of zstd (RFC 8878), by its magic number.
bool isCompressed(std::string_view data) noexcept;

/// `text` as one zstd frame of level 1 that knows its length and carries a checksum. One thread,
/// some 300 MB/s of text. The same version of the library gives the same bytes.
std::string compressed(std::string_view text);

/// Content of the frames in `data`, one or several in a row. Memory grows with what comes out, not
/// with what a header claims.
/// @param name  of the file, for complaints
/// @param most  bytes that may come out
/// @throws ParseError naming the file where a frame is broken or cut short, or other data follow
/// @throws ParseError where more than `most` bytes come
std::string decompressed(std::string_view data, const std::string& name,
                         std::size_t most = mostFileBytes);

/// Whether a file of this name is to be compressed: it ends in `.zst`.
bool namesCompressed(std::string_view name) noexcept;
/// `name` without that ending.
std::string_view withoutZst(std::string_view name) noexcept;

}  // namespace scree
