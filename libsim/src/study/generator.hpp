// SPDX-License-Identifier: GPL-3.0-or-later
// Command files of Rockable's generator, and what all languages of recipes share.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/study/recipe.hpp"

#include <string_view>

namespace scree::sim {

bool isGeneratorCommand(std::string_view word);
/// Runs a command file into `result`. @throws ParseError with the place
void runGenerator(TextReader in, const RecipeOptions& options, RecipeResult& result);

/// Calls `work()`, whose errors get the place of `at`, a word of a recipe.
template <class Work>
void runAt(const TextReader& in, std::string_view at, Work work) {
  try {
    work();
  } catch (const ParseError& error) {
    if (error.where().file == in.name()) throw;
    throw in.errorAt(at, error.what());
  } catch (const IoError& error) {
    throw IoError(in.errorAt(at, error.what()).what());
  } catch (const Error& error) {
    throw in.errorAt(at, error.what());
  }
}

}  // namespace scree::sim
