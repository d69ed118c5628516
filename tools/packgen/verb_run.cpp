// SPDX-License-Identifier: GPL-3.0-or-later
// run: a recipe, whose lines are verbs, or a command file of Rockable.
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/study/recipe.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

struct RecipeVerbOptions {
  std::string recipe, folder = ".";
  std::uint64_t seed = 1;
};

/// Runs one verb as if it were typed in the folder of the outputs.
/// @param files  gets the names of its outputs
void runVerbLine(const std::vector<std::string>& words, const CommonOptions& recipe,
                 std::vector<std::string>& files) {
  CLI::App app{"", "packgen"};
  CommonOptions common = recipe;
  common.json = false;
  addCommonOptions(app, common, "");
  const std::vector<Verb> verbs = addVerbs(app, common);
  const Verb& verb = parsedVerb(app, words, verbs);
  for (const char* const name : {"--output", "--library", "--grid"})
    if (const CLI::Option* const option = verb.app->get_option_no_throw(name))
      for (const std::string& file : option->results()) files.push_back(sim::pathBelow(file));
  if (const int code = verb.run(); code != 0)
    throw ModelError(fmt::format("ended with exit code {}", code));
}

int runRecipeFile(const RecipeVerbOptions& o, const CommonOptions& common) {
  requireFolder(o.folder);
  TextReader recipe = TextReader::fromFile(o.recipe);
  sim::RecipeOptions options{fs::path(o.recipe).parent_path().string(), o.seed, {}, {}};
  CLI::App app;
  for (const Verb& verb : addVerbs(app, common)) options.verbs.push_back(verb.app->get_name());
  std::vector<std::string> files;
  bool isThere = false;
  options.runVerb = [&](const std::vector<std::string>& words) {
    if (!std::exchange(isThere, true)) {
      fs::create_directories(o.folder);
      fs::current_path(o.folder);
    }
    runVerbLine(words, common, files);
  };
  sim::RecipeResult result = sim::runRecipe(std::move(recipe), options);
  result.inputs.push_back(o.recipe);
  std::vector<std::string> texts;
  for (const auto& [name, text] : result.files)
    texts.push_back((fs::path(o.folder) / name).string());
  checkNotInputs(texts, result.inputs);
  for (const std::string& file : texts) checkCanWrite(file, common.existing());
  if (common.json && !result.console.empty())
    throw UsageError("--json: the recipe writes to standard output; 'open' avoids it");
  std::size_t k = 0;
  for (const auto& [name, text] : result.files) writeFile(texts[k++], text, common.existing());
  printResult(result.console);
  files.insert(files.end(), texts.begin(), texts.end());
  say(common, fmt::format("{}: {}, seed {}", o.recipe, counted(files.size(), "file"), o.seed));
  if (common.json) {
    JsonWriter json;
    json.beginObject().member("schema", 1).member("seed", o.seed).key("files").list(files).end();
    printResult(json.take() + '\n');
  }
  return 0;
}

}  // namespace

Verb addRunVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<RecipeVerbOptions>();
  CLI::App& verb = addVerb(
      app, "run", "Run a recipe: verbs with loops and arithmetic, or a command file of Rockable",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  printf 'let n = 2\\nfor mu in 0.2:0.6:0.2\\n  lattice --shape ../box.shp --cells $n$ "
      "$2*n$ 1 "
      "--mu $mu$ -o mu_$mu$/conf0\\nend\\n' > study.txt\n"
      "  packgen run study.txt -o study\n"
      "  printf 'open shapes.txt\\ngenerateShape:cube Cube 0.1 1\\nclose\\n' > cube.txt\n"
      "  packgen run cube.txt -o cube",
      "Lines are verbs with their options, let NAME = FORMULA, or for NAME in VALUE... up to end;\n"
      "A:B:STEP is a range, $FORMULA$ a value. Paths count from DIR.\n"
      "Command files of Rockable's generator and sweepable are recognised by their commands.");
  verb.add_option("RECIPE", options->recipe, "Recipe; '-' is standard input")->required();
  addOption(verb, "-o,--output", options->folder, "DIR",
            "Folder of all outputs, default the current directory; nothing is written outside");
  verb.add_option("--seed", options->seed,
                  "Seed of random orientations and places in files of the generator, default 1");
  return {&verb, [options, &common] { return runRecipeFile(*options, common); }};
}

}  // namespace scree::tools
