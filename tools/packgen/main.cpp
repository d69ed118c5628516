// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Arrange bodies and write complete conf-files.", "packgen"};
  CommonOptions common;
  PackgenOptions options;
  addCommonOptions(
      app, common,
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen lattice --shape box.shp --type sc --cells 4 4 4 --walls -o pack/conf0\n"
      "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' | packgen from - --shapes box.shp -o two/conf0\n");
  addOptions(app, options);
  return runTool(app, argc, argv, common, [&] { return packgen(app, options, common); });
}
