// SPDX-License-Identifier: GPL-3.0-or-later
#include "carried_load.hpp"
#include "pack_request.hpp"
#include "settled_pack.hpp"
#include "verbs.hpp"
#include "write_pack.hpp"

#include "scree/base/files.hpp"
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
  std::optional<double> friction, pressure;
  bool pressed() const { return friction || pressure; }
};

/// Bodies may differ from their own size by that much where none is requested.
constexpr double mostScaling = 0.02;
/// Where a packing is pressed until it carries load, the pressure acts from this solid fraction on:
/// below that at which friction holds bodies.
constexpr double loosePressed = 0.45;
/// A first guess of the solid fraction at jamming: that of equal balls.
constexpr double guessedFraction = 0.64;

void scaleAll(std::vector<sim::PlannedBody>& plan, double by) {
  for (sim::PlannedBody& b : plan) b.homothety *= by;
}

struct Filled {
  sim::FillResult result;
  std::optional<RealisedGrading> grading;
};

Filled filledTo(const PackRequest& request, const ReadRequest& read, const sim::FillOptions& o,
                const CommonOptions& common) {
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
  const auto grading = realisedGrading(read, plan);
  sayGrading(grading, common);
  sim::FillResult result = sim::fill(read.shapes, plan, read.container, o);
  if (!result.complete)
    throw ModelError(
        fmt::format("the bodies jam at a solid fraction of {:.4f}; {:.4f} is requested",
                    result.reached, fraction));
  return {std::move(result), grading};
}

Filled filledToJamming(const PackRequest& request, const ReadRequest& read,
                       const sim::FillOptions& o, const CommonOptions& common) {
  PackRequest attempt = request;
  sim::FillResult result;
  double guess = guessedFraction, scaling = 1.0;
  for (int k = 0; k < 4; ++k) {
    std::vector<sim::PlannedBody> plan = plannedBodies(attempt, read, guess);
    result = sim::fillJammed(read.shapes, plan, read.container, o);
    scaling = result.bodies.front().homothety / plan.front().homothety;
    if (request.number || !request.grading.empty() || std::abs(scaling - 1.0) <= mostScaling) break;
    guess = result.solidFraction;
    say(common, fmt::format("jammed at {:.4f} with bodies {:.4f} times their size: repeated with "
                            "another number of bodies",
                            guess, scaling));
  }
  std::vector<sim::PlannedBody> made;
  for (const sim::PlacedBody& body : result.bodies) made.push_back({body.shape, body.homothety});
  if (read.plan.grading)
    say(common, fmt::format("jammed with all sizes {:.4f} times those of the grading", scaling));
  const auto grading = realisedGrading(read, made);
  sayGrading(grading, common);
  return {std::move(result), grading};
}

/// The axes along which the walls of a container, or the periodic cell, can press.
sim::PressedAxes pressedAxesOf(const sim::Container& container) {
  using Kind = sim::Container::Kind;
  switch (container.kind()) {
    case Kind::box:
    case Kind::periodic:
      return {true, true, true};
    case Kind::cylinder:
      return {false, true, false};
    case Kind::drum:
      return {false, false, true};
    default:
      throw UsageError(
          fmt::format("--container {}: has no walls that can press; choose box, periodic, "
                      "cylinder or drum",
                      container.text()));
  }
}

SettledPackOptions settledOptions(const PackOptions& pack) {
  SettledPackOptions s;
  s.conf = "packgen fill";
  s.untilRest = true;
  s.output = pack.output;
  s.library = pack.library;
  if (s.library.empty()) {
    if (s.output == "-")
      throw UsageError("-o - writes only the conf-file; --library FILE names the shape-file");
    s.library = std::string(withoutZst(s.output)) + ".shp";
  }
  s.drive = pack.drive;
  if (pack.durationGiven) s.duration = pack.settings.duration;
  s.interConf = pack.settings.interConf;
  s.overlap = pack.settings.overlap;
  s.keepStiffness = pack.settings.kn || pack.settings.young;
  return s;
}

/// A packing with the parameters for what presses and drives it.
struct PressedPack {
  sim::CompletedConf completed;
  std::vector<shape::Shape> shapes;
};
PressedPack pressedPack(const sim::Packing& packing, sim::PackSettings settings,
                        const SettledPackOptions& settled) {
  PressedPack pack;
  pack.completed = sim::completed(packing, settings);
  pack.shapes = shapesUsed(packing, pack.completed.conf);
  if (settled.drive.empty()) return pack;
  const std::vector<std::string> smoothed =
      smoothWalls(sim::DrivePlan::parse(settled.drive), pack.completed.conf, pack.shapes, settings);
  pack.completed = sim::completed(packing, settings);
  pack.completed.reasons.insert(pack.completed.reasons.end(), smoothed.begin(), smoothed.end());
  return pack;
}

