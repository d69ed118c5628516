// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_line.hpp"
#include "verbs.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

using namespace scree;
using namespace scree::tools;

/// Verbs of later versions: known, so that they are refused as what they are.
constexpr std::array<std::string_view, 9> laterVerbs{
    "voronoi", "cut", "terrain", "release", "ensemble", "transform", "export", "import", "run"};

/// Large vectors that come and go while bodies grow leave gaps in the heap, since glibc puts ever
/// larger ones there. With pages of their own, 10,000 mixed bodies take 25 MB, not 30.
void keepLargeBlocksOffTheHeap() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keepLargeBlocksOffTheHeap();
  CLI::App app{"Make packings of bodies and write complete conf-files.", "packgen"};
  CommonOptions common;
  addCommonOptions(
      app, common,
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen lattice --shape box.shp --type sc --cells 4 4 4 --walls -o pack/conf0\n"
      "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' | packgen from - --shapes box.shp -o two/conf0\n");
  app.require_subcommand(0, 1);
  const std::vector<Verb> verbs{
      addLatticeVerb(app, common),  addFromVerb(app, common),   addScatterVerb(app, common),
      addFillVerb(app, common),     addSettleVerb(app, common), addCompactVerb(app, common),
      addMaterialVerb(app, common), addInfoVerb(app, common),
  };
  for (const std::string_view name : laterVerbs) {  // with any options, so that they can be refused
    CLI::App* verb = app.add_subcommand(std::string(name));
    verb->group("")->prefix_command()->fallthrough(false);
    verb->set_help_flag("");
    verb->set_help_all_flag("");
  }
  app.get_formatter()->label("SUBCOMMAND", "OPTIONS OF THE VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  app.footer("packgen VERB --help shows the options of a verb.");

  return runTool(app, argc, argv, common, [&] {
    for (const Verb& verb : verbs)
      if (verb.app->parsed()) return verb.run();
    for (const CLI::App* verb : app.get_subcommands())
      throw UsageError(
          fmt::format("{} is not available yet; verbs are {}; packgen --help describes them",
                      verb->get_name(), verbList(app)));
    refuseWithoutVerb(app);
  });
}
