// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

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

[[noreturn]] void refuse(const CLI::App& app, const std::vector<Verb>& verbs,
                         const std::string& word) {
  std::vector<std::string> have;
  for (const Verb& verb : verbs) have.push_back(verb.app->get_name());
  const std::string list = fmt::format("verbs are {}", fmt::join(have, " "));
  for (const CLI::App* verb : app.get_subcommands())
    throw UsageError(fmt::format("{} is not available yet; {}", verb->get_name(), list));
  if (word.empty()) throw UsageError("no verb given; " + list);
  std::vector<std::string_view> known(have.begin(), have.end());
  known.insert(known.end(), laterVerbs.begin(), laterVerbs.end());
  throw UsageError(fmt::format("unknown verb '{}'{}; {}", word, suggestion(word, known), list));
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
  // Takes a verb that does not exist, so that it can be named.
  std::string strayWord;
  app.add_option("VERB", strayWord, "One of the verbs below");
  app.get_formatter()->label("SUBCOMMAND", "OPTIONS OF THE VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  app.footer("packgen VERB --help shows the options of a verb.");

  return runTool(app, argc, argv, common, [&] {
    for (const Verb& verb : verbs) {
      if (!verb.app->parsed()) continue;
      if (!strayWord.empty()) throw UsageError(fmt::format("unexpected argument '{}'", strayWord));
      return verb.run();
    }
    refuse(app, verbs, strayWord);
  });
}
