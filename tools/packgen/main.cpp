// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

using namespace scree::tools;

std::vector<Verb> scree::tools::addVerbs(CLI::App& app, const CommonOptions& common) {
  std::vector<Verb> verbs;
  for (AddVerb* add :
       {addLatticeVerb, addFromVerb, addScatterVerb, addFillVerb, addVoronoiVerb, addCutVerb,
        addTerrainVerb, addSettleVerb, addCompactVerb, addTransformVerb, addReleaseVerb,
        addEnsembleVerb, addMaterialVerb, addInfoVerb, addExportVerb, addImportVerb})
    verbs.push_back(add(app, common));
  return verbs;
}

int main(int argc, char** argv) {
  CLI::App app{"Make packings of bodies and write complete conf-files.", "packgen"};
  CommonOptions common;
  addCommonOptions(
      app, common,
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen lattice --shape box.shp --type sc --cells 4 4 4 --walls -o pack/conf0\n"
      "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' | packgen from - --shapes box.shp -o two/conf0\n");
  std::vector<Verb> verbs = addVerbs(app, common);
  verbs.push_back(addRunVerb(app, common));
  app.get_formatter()->label("SUBCOMMAND", "OPTIONS OF THE VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  app.footer("packgen VERB --help shows the options of a verb.");

  return runVerbs(app, argc, argv, common, verbs);
}
