// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_request.hpp"
#include "verbs.hpp"
#include "write_pack.hpp"

#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

struct ScatterVerbOptions {
  PackRequest request;
  bool saturate = false;
};

int scatter(ScatterVerbOptions& options, const CommonOptions& common) {
  PackRequest& request = options.request;
  if (options.saturate && (request.solidFraction || request.number))
    throw UsageError(
        "--saturate adds as many bodies as fit, so it excludes "
        "--solid-fraction and --number");
  if (options.saturate && !request.grading.empty())
    throw UsageError(
        "--saturate and --grading exclude each other: in the end only the smallest bodies would "
        "fit");
  if (request.solidFraction && request.number)
    throw UsageError("--solid-fraction and --number exclude each other");
  if (!options.saturate && !request.solidFraction && !request.number)
    throw UsageError("expected --solid-fraction, --number or --saturate");
  ReadRequest read = readRequest(request, common);
  sim::ScatterOptions o;
  o.seed = request.seed;
  o.group = request.group;
  o.progress = progressBar(common, "placing");
  std::vector<sim::PlannedBody> plan =
      options.saturate
          // One round of shares, which repeats.
          ? sim::plannedNumber(read.shapes, read.plan, read.shapes.size() == 1 ? 1 : 1000)
          : plannedBodies(request, read);
  checkRequest(request, read, common);
  const auto grading =
      options.saturate ? std::optional<RealisedGrading>() : realisedGrading(read, plan);
  sayGrading(grading, common);
  sim::ScatterResult result = options.saturate ? sim::saturate(read.shapes, plan, read.container, o)
                                               : sim::scatter(read.shapes, plan, read.container, o);
  if (result.saturated && !options.saturate)
    throw ModelError(fmt::format(
        "{} of {} bodies fit: the packing is saturated at a solid fraction of {:.4f}; {:.4f} "
        "is requested. fill reaches more than random sequential addition",
        result.bodies.size(), plan.size(), result.solidFraction,
        sim::solidVolume(read.shapes, plan) / read.container.volume()));
  if (result.bodies.empty())
    throw ModelError(fmt::format("--container {}: no body fits", request.container));
  const std::string remark =
      fmt::format("packgen scatter: {}, {}, seed {}", bodyCount(result.bodies.size()),
                  request.container, request.seed);
  say(common, fmt::format("{} in {}, solid fraction {:.6f}, seed {}{}",
                          bodyCount(result.bodies.size()), request.container, result.solidFraction,
                          request.seed, options.saturate ? ", saturated" : ""));
  sim::Packing packing{std::move(read.shapes), std::move(result.bodies), {}, {}};
  const std::size_t shapes = packing.shapes.size();
  sim::keepUsedShapes(packing);
  read.container.addWalls(packing);
  const bool unchanged = read.unchanged && packing.shapes.size() == shapes;
  writePack(std::move(packing),
            {.librariesUnchanged = unchanged,
             .remark = remark,
             .extra =
                 [&](JsonWriter& json) {
                   json.key("solidFraction").value(result.solidFraction);
                   json.key("seed").value(request.seed);
                   json.key("saturated").value(result.saturated);
                   addGrading(json, grading);
                 }},
            request.pack, common);
  return 0;
}

}  // namespace

Verb addScatterVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<ScatterVerbOptions>();
  CLI::App& verb = *app.add_subcommand(
      "scatter",
      "Place bodies at random in a container, without overlaps (random sequential addition)"
      "\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen scatter --shapes box.shp --container box:10,10,10 --number 100 -o loose/conf0\n"
      "  packgen scatter --shapes box.shp --container cylinder:5,10 --solid-fraction 0.2 "
      "--grading fuller:0.5,2,0.5 -o graded/conf0\n"
      "  packgen scatter --shapes box.shp --container periodic:8,8,8 --saturate -o full/conf0");
  addRequestOptions(verb, options->request);
  verb.add_flag("--saturate", options->saturate, "Add bodies until no more fit");
  return {&verb, [options, &common] { return scatter(*options, common); }};
}

}  // namespace scree::tools
