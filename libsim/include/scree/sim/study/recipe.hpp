// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

struct RecipeOptions {
  std::string folder;              ///< of the recipe: files that it reads are looked up there
  std::uint64_t seed = 1;          ///< of what command files of the generator leave to chance
  std::vector<std::string> verbs;  ///< known ones
  /// Runs a verb: its name and its options, as words of a command line. Errors are thrown.
  std::function<void(const std::vector<std::string>&)> runVerb;
};

/// Texts that command files of Rockable make. Nothing is written: a fault leaves nothing behind.
struct RecipeResult {
  std::map<std::string, std::string> files;  ///< by their paths below the folder of outputs
  std::string console;                       ///< for standard output
  std::vector<std::string> inputs;           ///< files that were read
};

/// Runs a recipe: verbs of packgen, or a command file of Rockable's generator or sweepable. Its
/// first known word tells which. Verbs come with loops, `for NAME in VALUE...` to `end`, and
/// values, `let NAME = FORMULA` and `$FORMULA$`; `A:B:STEP` is a range. The structure is checked
/// before the first line runs.
/// @throws ParseError with the place in the recipe, also for errors of verbs; IoError with it
RecipeResult runRecipe(TextReader recipe, const RecipeOptions& options);

/// `path` in its simplest form.
/// @throws UsageError for paths that lead out of a folder: absolute or empty ones, and with `..`
std::string pathBelow(std::string_view path);

}  // namespace scree::sim
