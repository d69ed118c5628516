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
#include <functional>
#include <map>
#include <memory>

namespace scree::tools {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::map<std::string, std::vector<std::string>> words;  ///< of operations, as typed
  std::string output = "-";
  bool merge = false;
  std::uint64_t seed = 1;
  int threads = 1;
  clump::SharedNodes shared = clump::SharedNodes::particle;
};

/// One operation of the command line.
struct Step {
  std::string name;  ///< without dashes
  std::vector<std::string> words;
  std::string text() const { return fmt::format("--{} {}", name, fmt::join(words, " ")); }
};

/// Finite numbers, the words of a step from `first` on. @throws UsageError
std::vector<double> numbersOf(const Step& step, std::size_t first = 0) {
  std::vector<double> out;
  for (std::size_t k = first; k < step.words.size(); ++k) {
    const auto value = parseNumber(step.words[k]);
    if (!value || !std::isfinite(*value))
      throw UsageError(fmt::format("{}: expected finite numbers", shown(step.text())));
    out.push_back(*value);
  }
  return out;
}

void turn(clump::ShapePack& pack, const Step& step) {
  const std::string& axis = step.words[0];
  const auto found = std::string_view("xyz").find(axis);
  if (axis.size() != 1 || found == std::string_view::npos)
    throw UsageError(fmt::format("--rotate: expected an axis x, y or z, found '{}'", shown(axis)));
  clump::rotate(pack, static_cast<int>(found), numbersOf(step, 1)[0]);
}

void tile(clump::ShapePack& pack, const Step& step) {
  std::array<std::int64_t, 3> counts{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value = parseInteger(step.words[k]);
    if (!value || *value < 1)
      throw UsageError("--tile: expected three whole numbers of at least 1");
    counts[k] = *value;
  }
  clump::tile(pack, counts);
}

void filter(clump::ShapePack& pack, const Step& step, int threads, Diagnostics& diagnostics) {
  std::vector<bool> keep;
  for (const double value : particleValues(pack, "--" + step.name, step.words[0], threads))
    keep.push_back(Condition::isTrue(value) == (step.name == "keep"));
  clump::keepOnly(pack, keep);
  diagnostics.note(
      fmt::format("--{}: {} of {} particles stay", step.name, pack.particles.size(), keep.size()));
  if (pack.particles.empty())
    diagnostics.warn(fmt::format("{} leaves no particle", shown(step.text())));
}

void shuffle(clump::ShapePack& pack, std::uint64_t seed, Diagnostics& diagnostics) {
  clump::shuffle(pack, seed);
  diagnostics.note(fmt::format("--shuffle: seed {}", seed));
  if (pack.particles.empty()) return;
  auto& before = pack.particles.front().members.front().before();
  before.insert(before.begin(), fmt::format("# shuffled with seed {}", seed));
}

void apply(const Step& step, clump::ShapePack& pack, const Options& options,
           Diagnostics& diagnostics) {
  const std::string& name = step.name;
  if (name == "translate") {
    const std::vector<double> by = numbersOf(step);
    clump::translate(pack, {by[0], by[1], by[2]});
  } else if (name == "rotate") {
    turn(pack, step);
  } else if (name == "scale") {
    const double factor = numbersOf(step)[0];
    if (!(factor > 0.0)) throw UsageError("--scale: expected a number above 0");
    clump::scale(pack, factor);
  } else if (name == "tile") {
    tile(pack, step);
  } else if (name == "canonicalize") {
    clump::canonicalize(pack, clump::particleCentres(pack, {.threads = options.threads}));
  } else if (name == "keep" || name == "drop") {
    filter(pack, step, options.threads, diagnostics);
  } else if (name == "sort") {
    clump::sortBy(pack, particleValues(pack, "--sort", step.words[0], options.threads));
  } else {
    shuffle(pack, options.seed, diagnostics);
  }
}

/// An operation: its option, and how many words it takes.
using Operation = std::pair<CLI::Option*, std::size_t>;

