// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"
#include "vtk/write_vtp.hpp"

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Make, import, measure, check, export and draw the shapes of bodies.",
               "shapeSurvey"};
  CommonOptions common;
  common.libraries.push_back({"VTK", vtp::vtkVersion()});
  addCommonOptions(
      app, common,
      "  shapeSurvey make boulder --faces 30 --size 1 --radius 0.02 --seed 1 -o boulder.shp\n"
      "  shapeSurvey compute boulder.shp -o surveyed.shp\n"
      "  shapeSurvey info surveyed.shp --json");
  std::vector<Verb> verbs;
  for (auto* add : {addMakeVerb, addImportVerb, addComputeVerb, addInfoVerb, addListVerb,
                    addExportVerb, addImageVerb, addCheckVerb})
    verbs.push_back(add(app, common));
  return runVerbs(app, argc, argv, common, verbs);
}
