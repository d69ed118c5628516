// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_request.hpp"
#include "verbs.hpp"
#include "write_pack.hpp"

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace scree::tools {
namespace {

struct FillVerbOptions {
  PackRequest request;
  bool jammed = false;
};

/// Bodies may differ from their own size by that much where none is requested.
constexpr double mostScaling = 0.02;
/// A first guess of the solid fraction at jamming: that of equal balls.
constexpr double guessedFraction = 0.64;

void scaleAll(std::vector<sim::PlannedBody>& plan, double by) {
  for (sim::PlannedBody& b : plan) b.homothety *= by;
}

sim::FillResult filledTo(const PackRequest& request, const ReadRequest& read,
                         const sim::FillOptions& o, const CommonOptions& common) {
  std::vector<sim::PlannedBody> plan = plannedBodies(request, read);
  // The last digits of the solid fraction, by a hair more or less on all sizes.
  const double volume = sim::solidVolume(read.shapes, plan);
  double fraction = volume / read.container.volume();
  if (request.solidFraction) {
    scaleAll(plan, portablePow(*request.solidFraction / fraction, 1.0 / 3.0));
    fraction = *request.solidFraction;
  }
  if (!(fraction < 1.0))
    throw ModelError(fmt::format("--container {}: the bodies have {:.4f} times its volume",
                                 request.container, fraction));
  sayGrading(read, plan, common);
  sim::FillResult result = sim::fill(read.shapes, plan, read.container, o);
  if (!result.complete)
    throw ModelError(
        fmt::format("the bodies jam at a solid fraction of {:.4f}; {:.4f} is requested",
                    result.reached, fraction));
  return result;
}

sim::FillResult filledToJamming(const PackRequest& request, const ReadRequest& read,
                                const sim::FillOptions& o, const CommonOptions& common) {
  PackRequest attempt = request;
  sim::FillResult result;
  double guess = guessedFraction;
  for (int k = 0; k < 4; ++k) {
    std::vector<sim::PlannedBody> plan = plannedBodies(attempt, read, guess);
    if (k == 0) sayGrading(read, plan, common);
    result = sim::fillJammed(read.shapes, plan, read.container, o);
    const double scaling = result.bodies.front().homothety / plan.front().homothety;
    if (request.number || !request.grading.empty() || std::abs(scaling - 1.0) <= mostScaling) break;
    guess = result.solidFraction;
    say(common, fmt::format("jammed at {:.4f} with bodies {:.4f} times their size: another number "
                            "of bodies",
                            guess, scaling));
  }
  return result;
}

int fill(FillVerbOptions& options, const CommonOptions& common) {
  PackRequest& request = options.request;
  if (options.jammed && request.solidFraction)
    throw UsageError("--jammed and --solid-fraction exclude each other");
  if (request.solidFraction && request.number)
    throw UsageError("--solid-fraction and --number exclude each other");
  if (!options.jammed && !request.solidFraction && !request.number)
    throw UsageError("expected --solid-fraction, --number or --jammed");
  ReadRequest read = readRequest(request, common);
  sim::FillOptions o;
  o.seed = request.seed;
  o.group = request.group;
  o.threads = threadCount(common.jobs);
  o.progress = progressBar(common, "filling");
  sim::FillResult result = options.jammed ? filledToJamming(request, read, o, common)
                                          : filledTo(request, read, o, common);
  if (result.jammed)
    say(common,
        fmt::format("jammed at a solid fraction of {:.6f}: mean overlap {:.2g} of the size, "
                    "resultants {:.2g} of the mean force, coordination {:.4f}, {:.4f} without {} "
                    "rattlers",
                    result.jammed->solidFraction, result.jammed->overlap, result.jammed->resultant,
                    result.jammed->coordination.mean, result.jammed->coordination.withoutRattlers,
                    result.jammed->coordination.rattlers));
  say(common, fmt::format("{} in {}, solid fraction {:.6f}, no overlap, seed {}",
                          bodyCount(result.bodies.size()), request.container, result.solidFraction,
                          request.seed));
  const std::string remark =
      fmt::format("packgen fill: {}, {}, seed {}", bodyCount(result.bodies.size()),
                  request.container, request.seed);
  sim::Packing packing{std::move(read.shapes), result.bodies, {}, {}};
  const std::size_t shapes = packing.shapes.size();
  sim::keepUsedShapes(packing);
  read.container.addWalls(packing);
  const bool unchanged = read.unchanged && packing.shapes.size() == shapes;
  const auto extra = [&](JsonWriter& json) {
    json.key("solidFraction").value(result.solidFraction);
    json.key("overlap").value(result.overlap).key("seed").value(request.seed);
    if (!result.jammed) return;
    json.key("jammed").beginObject();
    json.key("solidFraction").value(result.jammed->solidFraction);
    json.key("overlap").value(result.jammed->overlap);
    json.key("coordination").value(result.jammed->coordination.mean);
    json.key("coordinationWithoutRattlers").value(result.jammed->coordination.withoutRattlers);
    json.key("constraints").value(result.jammed->coordination.constraints);
    json.key("resultant").value(result.jammed->resultant);
    json.key("rattlers").value(result.jammed->coordination.rattlers).end();
  };
  writePack(
      std::move(packing),
      {.librariesUnchanged = unchanged, .checkOverlaps = false, .remark = remark, .extra = extra},
      request.pack, common);
  return 0;
}

}  // namespace

Verb addFillVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FillVerbOptions>();
  CLI::App& verb = *app.add_subcommand(
      "fill",
      "Dense packings without an overlap: bodies grow from loose random places\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen fill --shapes box.shp --container box:8,8,8 --solid-fraction 0.5 -o dense/conf0\n"
      "  shapeSurvey make sphere --size 1 -o ball.shp\n"
      "  packgen fill --shapes ball.shp --container periodic:5,5,5 --jammed -o jammed/conf0\n"
      "  packgen fill --shapes box.shp --container cylinder:4,8 --number 150 -o column/conf0");
  addRequestOptions(verb, options->request);
  verb.add_flag("--jammed", options->jammed, "Until the packing carries load");
  return {&verb, [options, &common] { return fill(*options, common); }};
}

}  // namespace scree::tools
