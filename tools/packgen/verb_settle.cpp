// SPDX-License-Identifier: GPL-3.0-or-later
#include "settled_pack.hpp"
#include "verbs.hpp"

#include <memory>

namespace scree::tools {

Verb addSettleVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<SettledPackOptions>();
  CLI::App& verb = *app.add_subcommand(
      "settle",
      "Let the bodies of a conf-file fall and come to rest\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen scatter --shapes box.shp --container box:5,8,5 --number 60 -o loose/conf0\n"
      "  packgen settle loose/conf0 --until-rest -o heap/conf0\n"
      "  packgen settle loose/conf0 --gravity 0 0 -9.81 --until 0.5 -o early/conf0");
  addSettledPackOptions(verb, *options, false);
  return {&verb, [options, &common] { return settledPack(*options, {}, "settle", common); }};
}

}  // namespace scree::tools
