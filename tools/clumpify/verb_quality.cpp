// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"
#include "outputs.hpp"
#include "quality.hpp"
#include "quality_views.hpp"
#include "run_tool.hpp"
#include "solid_input.hpp"
#include "verbs.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {

Verb addQualityVerb(CLI::App& app, const CommonOptions& common) {
  struct Options {
    std::string clump, solid, shape, vtp, image, output = "-";
    double tolerance = 1e-4;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& verb = *app.add_subcommand(
      "quality",
      "Compare a clump of spheres with the solid that it represents\n\nExamples:\n"
      "  shapeSurvey make box --size 2 1 1 -o box.shp\n"
      "  clumpify cover box.shp --spheres 12 -o fit.txt\n"
      "  clumpify quality fit.txt box.shp --json");
  verb.add_option("CLUMP", options->clump,
                  "One clump of spheres: ShapePack, shape-file, or table of YADE or CSV")
      ->required();
  verb.add_option("SHAPE", options->solid, "Mesh (STL, OBJ, PLY, OFF) or shape-file")->required();
  verb.add_option("--shape", options->shape, "Name of the shape in a shape-file of several")
      ->option_text("NAME");
  verb.add_option("--tolerance", options->tolerance,
                  "Width of the proven ranges: relative for volumes, in cube roots of the volume "
                  "for distances")
      ->capture_default_str();
  verb.add_option("--vtp", options->vtp,
                  "ParaView file: the surface of the solid with its distance from the spheres")
      ->option_text("FILE.vtp");
  verb.add_option("--image", options->image, "PNG picture of the solid and the spheres")
      ->option_text("FILE.png");
  verb.add_option("-o,--output", options->output, "File to write; - is standard output")
      ->capture_default_str();
  return {
      &verb, [options, &common] {
        if (!(options->tolerance >= 1e-9 && options->tolerance < 1.0))
          throw UsageError(fmt::format("--tolerance {:g}: expected a number from 1e-9 to below 1",
                                       options->tolerance));
        checkInputs(std::vector{options->clump, options->solid});
        checkEnding("--vtp", options->vtp, ".vtp");
        checkEnding("--image", options->image, ".png");
        checkOutputs({options->output, options->vtp, options->image});
        checkNotInputs({options->output, options->vtp, options->image},
                       {options->clump, options->solid});
        Diagnostics diagnostics(common.strict);
        checkMayWrite(options->output, common.existing());
        for (const std::string& file : {options->vtp, options->image})
          if (!file.empty()) checkMayWrite(file, common.existing());
        const int threads = threadCount(common.jobs);
        const auto balls = ballsFrom(options->clump, diagnostics);
        const SolidInput solid = solidFrom(options->solid, options->shape, threads, diagnostics);
        const clump::CoverQuality quality = clump::coverQuality(
            solid.solid, solid.body, balls, {.tolerance = options->tolerance, .threads = threads});
        warnOfWideRanges(quality, options->tolerance, diagnostics);
        printWarnings(diagnostics, common);
        if (!options->vtp.empty())
          writeFile(
              options->vtp,
              vtp::vtpText(distancePiece(solid, balls), {.compression = vtp::Compression::zlib}),
              common.existing());
        if (!options->image.empty())
          writeFile(options->image, qualityPicture(solid, balls, threads), common.existing());
        writeFile(options->output, common.json ? qualityJson(quality) : qualityTable(quality),
                  common.existing());
        return 0;
      }};
}

}  // namespace scree::tools
