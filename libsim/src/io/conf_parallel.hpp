// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstddef>
#include <string_view>

namespace scree::sim {

/// What is worth the threads: where less of a file is left, one reads it.
inline constexpr std::size_t leastParallelBytes = std::size_t{1} << 20;

/// Reads the list behind the keyword `block`, that was just read, on `threads` threads. The bits in
/// `conf` and the place in `in` are then those that the reader of that keyword leaves.
/// @returns false, with nothing changed, where that reader must read the list. This holds for
/// another keyword, a small list, and any list with an error, so that errors are always those of
/// one thread. It also holds for a list that is not a record a line (comment lines and blank ones
/// may stand between).
bool readBlockInParallel(std::string_view block, TextReader& in, Conf& conf, int threads);

/// Passes over the list behind the keyword `block`, which was just read: its count, and as many
/// lines that are not blank or comments. @throws ParseError where the text ends before
void passOverList(std::string_view block, TextReader& in);

}  // namespace scree::sim
