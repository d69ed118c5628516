// SPDX-License-Identifier: GPL-3.0-or-later
#include "create.hpp"
#include "mass.hpp"
#include "run_tool.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <memory>

namespace scree::tools {
namespace {

/// The options that `create` and `add` share.
void addComposeOptions(CLI::App& verb, ComposeWords& w, std::string& output) {
  // An empty variable of a script must not choose all blocks.
  const auto filled = [](const char* expected) {
    return [expected](const std::string& word) {
      return word.empty() ? std::string("expected ") + expected + ", found ''" : std::string();
    };
  };
  verb.add_option("--ids", w.ids, "Blocks to use, e.g. 0-3,7 (default: all)")
      ->option_text("RANGE")
      ->check(filled("IDs such as 0-3,7"), "");
  verb.add_option("--select", w.select,
                  "Blocks to use, by an expression as in transform, e.g. \"z < 1\"")
      ->option_text("EXPR")
      ->check(filled("an expression such as \"z < 1\""), "");
  verb.add_option(
      "--density", w.density,
      "Density of the clump, in the units of the file (default: 1; add: that of the clump)");
  verb.add_option("--group", w.groups, "Group of the clump; may be repeated")
      ->option_text("NAME[:SLOT]")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  verb.add_option("--pebble-group", w.pebbleGroups, "Group of its pebbles; may be repeated")
      ->option_text("NAME[:SLOT]")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  verb.add_option("--calculate", w.calculate,
                  "exact (default): shared volume counts once. voxel: boxes inside a pebble, "
                  "extrapolated. from-rblocks: pebbles added up")
      ->option_text("exact|voxel|from-rblocks")
      ->check(calculateProblem, "");
  verb.add_option("--tolerance", w.tolerance,
                  "With voxel: largest relative change of the extrapolated volume in the last step "
                  "(default 1e-4)");
  verb.add_option("--max-cells", w.maxCells,
                  "With voxel: largest number of boxes (default 1000000)");
  verb.add_option("--position", w.position, "Given centroid")
      ->option_text("X Y Z")
      ->expected(1, 3)
      ->allow_extra_args(false);
  verb.add_option("--position-x", w.positionX, "Given centroid, one component; others are 0");
  verb.add_option("--position-y", w.positionY, "Given centroid, one component; others are 0");
  verb.add_option("--position-z", w.positionZ, "Given centroid, one component; others are 0");
  verb.add_option("--volume", w.volume, "Given volume; needs --inertia");
  verb.add_option("--inertia", w.inertia,
                  "Given tensor about the centroid, mass included; needs --volume")
      ->option_text("E11 E22 E33 E12 E13 E23")
      ->expected(1, 6)
      ->allow_extra_args(false);
  verb.add_option(
          "--from-nan", w.fromNan,
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->capture_default_str();
  verb.add_option("-o,--output", output, "File to write; - is standard output")
      ->capture_default_str();
}

int finish(const CreatedPack& result, const std::string& output, const Diagnostics& diagnostics,
           const CommonOptions& common) {
  printWarnings(diagnostics, common);
  writeFile(output, clump::shapePackText(result.pack), common.existing());
  if (common.json) printResult(massJson({result.clump.mass}, 1.0));
  return 0;
}

void checkOutput(const std::string& output, const CommonOptions& common) {
  checkReportGoesElsewhere(common.json, output);
  checkMayWrite(output, common.existing());
}

}  // namespace

Verb addCreateVerb(CLI::App& app, const CommonOptions& common) {
  const auto words = std::make_shared<ComposeWords>();
  const auto input = std::make_shared<std::string>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = *app.add_subcommand(
      "create",
      "Make one clump of the blocks of a ShapePack, conf-file or shape-file\n\nExamples:\n"
      "  printf '0 Sphere 0 0 0 1\\n1 Sphere 0 0 1.2 0.8\\n2 Sphere 5 0 0 1\\n' > balls.txt\n"
      "  clumpify create balls.txt --ids 0-1 --density 2600 --group rock -o clump.txt\n"
      "  clumpify create balls.txt --ids 0,1 --volume 5 --inertia 4 4 2 0 0 0 -o given.txt");
  verb.add_option("BLOCKS", *input, "ShapePack, conf-file or shape-file")->required();
  verb.add_option("--id", words->id, "ID of the clump (default: the largest plus 1)");
  addComposeOptions(verb, *words, *output);
  return {&verb, [words, input, output, &common] {
            Diagnostics diagnostics(common.strict);
            checkNotInputs({*output}, {*input});
            checkOutput(*output, common);
            words->threads = threadCount(common.jobs);
            return finish(created(*input, *words, diagnostics), *output, diagnostics, common);
          }};
}

Verb addAddVerb(CLI::App& app, const CommonOptions& common) {
  const auto words = std::make_shared<ComposeWords>();
  const auto input = std::make_shared<std::string>();
  const auto pebbles = std::make_shared<std::vector<std::string>>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb =
      *app.add_subcommand("add",
                          "Add blocks to a clump of a pack\n\nExamples:\n"
                          "  printf '3 Sphere 0 0 0 1\\n3 Sphere 0 0 1.2 0.8\\n' > clump.txt\n"
                          "  printf '0 Sphere 0 1 0 0.5\\n' > ball.txt\n"
                          "  clumpify add clump.txt ball.txt --id 3 -o larger.txt");
  verb.add_option("PACK", *input, "ShapePack with the clump")->required();
  verb.add_option("PEBBLES", *pebbles, "Files with the blocks to add, as create takes them")
      ->required();
  verb.add_option("--id", words->id, "ID of the clump (needed)");
  verb.add_flag("--recompute", words->recompute,
                "Compute mass properties again; the default unless they are given");
  addComposeOptions(verb, *words, *output);
  return {&verb, [words, input, pebbles, output, &common] {
            Diagnostics diagnostics(common.strict);
            if (!sameFile(*output, *input)) checkNotInputs({*output}, *pebbles);
            checkOutput(*output, common);
            words->threads = threadCount(common.jobs);
            return finish(added(*input, *pebbles, *words, diagnostics), *output, diagnostics,
                          common);
          }};
}

}  // namespace scree::tools
