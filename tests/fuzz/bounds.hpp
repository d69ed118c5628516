// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace scree::fuzz {

/// Bounds of one reading, besides what no file is needed for. The bounds are 20 bytes of memory
/// a byte of the file, and a second of processor time a megabyte.
///
/// Stands around the call of a reader. Where a bound is exceeded, the destructor prints both
/// figures and aborts, as a fuzz target does that has found something. With sanitizers, which make
/// programs slower and larger, time has ten times the bound.
class ReadingBounds {
 public:
  /// @param bytes  size of the input, or of its text where that is compressed
  explicit ReadingBounds(std::size_t bytes);
  ~ReadingBounds();
  ReadingBounds(const ReadingBounds&) = delete;
  ReadingBounds& operator=(const ReadingBounds&) = delete;

 private:
  std::size_t bytes_;
  std::int64_t before_;  ///< bytes that were in use
  double begin_;         ///< [s] processor time of this thread
};

/// Largest shares of the two bounds that a reading of 100 kB or more has used so far.
struct LargestUse {
  double memory = 0.0;  ///< bytes a byte of the file
  double time = 0.0;    ///< [s] a megabyte
};
LargestUse largestUse();

/// Whether the next readings may exceed the bound of time: not by default. A machine that pauses
/// exceeds it once; a slow reader does so again.
void allowSlow(bool allowed);
/// Whether one of them has.
bool wasSlow();

}  // namespace scree::fuzz
