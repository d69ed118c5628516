// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"
#include "run_tool.hpp"
#include "verbs.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>

namespace scree::tools {
namespace {

struct Options {
  std::vector<std::string> inputs, texts;
  std::map<std::string, std::vector<std::string>> words;  ///< of operations, as typed
  std::string output = "-";
  bool merge = false;
  std::uint64_t seed = 1;
  clump::SharedNodes shared = clump::SharedNodes::particle;
};

/// One operation: its name without dashes, and its words.
struct TransformStep {
  std::string name;
  std::vector<std::string> words;
};

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

/// @throws UsageError unless the words of a step are `n` finite numbers, behind `first` other words
std::vector<double> numbersOf(const TransformStep& step, std::size_t n, std::size_t first = 0) {
  std::vector<double> out;
  for (std::size_t k = first; k < step.words.size(); ++k)
    if (const auto value = parseNumber(step.words[k]); value && std::isfinite(*value))
      out.push_back(*value);
  if (out.size() != n || step.words.size() != n + first)
    throw UsageError(fmt::format("--{}: expected {} finite number(s), found '{}'", step.name, n,
                                 shown(fmt::format("{}", fmt::join(step.words, " ")))));
  return out;
}

void turn(clump::ShapePack& pack, const TransformStep& step) {
  const double degrees = numbersOf(step, 1, 1)[0];
  const auto found = std::string_view("xyz").find(step.words[0]);
  if (step.words[0].size() != 1 || found == std::string_view::npos)
    throw UsageError(
        fmt::format("--rotate: expected an axis x, y or z, found '{}'", shown(step.words[0])));
  clump::rotate(pack, static_cast<int>(found), degrees);
}

void tile(clump::ShapePack& pack, const TransformStep& step) {
  std::array<std::int64_t, 3> counts{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value =
        step.words.size() == 3 ? parseInteger(step.words[k]) : std::optional<std::int64_t>();
    if (!value || *value < 1)
      throw UsageError("--tile: expected three whole numbers of at least 1");
    counts[k] = *value;
  }
  clump::tile(pack, counts);
}

void filter(clump::ShapePack& pack, const TransformStep& step, const std::vector<double>& values,
            Diagnostics& diagnostics) {
  std::vector<bool> keep;
  for (const double value : values)
    keep.push_back(Condition::isTrue(value) == (step.name == "keep"));
  clump::keepOnly(pack, keep);
  diagnostics.note(
      fmt::format("--{}: {} of {} particles stay", step.name, pack.particles.size(), keep.size()));
  if (pack.particles.empty())
    diagnostics.warn(fmt::format("--{} '{}' leaves no particle", step.name, step.words[0]));
}

void shuffle(clump::ShapePack& pack, std::uint64_t seed, Diagnostics& diagnostics) {
  clump::shuffle(pack, seed);
  diagnostics.note(fmt::format("--shuffle: seed {}", seed));
  if (pack.particles.empty()) return;
  auto& before = pack.particles.front().members.front().before();
  before.insert(before.begin(), fmt::format("# shuffled with seed {}", seed));
}

clump::ShapePack input(const Options& options, Diagnostics& diagnostics) {
  std::vector<clump::ShapePack> packs;
  for (const std::string& path : options.inputs)
    packs.push_back(packFrom(path, options.shared, diagnostics));
  if (packs.size() == 1) return std::move(packs.front());
  return clump::merged(packs, diagnostics);
}

void apply(const TransformStep& step, clump::ShapePack& pack, const Options& options, int threads,
           Diagnostics& diagnostics) {
  const std::string& name = step.name;
  const auto values = [&] {
    if (step.words.size() != 1) throw UsageError(fmt::format("--{}: expected a formula", name));
    return particleValues(pack, "--" + name, step.words[0], threads);
  };
  if (name == "translate") {
    const std::vector<double> by = numbersOf(step, 3);
    clump::translate(pack, {by[0], by[1], by[2]});
  } else if (name == "rotate") {
    turn(pack, step);
  } else if (name == "scale") {
    const double factor = numbersOf(step, 1)[0];
    if (!(factor > 0.0)) throw UsageError("--scale: expected a number above 0");
    clump::scale(pack, factor);
  } else if (name == "tile") {
    tile(pack, step);
  } else if (name == "canonicalize") {
    clump::canonicalize(pack, clump::particleCentres(pack, {.threads = threads}));
  } else if (name == "keep" || name == "drop") {
    filter(pack, step, values(), diagnostics);
  } else if (name == "sort") {
    clump::sortBy(pack, values());
  } else {
    shuffle(pack, options.seed, diagnostics);
  }
}

}  // namespace

Verb addTransformVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb = *app.add_subcommand(
      "transform",
      "Move, rotate, scale, repeat, filter, sort or merge packs. Operations run in the order of "
      "the command line\n\nExamples:\n"
      "  printf '##PERIODIC:: 4 4 0\\n0 Sphere 0 0 0 1\\n1 Capsule 2 2 0 1.5 1 0 0\\n' > pack.txt\n"
      "  clumpify transform pack.txt --tile 2 2 1 --rotate z 90 -o tiled.txt\n"
      "  clumpify transform pack.txt --keep \"kind == 'Sphere' && z < 1\" --translate 0 0 1\n"
      "  clumpify transform pack.txt pack.txt --merge --canonicalize --sort x "
      "-o both.txt");
  verb.add_option("PACK", options->inputs,
                  "Packs, sphere tables, conf-files or shape-files; - is standard input")
      ->required();
  // Words are read by the steps themselves, which name the option in their messages.
  const auto addStep = [&](const char* name, std::size_t count, const char* kind,
                           const char* help) {
    CLI::Option* option = verb.add_option(std::string("--") + name, options->words[name], help)
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
  CLI::Option* asTexts =
      verb.add_option("--step", options->texts,
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
  addFromNan(verb, options->shared);
  addOutput(verb, options->output);
  return {&verb, [options, &common, asTexts, steps] {
            if (common.json)
              throw UsageError("--json: the result is a pack; clumpify mass --json describes it");
            if (options->inputs.size() > 1 && !options->merge)
              throw UsageError(fmt::format("{} packs are given: --merge makes one pack of them",
                                           options->inputs.size()));
            // One pack may be changed where it is.
            const bool inPlace = options->inputs.size() == 1;
            checkFiles(inPlace ? std::vector<std::string>{} : options->inputs, {options->output},
                       common);
            std::vector<TransformStep> todo;
            for (const std::string& text : asTexts->results())
              todo.push_back(stepFrom(text, steps));
            Diagnostics diagnostics(common.strict);
            clump::ShapePack pack = input(*options, diagnostics);
            for (const TransformStep& step : todo)
              inFile(inPlace ? options->inputs.front() : "the merged pack",
                     [&] { apply(step, pack, *options, threadCount(common.jobs), diagnostics); });
            clump::separateIds(pack, diagnostics);
            const std::string result = clump::shapePackText(pack);
            printWarnings(diagnostics, common);
            writeFile(options->output, result, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
