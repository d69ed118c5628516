// SPDX-License-Identifier: GPL-3.0-or-later
#include "carried_load.hpp"
#include "settled_pack.hpp"
#include "verbs.hpp"

#include <memory>

namespace scree::tools {
namespace {

struct CompactOptions {
  SettledPackOptions settled;
  double pressure = 0.0;
  std::string axes = "xyz";
};

int compact(CompactOptions& options, const CommonOptions& common) {
  requirePressure(options.pressure);
  options.settled.untilRest = true;
  Pressing pressing;
  pressing.pressure = options.pressure;
  pressing.axes = sim::pressedAxes(options.axes);
  pressing.extra = reportStress;
  return settledPack(options.settled, pressing, "compact", common);
}

}  // namespace

Verb addCompactVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<CompactOptions>();
  CLI::App& verb = *app.add_subcommand(
      "compact",
      "Press a packing with its walls or its periodic cell, until it carries a pressure at rest"
      "\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen scatter --shapes box.shp --container box:3.5,3.5,3.5 --number 6 --gravity 0 0 0 "
      "--mu 0,1=0 -o loose/conf0\n"
      "  packgen compact loose/conf0 --pressure 1e5 -o dense/conf0\n"
      "  packgen compact loose/conf0 --pressure 1e5 --axes y --drive oedometer:2e5 -o odo/conf0");
  verb.add_option("--pressure", options->pressure, "Pressure [Pa]")->required()->option_text("P");
  verb.add_option("--axes", options->axes,
                  "Axes that are pressed, xyz (isotropic, default), two of them (biaxial) or one "
                  "(oedometric); the others stay")
      ->option_text("AXES");
  addSettledPackOptions(verb, options->settled, true);
  return {&verb, [options, &common] { return compact(*options, common); }};
}

}  // namespace scree::tools
