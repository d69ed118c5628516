// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace scree {

/// Whole content of a file, or of standard input for "-". Data compressed with zstd are
/// decompressed, whatever the name of the file. More than 4 GiB from a stream or terminal, or after
/// decompression, is refused; so are other devices, which may have no end, except /dev/null.
/// @throws IoError with path and reason; ParseError where compressed data are broken
std::string readFile(const std::string& path);

/// Name of the file at `path` in messages: "standard input" for "-".
std::string inputName(const std::string& path);

/// Whether `path` means standard output: "-" or "/dev/stdout". The second is a link; where a shell
/// redirects the output to a file, it leads to that file, which must not be replaced.
bool isStandardOutput(std::string_view path) noexcept;

enum class Existing { refuse, replace };

/// Writes `content` under a temporary name in the same folder and renames it. No reader ever meets
/// half a file, and an interrupted write leaves the old one. Standard output (isStandardOutput()),
/// devices and pipes are written to directly. Missing folders are made. Links are replaced, except
/// those of the system such as /dev/fd/3. A name that ends in `.zst` gets the content compressed.
/// @throws IoError with path and reason; also where the file exists and `existing` is refuse
void writeFile(const std::string& path, std::string_view content, Existing existing);

/// Final name of the file that has the temporary name `name` (without folders) of a process that no
/// longer runs; empty for all other names.
std::string nameOfDeadTemporary(const std::string& name);

/// Checks, before long work, that `path` may be written.
/// @throws IoError if it exists as a regular file and `existing` is refuse
void checkMayWrite(const std::string& path, Existing existing);
/// Checks also that a file can be made at `path`.
/// @throws IoError as checkMayWrite, and if `path` is a folder, or if the nearest folder above it
/// that exists cannot be written to
void checkCanWrite(const std::string& path, Existing existing);

/// Whether anything, a regular file, a folder is at `path`. False where it cannot be looked up.
bool isThere(const std::filesystem::path& path);
bool isRegularFile(const std::filesystem::path& path);
bool isFolder(const std::filesystem::path& path);

/// Whether two names are of one file or folder that exists, also by different paths or through
/// links. False if one of them cannot be looked up.
bool sameFile(const std::string& a, const std::string& b);

/// Name of the file at `path` relative to folder `from`; both may be relative to the current
/// directory. Absolute where no relative name exists.
std::string relativeTo(const std::string& path, const std::string& from);

/// The `count` bytes of a regular file from byte `from` on, or fewer where it ends before.
/// Compressed files are not decompressed.
/// @throws IoError with path and reason
std::string readPart(const std::string& path, std::uint64_t from, std::size_t count);

/// Whether a file survives a loss of power. With yes, its content is on the disk before it appears
/// under its name, and the name before the writing ends. That costs 0.1 ms to some 10 ms.
enum class Flush { no, yes };

/// A file that is written in parts, as writeFile() writes one with Existing::replace: finish()
/// puts it in place, and without finish() it does not appear. A file or link that has the temporary
/// name before is not written to. Standard output, devices and pipes get each part at once. Where
/// the name asks for compression, parts are kept in memory until finish().
class PiecewiseFile {
 public:
  explicit PiecewiseFile(std::string path);  ///< @throws IoError with path and reason
  ~PiecewiseFile();
  PiecewiseFile(const PiecewiseFile&) = delete;
  PiecewiseFile& operator=(const PiecewiseFile&) = delete;

  void append(std::string_view text);     ///< @throws IoError
  void finish(Flush wanted = Flush::no);  ///< @throws IoError

 private:
  std::string path_;
  std::string temporary_;  ///< empty: standard output, a device or a pipe, or already in place
  std::string toPack_;     ///< what finish() compresses
  int fd_ = -1;
};

/// Largest number of bytes that are read from a stream, or come out of a compressed file.
inline constexpr std::size_t mostFileBytes = std::size_t{4} << 30;

/// Whether `data` begins with a frame of zstd (RFC 8878), by its magic number.
bool isCompressed(std::string_view data) noexcept;

/// `text` as one zstd frame of level 1 that knows its length and carries a checksum. One thread,
/// some 300 MB/s of text. The same version of the library gives the same bytes.
std::string compressed(std::string_view text);

/// Content of the frames in `data`, one or several in a row. Memory grows with what comes out, not
/// with what a header claims.
/// @param name  of the file, for messages
/// @param most  bytes that may come out
/// @throws ParseError naming the file where a frame is broken or cut short, or other data follow
/// @throws ParseError where more than `most` bytes come
std::string decompressed(std::string_view data, const std::string& name,
                         std::size_t most = mostFileBytes);

/// Whether a file of this name is to be compressed: it ends in `.zst`.
bool namesCompressed(std::string_view name) noexcept;
/// `name` without the ending `.zst`, if it has it.
std::string_view withoutZst(std::string_view name) noexcept;

}  // namespace scree
