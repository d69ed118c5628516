// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"
#include "operations.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>

namespace scree::tools {
namespace {

struct TransformVerbOptions {
  using Step = std::function<void(clump::ShapePack&, Diagnostics&)>;

  std::vector<std::string> inputs;
  std::vector<Step> steps;  ///< in the order of the command line
  std::string output = "-";
  bool merge = false;
  std::uint64_t seed = 1;
  int threads = 1;
  clump::SharedNodes shared = clump::SharedNodes::particle;
};

using Step = TransformVerbOptions::Step;

Step rotation(const Words& w, TransformVerbOptions&) {
  return [turn = axisAndDegrees(w)](clump::ShapePack& pack, Diagnostics&) {
    clump::rotate(pack, turn.first, turn.second);
  };
}

Step tiling(const Words& w, TransformVerbOptions&) {
  return
      [counts = countsFrom(w)](clump::ShapePack& pack, Diagnostics&) { clump::tile(pack, counts); };
}

Step canonicalization(const Words&, TransformVerbOptions& options) {
  return [&options](clump::ShapePack& pack, Diagnostics&) {
    clump::canonicalize(pack, clump::particleCentres(pack, {.threads = options.threads}));
  };
}

Step filter(const std::string& formula, bool keep, const TransformVerbOptions& options) {
  return [=, &options](clump::ShapePack& pack, Diagnostics& diagnostics) {
    const std::string name = keep ? "--keep" : "--drop";
    std::vector<bool> stays;
    for (const double value : particleValues(pack, name, formula, options.threads))
      stays.push_back(Condition::isTrue(value) == keep);
    clump::keepOnly(pack, stays);
    diagnostics.note(
        fmt::format("{}: {} of {} particles stay", name, pack.particles.size(), stays.size()));
    if (pack.particles.empty())
      diagnostics.warn(fmt::format("{} {} leaves no particle", name, shown(formula)));
  };
}

Step sorting(const Words& w, TransformVerbOptions& options) {
  return [key = w[0], &options](clump::ShapePack& pack, Diagnostics&) {
    clump::sortBy(pack, particleValues(pack, "--sort", key, options.threads));
  };
}

Step shuffling(const Words&, TransformVerbOptions& options) {
  return [&options](clump::ShapePack& pack, Diagnostics& diagnostics) {
    clump::shuffle(pack, options.seed);
    diagnostics.note(fmt::format("--shuffle: seed {}", options.seed));
    if (pack.particles.empty()) return;
    auto& before = pack.particles.front().members.front().before();
    before.insert(before.begin(), fmt::format("# shuffled with seed {}", options.seed));
  };
}

std::vector<Operation<TransformVerbOptions>> operations() {
  const auto keep = [](const Words& w, TransformVerbOptions& o) { return filter(w[0], true, o); };
  const auto drop = [](const Words& w, TransformVerbOptions& o) { return filter(w[0], false, o); };
  return {
      {"--translate", 3, "X Y Z", translation, "Move all particles", numberFrom(-1e300, 1e300)},
      {"--rotate", 2, "AXIS DEG", rotation,
       "Rotate about the axis x, y or z through the origin; rotations by 90 degrees are exact"},
      {"--scale", 1, "S", scaling, "Multiply all lengths and coordinates, and the cell",
       positiveNumber()},
      {"--tile", 3, "NX NY NZ", tiling, "Repeat the periodic cell"},
      {"--canonicalize", 0, "", canonicalization,
       "Move each particle as a whole so that its centre is in the cell"},
      {"--keep", 1, "EXPR", keep,
       "Keep the particles for which EXPR is true, e.g. \"z < 1 && shapes > 1\". Names: id kind "
       "shapes spheres unclumped x y z volume equivRad boundRad density xmin ymin zmin xmax "
       "ymax zmax group groupName"},
      {"--drop", 1, "EXPR", drop, "Remove the particles for which EXPR is true"},
      {"--sort", 1, "KEY", sorting,
       "Order by an expression of these names, smallest first; equal ones keep their order"},
      {"--shuffle", 0, "", shuffling, "Order at random, from --seed"},
  };
}

}  // namespace

Verb addTransformVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<TransformVerbOptions>();
  CLI::App& verb = addVerb(
      app, "transform",
      "Move, rotate, scale, repeat, filter, sort or merge packs. Operations run in the order of "
      "the command line",
      "  printf '##PERIODIC:: 4 4 0\\n0 Sphere 0 0 0 1\\n1 Capsule 2 2 0 1.5 1 0 0\\n' > pack.txt\n"
      "  clumpify transform pack.txt --tile 2 2 1 --rotate z 90 -o tiled.txt\n"
      "  clumpify transform pack.txt --keep \"kind == 'Sphere' && z < 1\" --translate 0 0 1\n"
      "  clumpify transform pack.txt pack.txt --merge --canonicalize --sort x "
      "-o both.txt");
  verb.add_option("PACK", options->inputs,
                  "Packs, sphere tables, conf-files or shape-files; - is standard input")
      ->required();
  for (const Operation<TransformVerbOptions>& operation : operations())
    addOperation(verb, operation, *options);
  verb.add_flag("--merge", options->merge, "Combine several packs into one, before all operations");
  verb.add_option("--seed", options->seed, "Seed of --shuffle")->capture_default_str();
  addFromNan(verb, options->shared);
  addOutput(verb, options->output);
  return {&verb, [options, &common] {
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
            Diagnostics diagnostics(common.strict);
            std::vector<clump::ShapePack> packs;
            for (const std::string& path : options->inputs)
              packs.push_back(packFrom(path, options->shared, diagnostics));
            clump::ShapePack pack =
                inPlace ? std::move(packs.front()) : clump::merged(packs, diagnostics);
            for (const Step& step : options->steps)
              inFile(inPlace ? options->inputs.front() : "the merged pack",
                     [&] { step(pack, diagnostics); });
            clump::separateIds(pack, diagnostics);
            printWarnings(diagnostics, common);
            writeFile(options->output, clump::shapePackText(pack), common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
