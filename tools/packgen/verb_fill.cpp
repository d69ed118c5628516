// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_request.hpp"
#include "press.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

struct FillOptions {
  RequestOptions request;
  bool jammed = false;
  std::optional<double> friction, pressure;
};

/// Solid fraction from which a pressure acts: below that at which friction holds bodies.
constexpr double loosePressed = 0.45;

/// The packing completed for its drive, as the input of a run.
sim::RunInput inputOf(const sim::Packing& packing, const sim::PackSettings& settings,
                      const PressRequest& press, std::vector<std::string>& reasons,
                      Diagnostics& diagnostics) {
  const auto& drive = press.press.drive;
  sim::CompletedConf completed = sim::completed(packing, settings, drive ? &*drive : nullptr);
  warnOfSettings(completed, settings, diagnostics);
  reasons = std::move(completed.reasons);
  sim::RunInput input;
  input.conf = std::move(completed.conf);
  input.shapes = std::move(completed.shapes);
  return input;
}

/// Refuses bodies that would be too large for the periodic cell once it is pressed.
void requireRoomToPress(const Request& request, const sim::PressOptions& press) {
  const std::vector<sim::PlannedBody> plan = sim::plannedBodies(request);
  double largest = 0.0;
  for (const sim::PlannedBody& b : plan)
    largest = std::max(largest, b.homothety * sim::boundingRadius(request.shapes[b.shape]));
  sim::Packing cell;
  if (request.container.periodic()) request.container.addWalls(cell);
  sim::requireRoomToPress(press, cell.cell, sim::solidVolume(request.shapes, plan), largest);
}

/// Fills loosely, then presses by the engine of runs until the packing carries the pressure.
int fillUnderPressure(FillOptions& options, Request& request, const sim::FillOptions& o,
                      const CommonOptions& common) {
  const RequestOptions& asked = options.request;
  sim::PackSettings settings = asked.pack.settings;
  if (options.friction) settings.mu.general = *options.friction;
  if (!asked.pack.gravityGiven) settings.gravity.setZero();
  PressRequest pressing;
  sim::PressOptions& press = pressing.press;
  press.name = "--container " + asked.container;
  press.pressure = options.pressure.value_or(sim::DrivePlan{}.pressure);
  press.axes = request.container.pressedAxes();
  press.gravity = settings.gravity;
  press.rest = sim::restUnderPressure();
  press.overlap = settings.overlap;
  press.keepStiffness = settings.kn || settings.young;
  if (!asked.pack.drive.empty()) press.drive = sim::DrivePlan::parse(asked.pack.drive);
  if (asked.pack.durationGiven) press.duration = settings.duration;
  press.interConf = settings.interConf;
  settings.drive.pressure = press.pressure;
  pressing.out = packOutput(asked.pack.output, asked.pack.library, "");
  std::vector<std::string> reasons;
  {  // Refuses what would not do before bodies grow.
    Diagnostics ignored;
    const sim::RunInput sample =
        inputOf(samplePack(asked, request).packing, settings, pressing, reasons, ignored);
    checkPress(pressing, sample.conf, sample.shapes, asked.pack.otherInputs, "fill", common);
  }
  if (options.jammed && !request.number) request.solidFraction = loosePressed;
  requireRoomToPress(request, press);
  const sim::FillResult loose = sim::filledTo(request, o);
  const auto grading = gradingOf(request, loose.bodies, common);
  const std::string what =
      fmt::format("{}, {}", bodyCount(loose.bodies.size()), request.container.text());
  say(common,
      fmt::format("{} at a solid fraction of {:.6g}, seed {}; pressed by {:.6g} Pa with "
                  "friction {:.6g}",
                  what, loose.solidFraction, asked.seed, press.pressure, settings.mu.general));
  Diagnostics diagnostics(common.strict);
  sim::RunInput input =
      inputOf(packIn(request, loose.bodies).packing, settings, pressing, reasons, diagnostics);
  printWarnings(diagnostics, common);
  for (const std::string& reason : reasons) say(common, reason);
  pressing.remark =
      fmt::format("packgen fill: {}, pressed by {} Pa, seed {}", what, press.pressure, asked.seed);
  pressing.extra = [&](JsonWriter& json) {
    json.member("seed", asked.seed).member("pressure", press.pressure);
    json.member("friction", settings.mu.general);
    addGrading(json, grading);
  };
  return pressAndWrite(std::move(input), pressing, "fill", common);
}

