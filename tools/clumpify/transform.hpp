// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::tools {

/// One operation of the command line: its option without the dashes, and the words behind it.
struct TransformStep {
  std::string name;  ///< translate rotate scale tile canonicalize keep drop sort shuffle
  std::vector<std::string> words;
};

struct TransformOptions {
  std::vector<std::string> inputs;  ///< "-": standard input
  bool merge = false;               ///< several inputs become one pack
  std::vector<TransformStep> steps;
  std::string fromNan = "particle";  ///< how markers of shared nodes count, see packFrom
  std::uint64_t seed = 1;            ///< of shuffle
  int threads = 1;
};

/// The packs after all steps, in the given order. Notes say what a step left out or renumbered.
/// @throws UsageError for words that no step takes; ModelError as the steps
clump::ShapePack transformed(const TransformOptions& options, Diagnostics& diagnostics);

}  // namespace scree::tools
