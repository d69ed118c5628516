// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

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

}  // namespace scree