void addJammed(JsonWriter& json, const sim::JammedState& state) {
  json.key("jammed").beginObject().member("solidFraction", state.solidFraction);
  json.member("overlap", state.overlap).member("coordination", state.coordination.mean);
  json.member("coordinationWithoutRattlers", state.coordination.withoutRattlers);
  json.member("constraints", state.coordination.constraints);
  json.member("resultant", state.resultant);
  json.member("rattlers", state.coordination.rattlers).end();
}

int fill(FillOptions& options, const CommonOptions& common) {
  const RequestOptions& asked = options.request;
  if (!options.jammed && !asked.solidFraction && !asked.number)
    throw UsageError("expected --solid-fraction, --number or --jammed");
  Request request = readRequest(options.request, common);
  sim::FillOptions o;
  o.seed = asked.seed;
  o.group = asked.group;
  o.threads = threadCount(common.jobs);
  o.progress = progressBar(common, "filling");
  if (options.friction || options.pressure) return fillUnderPressure(options, request, o, common);
  checkPack(samplePack(asked, request), asked.pack, common);
  const sim::FillResult result =
      options.jammed
          ? sim::filledToJamming(request, o, [&](const std::string& text) { say(common, text); })
          : sim::filledTo(request, o);
  if (options.jammed && request.plan.grading)
    say(common,
        fmt::format("jammed with all sizes {:.4f} times those of the grading", result.scaling));
  const auto grading = gradingOf(request, result.bodies, common);
  if (result.jammed)
    say(common,
        fmt::format("jammed at a solid fraction of {:.6f}: mean overlap {:.2g} of the size, "
                    "resultants {:.2g} of the mean force, coordination {:.4f}, {:.4f} without {} "
                    "rattlers",
                    result.jammed->solidFraction, result.jammed->overlap, result.jammed->resultant,
                    result.jammed->coordination.mean, result.jammed->coordination.withoutRattlers,
                    result.jammed->coordination.rattlers));
  say(common, fmt::format("{} in {}, solid fraction {:.6f}, no overlap, seed {}",
                          bodyCount(result.bodies.size()), asked.container, result.solidFraction,
                          asked.seed));
  MadePack made = packIn(request, result.bodies);
  made.remark = fmt::format("packgen fill: {}, {}, seed {}", bodyCount(result.bodies.size()),
                            asked.container, asked.seed);
  made.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("overlap", 0);
    json.member("seed", asked.seed);
    addGrading(json, grading);
    if (result.jammed) addJammed(json, *result.jammed);
  };
  writePack(std::move(made), asked.pack, common);
  return 0;
}

}  // namespace

Verb addFillVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FillOptions>();
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
  verb.add_flag("--jammed", options->jammed, "Fill until the packing carries load");
  verb.add_option("--friction", options->friction,
                  "Then press the packing with this friction coefficient; the pressure is 1e4 Pa "
                  "without --pressure")
      ->check(CLI::NonNegativeNumber)
      ->option_text("MU");
  verb.add_option("--pressure", options->pressure,
                  "Then press the packing by P [Pa] until it carries P at rest, as compact does. "
                  "The friction is that of --friction, else of --mu")
      ->check(CLI::PositiveNumber)
      ->option_text("P");
  addRequestOptions(verb, options->request, "--jammed");
  return {&verb, [options, &common] { return fill(*options, common); }};
}

}  // namespace scree::tools
