// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"
#include "transform.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

namespace scree::tools {
namespace {

/// The option of an operation, and how many words it takes.
using StepOption = std::pair<CLI::Option*, std::size_t>;

/// The operations as texts of `--step`, "NAME WORDS", in the order of the command line. Those of a
/// file of options come first; only its own `step` has an order.
std::vector<std::string> stepTexts(const CLI::App& verb, const CLI::Option& texts,
                                   const std::vector<StepOption>& all) {
  std::map<const CLI::Option*, std::size_t> used, typed;
  std::vector<std::string> steps;
  const auto take = [&](const CLI::Option* option, std::size_t words) {
    const std::vector<std::string>& results = option->results();
    std::size_t& at = used[option];
    const std::size_t end = at + std::max<std::size_t>(words, 1);
    if (end > results.size()) return false;
    std::string text = option == &texts ? results[at] : option->get_lnames().front();
    if (option != &texts && words > 0)
      for (std::size_t k = at; k < end; ++k) text += ' ' + results[k];
    at = end;
    steps.push_back(std::move(text));
    return true;
  };
  std::vector<StepOption> options = all;
  options.emplace_back(const_cast<CLI::Option*>(&texts), 1);
  for (const CLI::Option* option : verb.parse_order()) ++typed[option];
  for (const auto& [option, words] : options)
    if (typed[option] == 0)
      while (take(option, words)) {
      }
  typed.clear();
  for (const CLI::Option* option : verb.parse_order())  // once for each word
    for (const auto& [known, words] : options)
      if (known == option && typed[option]++ % std::max<std::size_t>(words, 1) == 0)
        take(option, words);
  return steps;
}

TransformStep stepFrom(const std::string& text, const std::vector<StepOption>& all) {
  TransformStep step;
  std::istringstream in(text);
  in >> step.name;
  std::vector<std::string> names;
  for (const auto& [option, words] : all) {
    names.push_back(option->get_lnames().front());
    if (names.back() != step.name) continue;
    std::string word;
    if (words == 1 && std::getline(in >> std::ws, word))  // an expression has blanks
      step.words.push_back(word);
    else if (words != 1)
      while (in >> word) step.words.push_back(word);
    if (words == 0 && !step.words.empty())
      throw UsageError(fmt::format("--step: {} takes no value", step.name));
    return step;
  }
  throw UsageError(fmt::format("--step: expected one of {}, found '{}'", fmt::join(names, ", "),
                               shown(step.name)));
}

}  // namespace

Verb addTransformVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<TransformOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = *app.add_subcommand(
      "transform",
      "Move, rotate, scale, repeat, filter, sort or merge packs. Operations run in the order of "
      "the command line\n\nExamples:\n"
      "  printf '##PERIODIC:: 4 4 0\\n0 Sphere 0 0 0 1\\n1 Capsule 2 2 0 1.5 1 0 0\\n' > pack.txt\n"
      "  clumpify transform pack.txt --tile 2 2 1 --rotate z 90 -o tiled.txt\n"
      "  clumpify transform pack.txt --keep \"kind == 'Sphere' && z < 1\" --translate 0 0 1\n"
      "  clumpify transform pack.txt pack.txt --merge --canonicalize --sort x "
      "-o both.txt");
  verb.add_option("PACK", options->inputs, "ShapePack files; - is standard input")->required();
  // Words are read by the steps themselves, which name the option in their messages.
  auto words = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  const auto addStep = [&](const char* name, std::size_t count, const char* kind,
                           const char* help) {
    CLI::Option* option = verb.add_option(std::string("--") + name, (*words)[name], help)
                              ->type_size(static_cast<int>(count))
                              ->expected(1)
                              ->allow_extra_args(false)
                              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                              ->type_name(kind);
    return StepOption{option, count};
  };
  const auto flag = [&](const char* name, const char* help) {
    CLI::Option* option = verb.add_flag(std::string("--") + name)->description(help);
    return StepOption{option, 0};
  };
  const std::vector<StepOption> steps{
      addStep("translate", 3, "X Y Z", "Move all particles"),
      addStep(
          "rotate", 2, "AXIS DEG",
          "Rotate about the axis x, y or z through the origin; rotations by 90 degrees are exact"),
      addStep("scale", 1, "S", "Multiply all lengths and coordinates, and the cell"),
      addStep("tile", 3, "NX NY NZ", "Repeat the periodic cell"),
      flag("canonicalize", "Move each particle as a whole so that its centre is in the cell"),
      addStep(
          "keep", 1, "EXPR",
          "Keep the particles for which EXPR is true, e.g. \"z < 1 && shapes > 1\". Names: id kind "
          "shapes spheres unclumped x y z volume equivRad boundRad density xmin ymin zmin xmax "
          "ymax zmax group groupName"),
      addStep("drop", 1, "EXPR", "Remove the particles for which EXPR is true"),
      addStep("sort", 1, "KEY",
              "Order by an expression of these names, smallest first; equal ones keep their order"),
      flag("shuffle", "Order at random, from --seed"),
  };
  const auto texts = std::make_shared<std::vector<std::string>>();
  CLI::Option* asTexts =
      verb.add_option("--step", *texts,
                      "One operation as a text, such as \"rotate z 90\"; for files of options, "
                      "where a list of these has an order")
          ->expected(1)
          ->allow_extra_args(false)
          ->take_all();
  // From here on all operations are texts of --step, which --print-config prints in their order.
  verb.final_callback([&verb, asTexts, steps] {
    const std::vector<std::string> all = stepTexts(verb, *asTexts, steps);
    for (const StepOption& step : steps) step.first->clear();
    asTexts->clear();
    if (!all.empty()) asTexts->add_result(all);
  });
  verb.add_flag("--merge", options->merge, "Combine several packs into one, before all operations");
  verb.add_option("--seed", options->seed, "Seed of --shuffle")->capture_default_str();
  verb.add_option(
          "--from-nan", options->fromNan,
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->capture_default_str();
  verb.add_option("-o,--output", *output, "File to write; - is standard output")
      ->capture_default_str();
  return {&verb, [options, output, &common, asTexts, steps, words, texts] {
            if (common.json)
              throw UsageError("--json: the result is a pack; clumpify mass --json describes it");
            Diagnostics diagnostics(common.strict);
            // One pack may be changed where it is.
            if (options->inputs.size() > 1) checkNotInputs({*output}, options->inputs);
            checkMayWrite(*output, common.existing());
            options->threads = threadCount(common.jobs);
            for (const std::string& text : asTexts->results())
              options->steps.push_back(stepFrom(text, steps));
            const std::string result = clump::shapePackText(transformed(*options, diagnostics));
            printWarnings(diagnostics, common);
            writeFile(*output, result, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
