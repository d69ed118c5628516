// SPDX-License-Identifier: GPL-3.0-or-later
#include "image.hpp"
#include "shapeSurvey.hpp"
#include "vtk/write_vtp.hpp"

#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Make, import, measure, check, export and draw the shapes of bodies.",
               "shapeSurvey"};
  CommonOptions common;
  common.libraries.push_back({"VTK", vtp::vtkVersion()});
  std::string tables;
  addCommonOptions(
      app, common,
      "  shapeSurvey make boulder --faces 30 --size 1 --radius 0.02 --seed 1 -o boulder.shp\n"
      "  shapeSurvey compute boulder.shp -o surveyed.shp\n"
      "  shapeSurvey info surveyed.shp --json");
  app.require_subcommand(0, 1);
  CLI::Option* list = app.add_option("--list", tables, "Print a table: keywords (of shape-files)")
                          ->check(CLI::IsMember({"keywords"}));
  std::vector<Verb> verbs;
  for (auto* add : {addMakeVerb, addImportVerb, addComputeVerb, addInfoVerb, addListVerb,
                    addExportVerb, addImageVerb, addCheckVerb})
    verbs.push_back(add(app, common));
  return runVerbs(app, argc, argv, common, verbs, [&] {
    if (list->count() == 0) refuseWithoutVerb(app);
    printResult(common.json ? keywordJson() : keywordTable());
    return 0;
  });
}
