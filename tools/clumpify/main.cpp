// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.hpp"

#include <array>
#include <vector>

namespace {

using namespace scree;
using namespace scree::tools;

/// Verbs of later versions: known, so that they are refused as what they are.
constexpr std::array<std::array<const char*, 2>, 2> laterVerbs{{
    {"create", "Make one clump of many particles"},
    {"add", "Add spheres to a clump"},
}};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Clumps of spheres and packs of shapes: their mass, and their file formats.",
               "clumpify"};
  CommonOptions common;
  addCommonOptions(app, common,
                   "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
                   "  clumpify mass pack.txt --density 2600 --json\n"
                   "  clumpify convert pack.txt --to shapepack -o -");
  app.require_subcommand(1);
  const std::vector<Verb> verbs{
      addMassVerb(app, common),
      addConvertVerb(app, common),
      addTransformVerb(app, common),
      addCoverVerb(app, common),
      addQualityVerb(app, common),
      addLumpVerb(app, common),
  };
  for (const auto& [name, help] : laterVerbs)  // whatever follows them, the verb is what is missing
    app.add_subcommand(name, std::string(help) + " (not available yet)")
        ->fallthrough(false)
        ->prefix_command();

  return runTool(app, argc, argv, common, [&] {
    for (const Verb& verb : verbs)
      if (verb.app->parsed()) return verb.run();
    throw UsageError(app.get_subcommands().front()->get_name() +
                     " is not available yet; available: mass, convert, transform, lump, cover, quality");
  });
}
