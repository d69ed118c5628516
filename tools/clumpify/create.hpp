// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/compose.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// What the command lines of `create` and `add` share; empty where it is not given.
struct ComposeWords {
  std::string ids, select;
  std::optional<std::int64_t> id;
  std::optional<double> density;
  std::vector<std::string> groups, pebbleGroups;
  std::string calculate;
  std::optional<double> tolerance;
  std::optional<std::int64_t> maxCells;
  std::vector<std::string> position, inertia;  ///< numbers as typed: their count is checked
  std::optional<double> positionX, positionY, positionZ, volume;
  bool recompute = false;  ///< add: compute the mass again; the default, accepted for clarity
  std::string fromNan = "particle";
  int threads = 1;
};

/// Why a word is none of --calculate; empty for one that is, and for no word.
std::string calculateProblem(const std::string& word);

/// The words as options, or the sentence why they exclude one another.
/// @throws UsageError
clump::ComposeOptions composeOptions(const ComposeWords& words);

/// A pack, and the clump that was made in it.
struct CreatedPack {
  clump::ShapePack pack;
  clump::Composed clump;
};

/// One clump of the chosen blocks of a pack, conf-file or shape-file, behind the blocks that are
/// left. @throws UsageError, ModelError where nothing is chosen or the ID is taken
CreatedPack created(const std::string& input, const ComposeWords& words, Diagnostics& diagnostics);

/// The pack with more pebbles in clump `words.id`.
/// @throws UsageError without an ID; ModelError where no particle, or several, have it
CreatedPack added(const std::string& input, const std::vector<std::string>& pebbles,
                  const ComposeWords& words, Diagnostics& diagnostics);

}  // namespace scree::tools