/// Fills loosely, then presses by the engine of runs until the packing carries the pressure.
int fillUnderPressure(FillVerbOptions& options, ReadRequest& read, const sim::FillOptions& o,
                      const CommonOptions& common) {
  PackRequest request = options.request;
  SettledPackOptions settled = settledOptions(request.pack);
  checkSettled(settled, common);
  sim::PackSettings settings = request.pack.settings;
  if (options.friction) {
    if (!(*options.friction >= 0.0 && std::isfinite(*options.friction)))
      throw UsageError(fmt::format("--friction: expected a number not below 0, found {:.6g}",
                                   *options.friction));
    settings.mu.general = *options.friction;
  }
  checkSettings(settings);
  Pressing pressing;
  pressing.pressure = options.pressure.value_or(sim::DrivePlan{}.pressure);
  requirePressure(pressing.pressure);
  pressing.axes = pressedAxesOf(read.container);
  settings.drive.pressure = pressing.pressure;
  if (!request.pack.gravityGiven) settings.gravity.setZero();
  {  // Refuses what would not do before bodies grow.
    const sim::Packing sample = samplePacking(request, read);
    PressedPack pack = pressedPack(sample, settings, settled);
    checkPressed(std::move(pack.completed.conf), pack.shapes, settled, pressing, common);
  }

  if (options.jammed && !request.number) request.solidFraction = loosePressed;
  const Filled filled = filledTo(request, read, o, common);
  const sim::FillResult& loose = filled.result;
  say(common, fmt::format("{} in {} at a solid fraction of {:.6g}, seed {}; pressed by {:.6g} Pa "
                          "with friction {:.6g}",
                          bodyCount(loose.bodies.size()), request.container, loose.solidFraction,
                          request.seed, pressing.pressure, settings.mu.general));
  sim::Packing packing{std::move(read.shapes), loose.bodies, {}, {}};
  sim::keepUsedShapes(packing);
  read.container.addWalls(packing);
  auto [completed, shapes] = pressedPack(packing, settings, settled);
  Diagnostics diagnostics(common.strict);
  warnOfSettings(completed, settings, diagnostics);
  printWarnings(diagnostics, common);
  for (const std::string& reason : completed.reasons) say(common, reason);
  settled.remark =
      fmt::format("packgen fill: {}, {}, pressed by {} Pa, seed {}", bodyCount(loose.bodies.size()),
                  request.container, pressing.pressure, request.seed);
  pressing.extra = [&](JsonWriter& json, const sim::Simulation& simulation) {
    reportStress(json, simulation);
    json.key("seed").value(request.seed).key("pressure").value(pressing.pressure);
    json.key("friction").value(settings.mu.general);
    addGrading(json, filled.grading);
  };
  sim::RunInput input;
  input.shapes = std::move(shapes);
  input.conf = std::move(completed.conf);
  return settledPack(std::move(input), settled, pressing, "fill", common);
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
  if (options.pressed()) return fillUnderPressure(options, read, o, common);
  checkRequest(request, read, common);
  const Filled filled = options.jammed ? filledToJamming(request, read, o, common)
                                       : filledTo(request, read, o, common);
  const sim::FillResult& result = filled.result;
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
    addGrading(json, filled.grading);
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
  writePack(std::move(packing), {.librariesUnchanged = unchanged, .remark = remark, .extra = extra},
            request.pack, common);
  return 0;
}

}  // namespace

Verb addFillVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FillVerbOptions>();
  CLI::App& verb = *app.add_subcommand(
      "fill",
      "Make a dense packing without overlaps: bodies grow from random positions\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen fill --shapes box.shp --container box:8,8,8 --solid-fraction 0.5 -o dense/conf0\n"
      "  shapeSurvey make sphere --size 1 -o ball.shp\n"
      "  packgen fill --shapes ball.shp --container periodic:5,5,5 --jammed -o jammed/conf0\n"
      "  packgen fill --shapes box.shp --container cylinder:4,8 --number 150 -o column/conf0\n"
      "  packgen fill --shapes ball.shp --container periodic:5,5,5 --jammed --friction 0.3 "
      "--pressure 1e4 -o loaded/conf0");
  addRequestOptions(verb, options->request);
  verb.add_flag("--jammed", options->jammed, "Fill until the packing carries load");
  verb.add_option("--friction", options->friction,
                  "Then press the packing with this friction coefficient; the pressure is 1e4 Pa "
                  "without --pressure")
      ->option_text("MU");
  verb.add_option("--pressure", options->pressure,
                  "Then press the packing by P [Pa] until it carries P at rest, as compact does. "
                  "The friction is that of --friction, else of --mu")
      ->option_text("P");
  return {&verb, [options, &common] { return fill(*options, common); }};
}

}  // namespace scree::tools
