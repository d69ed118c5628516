// SPDX-License-Identifier: GPL-3.0-or-later
#include "clumpify.hpp"
#include "run_tool.hpp"

#include "scree/base/parallel.hpp"

#include <array>
#include <cmath>

namespace {

using namespace scree;
using namespace scree::tools;

/// Verbs of later versions: known, so that they are refused as what they are.
constexpr std::array<std::array<const char*, 2>, 5> laterVerbs{{
    {"cover", "Fill a shape with overlapping spheres"},
    {"create", "Make one clump of many particles"},
    {"add", "Add spheres to a clump"},
    {"quality", "Compare a clump with the mesh it stands for"},
    {"transform", "Move, turn, scale or repeat a pack"},
}};

CLI::App& addMass(CLI::App& app, MassOptions& options, std::string& output) {
  CLI::App& verb = *app.add_subcommand(
      "mass",
      "Volume, mass, centre and inertia of each particle of a ShapePack\n\nExamples:\n"
      "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
      "  clumpify mass pack.txt --density 2600 --json\n"
      "  clumpify mass pack.txt --method sum -o sums.txt");
  verb.add_option("PACK", options.input, "ShapePack file; - is standard input")->required();
  verb.add_option("--density", options.density, "Mass over volume, in the units of the file")
      ->capture_default_str();
  verb.add_option("--method", options.method,
                  "auto: shared volume counts once, in closed form or certified; exact: closed "
                  "form or nothing; for comparison sum (members added up), grid, octree")
      ->capture_default_str();
  verb.add_option("-o,--output", output, "Where the result goes; - is standard output")
      ->capture_default_str();
  verb.add_option("--divisions", options.divisions, "Cells of a grid to the smallest radius")
      ->capture_default_str();
  verb.add_option("--tolerance", options.tolerance, "Relative error allowed for a certified volume")
      ->capture_default_str();
  return verb;
}

CLI::App& addConvert(CLI::App& app, ConvertOptions& options, std::string& output) {
  CLI::App& verb =
      *app.add_subcommand("convert", "Write a pack in another format, or in canonical form");
  verb.footer(
      "Examples:\n"
      "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
      "  clumpify convert pack.txt --to shapepack -o canonical.txt");
  verb.add_option("IN", options.input, "File to read; - is standard input")->required();
  verb.add_option("--from", options.from, "Format of the file: shapepack")->capture_default_str();
  verb.add_option("--to", options.to, "Format to write: shapepack")->required();
  verb.add_option("-o,--output", output, "Where the result goes; - is standard output")
      ->capture_default_str();
  return verb;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Clumps of spheres and packs of shapes: their mass, and their file formats.",
               "clumpify"};
  CommonOptions common;
  MassOptions massOptions;
  ConvertOptions convertOptions;
  std::string output = "-";
  addCommonOptions(app, common,
                   "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
                   "  clumpify mass pack.txt --density 2600 --json\n"
                   "  clumpify convert pack.txt --to shapepack -o -");
  app.require_subcommand(1);
  const CLI::App& massVerb = addMass(app, massOptions, output);
  const CLI::App& convertVerb = addConvert(app, convertOptions, output);
  for (const auto& [name, help] : laterVerbs)  // whatever follows them, the verb is what is missing
    app.add_subcommand(name, std::string(help) + " (not available yet)")
        ->fallthrough(false)
        ->prefix_command();

  return runTool(app, argc, argv, common, [&] {
    Diagnostics diagnostics(common.strict);
    std::string result;
    if (massVerb.parsed()) {
      if (!(massOptions.density > 0.0) || !std::isfinite(massOptions.density))
        throw UsageError("--density: expected a finite number above 0");
      checkMayWrite(output, common.existing());
      massOptions.threads = threadCount(common.jobs);
      const auto particles = masses(massOptions, diagnostics);
      result = common.json ? massJson(particles, massOptions.density)
                           : massTable(particles, massOptions.density);
    } else if (convertVerb.parsed()) {
      checkMayWrite(output, common.existing());
      result = converted(convertOptions, diagnostics);
    } else {
      throw UsageError(app.get_subcommands().front()->get_name() +
                       " is not available yet; available: mass, convert");
    }
    printWarnings(diagnostics, common);
    writeFile(output, result, common.existing());
    return 0;
  });
}
