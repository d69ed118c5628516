// SPDX-License-Identifier: GPL-3.0-or-later
#include "lump.hpp"
#include "run_tool.hpp"
#include "verbs.hpp"

#include <memory>

namespace scree::tools {

Verb addLumpVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<LumpVerbOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = *app.add_subcommand(
      "lump",
      "Lump mass and inertia of facets and tetrahedra to their nodes\n\nExamples:\n"
      "  printf '0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\\n' > tetra.txt\n"
      "  clumpify lump tetra.txt --density 2600\n"
      "  clumpify lump tetra.txt --share pack --json -o nodes.json");
  verb.add_option("PACK", options->input, "ShapePack file; - is standard input")->required();
  verb.add_option("--density", options->density,
                  "Density of particles without one, in the units of the file")
      ->capture_default_str();
  verb.add_option("--share", options->share,
                  "Corners at the same coordinates are one node within a particle, or within the "
                  "whole pack. Members marked u share nodes by markers only, or within the pack")
      ->capture_default_str();
  verb.add_option(
          "--from-nan", options->fromNan,
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->capture_default_str();
  verb.add_option("-o,--output", *output, "File to write; - is standard output")
      ->capture_default_str();
  return {&verb, [options, output, &common] {
            Diagnostics diagnostics(common.strict);
            checkNotInputs({*output}, {options->input});
            checkMayWrite(*output, common.existing());
            const auto nodes = lumped(*options, diagnostics);
            printWarnings(diagnostics, common);
            writeFile(*output, common.json ? lumpJson(nodes) : lumpTable(nodes), common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
