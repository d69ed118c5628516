// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Run a conf-file: bodies of real shape that fall, bounce, slide and roll.",
               "rockable"};
  RockableOptions options;
  addOptions(app, options);
  return runTool(app, argc, argv, options.common, [&] { return rockable(options); });
}
