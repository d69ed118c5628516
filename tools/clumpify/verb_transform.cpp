// SPDX-License-Identifier: GPL-3.0-or-later
#include "transform.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <map>
#include <memory>

namespace scree::tools {
namespace {

/// The operations in the order of the command line; those of a file of options come first.
std::vector<TransformStep> stepsOf(const CLI::App& verb,
                                   const std::vector<std::pair<CLI::Option*, std::size_t>>& all) {
  std::map<const CLI::Option*, std::size_t> used;
  std::vector<TransformStep> steps;
  const auto take = [&](const CLI::Option* option, std::size_t words) {
    const std::vector<std::string>& results = option->results();
    std::size_t& at = used[option];
    const std::size_t step = std::max<std::size_t>(words, 1);
    if (at + step > results.size()) return;
    TransformStep out{option->get_lnames().front(), {}};
    if (words > 0)
      out.words.assign(results.begin() + static_cast<std::ptrdiff_t>(at),
                       results.begin() + static_cast<std::ptrdiff_t>(at + step));
    at += step;
    steps.push_back(std::move(out));
  };
  std::map<const CLI::Option*, std::size_t> typed;
  for (const CLI::Option* option : verb.parse_order()) ++typed[option];
  for (const auto& [option, words] : all)
    if (typed[option] == 0)
      while (used[option] < option->results().size()) {
        const std::size_t before = used[option];
        take(option, words);
        if (used[option] == before) break;
      }
  for (const CLI::Option* option : verb.parse_order())
    for (const auto& [known, words] : all)
      if (known == option) take(option, words);
  return steps;
}

}  // namespace

Verb addTransformVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<TransformOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = *app.add_subcommand(
      "transform",
      "Move, rotate, scale, repeat, filter, sort or merge packs. Operations run in the order of "
      "the "
      "command line\n\nExamples:\n"
      "  printf '##PERIODIC:: 4 4 0\\n0 Sphere 0 0 0 1\\n1 Capsule 2 2 0 1.5 1 0 0\\n' > pack.txt\n"
      "  clumpify transform pack.txt --tile 2 2 1 --rotate z 90 -o tiled.txt\n"
      "  clumpify transform pack.txt --keep \"kind == 'Sphere' && z < 1\" --translate 0 0 1\n"
      "  clumpify transform pack.txt pack.txt --merge --canonicalize --sort x "
      "-o both.txt");
  verb.add_option("PACK", options->inputs, "ShapePack files; - is standard input")->required();
  // Words are read by the steps themselves, which name the option in their messages.
  auto words = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  const auto step = [&](const char* name, std::size_t count, const char* kind, const char* help) {
    CLI::Option* option = verb.add_option(std::string("--") + name, (*words)[name], help)
                              ->type_size(static_cast<int>(count))
                              ->expected(1)
                              ->allow_extra_args(false)
                              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                              ->type_name(kind);
    return std::pair<CLI::Option*, std::size_t>{option, count};
  };
  const auto flag = [&](const char* name, const char* help) {
    CLI::Option* option = verb.add_flag(std::string("--") + name)->description(help);
    return std::pair<CLI::Option*, std::size_t>{option, 0};
  };
  const std::vector<std::pair<CLI::Option*, std::size_t>> steps{
      step("translate", 3, "X Y Z", "Move all particles"),
      step("rotate", 2, "AXIS DEG",
           "Rotate about the axis x, y or z through the origin; rotations by 90 degrees are exact"),
      step("scale", 1, "S", "Multiply all lengths and coordinates, and the cell"),
      step("tile", 3, "NX NY NZ", "Repeat the periodic cell"),
      flag("canonicalize", "Move each particle as a whole so that its centre is in the cell"),
      step(
          "keep", 1, "EXPR",
          "Keep the particles for which EXPR is true, e.g. \"z < 1 && shapes > 1\". Names: id kind "
          "shapes spheres unclumped x y z volume equivRad boundRad density xmin ymin zmin xmax "
          "ymax zmax"),
      step("drop", 1, "EXPR", "Remove the particles for which EXPR is true"),
      step("sort", 1, "KEY",
           "Order by an expression of these names, smallest first; equal ones keep their order"),
      flag("shuffle", "Order at random, from --seed"),
  };
  verb.add_flag("--merge", options->merge, "Combine several packs into one, before all operations");
  verb.add_option("--seed", options->seed, "Seed of --shuffle")->capture_default_str();
  verb.add_option(
          "--from-nan", options->fromNan,
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->capture_default_str();
  verb.add_option("-o,--output", *output, "File to write; - is standard output")
      ->capture_default_str();
  return {&verb, [options, output, &common, &verb, steps, words] {
            if (common.json)
              throw UsageError("--json: the result is a pack; clumpify mass --json describes it");
            Diagnostics diagnostics(common.strict);
            checkMayWrite(*output, common.existing());
            options->threads = threadCount(common.jobs);
            options->steps = stepsOf(verb, steps);
            const std::string result = clump::shapePackText(transformed(*options, diagnostics));
            printWarnings(diagnostics, common);
            writeFile(*output, result, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
