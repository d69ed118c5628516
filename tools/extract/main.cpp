// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Compute tables from a series of conf-files.", "extract"};
  CommonOptions common;
  ExtractOptions options;
  addCommonOptions(app, common,
                   "  extract --list\n"
                   "  extract TrackBody --body 12 run/conf* -o body12.csv\n"
                   "  extract ClusterAABB --cluster 3 run --format json\n");
  addOptions(app, options);
  options.command = commandLine(argc, argv);
  return runTool(app, argc, argv, common, [&] { return extract(options, common); });
}