/// The operations in the order of the command line. @throws UsageError for one of another place,
/// which has no order
std::vector<Step> stepsOf(const CLI::App& verb, const std::vector<Operation>& operations) {
  std::map<const CLI::Option*, std::size_t> typed;
  std::vector<Step> steps;
  for (const CLI::Option* option : verb.parse_order())  // once for each word
    for (const auto& [known, count] : operations) {
      if (known != option) continue;
      const std::size_t at = typed[option]++;
      if (count > 0 && at % count != 0) continue;
      const auto& words = option->results();
      steps.push_back({option->get_lnames().front(), {}});
      for (std::size_t k = at; k < at + count && k < words.size(); ++k)
        steps.back().words.push_back(words[k]);
    }
  for (const auto& [option, count] : operations)
    if (option->results().size() > typed[option])
      throw UsageError(fmt::format(
          "{}: operations stand on the command line, which has their order", option->get_name()));
  return steps;
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
  // Words are read by the operations themselves, which name the option in their messages.
  const auto add = [&](const char* name, std::size_t count, const char* kind, const char* help) {
    CLI::Option* option =
        count == 0 ? verb.add_flag(std::string("--") + name)->description(help)
                   : verb.add_option(std::string("--") + name, options->words[name], help)
                         ->type_size(static_cast<int>(count))
                         ->expected(1)
                         ->allow_extra_args(false)
                         ->take_all()
                         ->type_name(kind);
    return Operation{option, count};
  };
  const std::vector<Operation> operations{
      add("translate", 3, "X Y Z", "Move all particles"),
      add("rotate", 2, "AXIS DEG",
          "Rotate about the axis x, y or z through the origin; rotations by 90 degrees are exact"),
      add("scale", 1, "S", "Multiply all lengths and coordinates, and the cell"),
      add("tile", 3, "NX NY NZ", "Repeat the periodic cell"),
      add("canonicalize", 0, "", "Move each particle as a whole so that its centre is in the cell"),
      add("keep", 1, "EXPR",
          "Keep the particles for which EXPR is true, e.g. \"z < 1 && shapes > 1\". Names: id kind "
          "shapes spheres unclumped x y z volume equivRad boundRad density xmin ymin zmin xmax "
          "ymax zmax group groupName"),
      add("drop", 1, "EXPR", "Remove the particles for which EXPR is true"),
      add("sort", 1, "KEY",
          "Order by an expression of these names, smallest first; equal ones keep their order"),
      add("shuffle", 0, "", "Order at random, from --seed"),
  };
  verb.add_flag("--merge", options->merge, "Combine several packs into one, before all operations");
  verb.add_option("--seed", options->seed, "Seed of --shuffle")->capture_default_str();
  addFromNan(verb, options->shared);
  addOutput(verb, options->output);
  return {&verb, [options, &common, &verb, operations] {
            if (common.json)
              throw UsageError("--json: the result is a pack; clumpify mass --json describes it");
            if (options->inputs.size() > 1 && !options->merge)
              throw UsageError(fmt::format("{} packs are given: --merge makes one pack of them",
                                           options->inputs.size()));
            // One pack may be changed where it is.
            const bool inPlace = options->inputs.size() == 1;
            checkFiles(inPlace ? std::vector<std::string>{} : options->inputs, {options->output},
                       common);
            options->threads = threadCount(common.jobs);
            const std::vector<Step> steps = stepsOf(verb, operations);
            Diagnostics diagnostics(common.strict);
            std::vector<clump::ShapePack> packs;
            for (const std::string& path : options->inputs)
              packs.push_back(packFrom(path, options->shared, diagnostics));
            clump::ShapePack pack =
                inPlace ? std::move(packs.front()) : clump::merged(packs, diagnostics);
            for (const Step& step : steps)
              inFile(inPlace ? options->inputs.front() : "the merged pack",
                     [&] { apply(step, pack, *options, diagnostics); });
            clump::separateIds(pack, diagnostics);
            printWarnings(diagnostics, common);
            writeFile(options->output, clump::shapePackText(pack), common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
