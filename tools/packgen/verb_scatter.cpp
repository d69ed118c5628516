// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_request.hpp"
#include "verbs.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

struct ScatterOptions {
  RequestOptions request;
  bool saturate = false;
};

int scatter(ScatterOptions& options, const CommonOptions& common) {
  const RequestOptions& asked = options.request;
  if (!options.saturate && !asked.solidFraction && !asked.number)
    throw UsageError("expected --solid-fraction, --number or --saturate");
  const Request request = readRequest(options.request, common);
  sim::ScatterOptions o;
  o.seed = asked.seed;
  o.group = asked.group;
  o.progress = progressBar(common, "placing");
  checkPack(samplePack(asked, request), asked.pack, common);
  const std::vector<sim::PlannedBody> plan =
      options.saturate
          // One round of shares, which repeats.
          ? sim::plannedNumber(request.shapes, request.plan, request.shapes.size() == 1 ? 1 : 1000)
          : sim::plannedBodies(request);
  sim::ScatterResult result = options.saturate
                                  ? sim::saturate(request.shapes, plan, request.container, o)
                                  : sim::scatter(request.shapes, plan, request.container, o);
  if (result.saturated && !options.saturate)
    throw ModelError(fmt::format(
        "{} of {} bodies fit: the packing is saturated at a solid fraction of {:.4f}; {:.4f} "
        "is requested. fill reaches more than random sequential addition",
        result.bodies.size(), plan.size(), result.solidFraction,
        sim::solidVolume(request.shapes, plan) / request.container.volume()));
  if (result.bodies.empty())
    throw ModelError(fmt::format("--container {}: no body fits", asked.container));
  const auto grading = gradingOf(request, result.bodies, common);
  say(common, fmt::format("{} in {}, solid fraction {:.6f}, seed {}{}",
                          bodyCount(result.bodies.size()), asked.container, result.solidFraction,
                          asked.seed, options.saturate ? ", saturated" : ""));
  const std::string remark =
      fmt::format("packgen scatter: {}, {}, seed {}", bodyCount(result.bodies.size()),
                  asked.container, asked.seed);
  MadePack made = packIn(request, std::move(result.bodies));
  made.remark = remark;
  made.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("seed", asked.seed);
    json.member("saturated", result.saturated);
    addGrading(json, grading);
  };
  writePack(std::move(made), asked.pack, common);
  return 0;
}

}  // namespace

Verb addScatterVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<ScatterOptions>();
  CLI::App& verb = *app.add_subcommand(
      "scatter",
      "Place bodies at random in a container, without overlaps (random sequential addition)"
      "\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen scatter --shapes box.shp --container box:10,10,10 --number 100 -o loose/conf0\n"
      "  packgen scatter --shapes box.shp --container cylinder:5,10 --solid-fraction 0.2 "
      "--grading fuller:0.5,2,0.5 -o graded/conf0\n"
      "  packgen scatter --shapes box.shp --container periodic:8,8,8 --saturate -o full/conf0");
  CLI::Option* saturate =
      verb.add_flag("--saturate", options->saturate, "Add bodies until no more fit");
  addRequestOptions(verb, options->request, "--saturate");
  saturate->excludes("--number");
  saturate->excludes("--grading");  // in the end only the smallest bodies would fit
  return {&verb, [options, &common] { return scatter(*options, common); }};
}

}  // namespace scree::tools
