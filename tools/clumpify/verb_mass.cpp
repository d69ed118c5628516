// SPDX-License-Identifier: GPL-3.0-or-later
#include "mass.hpp"
#include "run_tool.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <cmath>
#include <memory>

namespace scree::tools {

Verb addMassVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<MassOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = *app.add_subcommand(
      "mass",
      "Print volume, mass, centre and inertia of each particle of a ShapePack\n\nExamples:\n"
      "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
      "  clumpify mass pack.txt --density 2600 --json\n"
      "  clumpify mass pack.txt --method sum -o sums.txt");
  verb.add_option("PACK", options->input, "ShapePack file; - is standard input")->required();
  verb.add_option("--density", options->density,
                  "Density of particles without one, in the units of the file")
      ->capture_default_str();
  verb.add_option(
          "--method", options->method,
          "auto, exact, sum, grid, octree or all. With auto, shared volume counts once, in closed "
          "form or with a certified bound. With exact, a particle without closed form is refused. "
          "With sum, members are added up. Woo uses grid, and PFC octree. With all, the results of "
          "all methods are printed")
      ->capture_default_str();
  verb.add_option(
          "--from-nan", options->fromNan,
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->capture_default_str();
  verb.add_option("-o,--output", *output, "File to write; - is standard output")
      ->capture_default_str();
  verb.add_option("--divisions", options->divisions,
                  "With grid: cells per smallest radius (default 5)");
  verb.add_option(
      "--tolerance", options->tolerance,
      "With auto: allowed relative error of a certified volume; with octree: largest change of "
      "the extrapolated volume in the last step (default 1e-5)");
  return {&verb, [options, output, &common] {
            if (!(options->density > 0.0) || !std::isfinite(options->density))
              throw UsageError("--density: expected a finite number above 0");
            Diagnostics diagnostics(common.strict);
            checkNotInputs({*output}, {options->input});
            checkMayWrite(*output, common.existing());
            options->threads = threadCount(common.jobs);
            const auto particles = masses(*options, diagnostics);
            const bool total = options->method != "all";
            const std::string result = common.json ? massJson(particles, options->density, total)
                                                   : massTable(particles, options->density, total);
            printWarnings(diagnostics, common);
            writeFile(*output, result, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
