// SPDX-License-Identifier: GPL-3.0-or-later
#include "cover.hpp"
#include "outputs.hpp"
#include "quality.hpp"
#include "run_tool.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace scree::tools {
namespace {

void report(const CoverResult& result, const CoverRequest& request, const CommonOptions& common) {
  const clump::CoverQuality quality =
      clump::coverQuality(result.solid.solid, result.solid.body, result.balls,
                          {.tolerance = 1e-3, .threads = request.cover.threads});
  say(common,
      fmt::format("{}: {}; seed {}", result.solid.name, qualityLine(quality), request.cover.seed));
  if (common.json) printResult(qualityJson(quality, request.cover.seed));
}

}  // namespace

Verb addCoverVerb(CLI::App& app, const CommonOptions& common) {
  const auto request = std::make_shared<CoverRequest>();
  const auto output = std::make_shared<std::string>("-");
  const auto spheres = std::make_shared<std::optional<std::int64_t>>();
  CLI::App& verb = *app.add_subcommand(
      "cover",
      "Approximate a solid by overlapping spheres\n\nExamples:\n"
      "  shapeSurvey make box --size 2 1 1 -o box.shp\n"
      "  clumpify cover box.shp --spheres 12 -o fit.txt\n"
      "  clumpify cover box.shp --volume-ratio 0.7 --inside --curve curve.csv -o inside.txt");
  clump::CoverOptions& c = request->cover;
  verb.add_option("SHAPE", request->input,
                  "Mesh (STL, OBJ, PLY, OFF) or shape-file; - is a shape-file on standard input")
      ->required();
  verb.add_option("--shape", request->shape, "Name of the shape in a shape-file of several")
      ->option_text("NAME");
  verb.add_option("--spheres", *spheres, "Use at most N spheres, and search for the best cover")
      ->option_text("N");
  verb.add_option("--volume-ratio", c.volumeRatio,
                  "Use the fewest spheres whose union has this share of the volume of the solid");
  verb.add_option(
      "--iou", c.iou,
      "Use the fewest spheres with this ratio of the volumes of intersection and union (IoU)");
  verb.add_option(
      "--hausdorff", c.hausdorff,
      "Use the fewest spheres with both surfaces at most this far apart, in the unit of the file");
  verb.add_option(
      "--inertia-error", c.inertiaError,
      "Use the fewest spheres whose inertia per mass has at most this relative error. They are "
      "those of best IoU; --objective inertia needs fewer");
  verb.add_flag("--inside", c.inside,
                "Keep all spheres inside the solid; without this option, maximise the IoU");
  verb.add_option("--protrusion", c.protrusion,
                  "With --inside: how far spheres may leave the solid, in the unit of the file "
                  "(default: not at all)");
  verb.add_option("--rmin", c.leastRadius,
                  "Least radius, in the unit of the file (default: 0.01 of the cube root of the "
                  "volume). With --inside, a ball of this radius must fit into the solid");
  verb.add_flag("--equal", c.equal, "All spheres have the same radius");
  verb.add_flag_callback(
      "--no-overlap", [&c] { c.overlap = false; },
      "With --equal: spheres on a lattice inside the solid that touch but do not overlap; a "
      "conf-file bonds them");
  verb.add_option("--bond-strength", request->bondStrength,
                  "Stress at which the bonds of --no-overlap break (default: they do not)");
  verb.add_option("--objective", request->objective,
                  "What to optimise without --inside: iou, hausdorff (largest distance of the "
                  "surfaces) or inertia (default: iou; with --hausdorff, hausdorff). With --inside "
                  "it is always volume")
      ->option_text("iou|hausdorff|inertia|volume");
  verb.add_option("--curve", request->curve,
                  "CSV file with the quality of the n largest spheres, for each n")
      ->option_text("FILE.csv");
  verb.add_option("--mass", request->mass,
                  "Volume, centre and inertia in the file: those of body or union")
      ->capture_default_str();
  verb.add_option("--effort", c.effort,
                  "How long to search, relative to the default 1: 10 takes about ten times as long")
      ->capture_default_str();
  verb.add_option("--seed", c.seed, "Seed of the search")->capture_default_str();
  verb.add_option("--format", request->format,
                  "Format of the output, as in convert --to (default: by its name, else shapepack)")
      ->option_text("F");
  verb.add_option("-o,--output", *output, "File to write; - is standard output")
      ->capture_default_str();
  return {&verb, [request, output, spheres, &common] {
            Diagnostics diagnostics(common.strict);
            if (*spheres) request->cover.spheres = spheresFrom(**spheres);
            checkRequest(*request, *output);
            checkReportGoesElsewhere(common.json, *output);
            checkOutputs({*output, request->curve, common.json ? "-" : ""});
            checkNotInputs({*output, request->curve}, {request->input});
            checkMayWrite(*output, common.existing());
            if (!request->curve.empty()) checkMayWrite(request->curve, common.existing());
            request->cover.threads = threadCount(common.jobs);
            request->cover.progress = progressBar(common, "covering");
            const CoverResult result = cover(*request, diagnostics);
            const auto files = coverFiles(result, *request, *output, diagnostics);
            const std::string curve =
                request->curve.empty() ? "" : curveText(result, request->cover.threads);
            printWarnings(diagnostics, common);
            if (!curve.empty()) writeFile(request->curve, curve, common.existing());
            writeConverted(files, *output, "--format", common.existing());
            if (common.verbosity >= 1 || common.json) report(result, *request, common);
            if (!result.unreached.empty())
              throw GeometryError(
                  fmt::format("{}; {} this cover", result.unreached,
                              *output == "-" ? "standard output has" : shown(*output) + " holds"));
            return 0;
          }};
}

}  // namespace scree::tools
