// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

int main(int argc, char** argv) {
  using namespace scree::tools;
  CLI::App app{"Run a conf-file: simulate bodies of real shape by the discrete element method.",
               "rockable"};
  RockableOptions options;
  addOptions(app, options);
  return runTool(app, argc, argv, options.common, [&] { return rockable(options); });
}
