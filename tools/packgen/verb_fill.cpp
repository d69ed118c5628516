// SPDX-License-Identifier: GPL-3.0-or-later
// scatter and fill: bodies at random in a container.
#include "packgen.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>

namespace scree::tools {
namespace {

/// Options of both verbs: the bodies requested, and where they go.
struct FillOptions {
  PackOptions pack;
  std::vector<std::string> shapes;  ///< FILE[:NAME][=SHARE]
  std::string container, grading;   ///< grading empty: none
  std::string shareBy = "number", gradingBy = "mass", sizeBy = "volume";
  std::optional<double> solidFraction;
  std::optional<std::uint64_t> number;
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
  bool jammed = false;
  std::optional<double> friction, pressure;
};

/// `FILE[:NAME]` and the share behind '=', where there is one.
std::pair<std::string, double> sharedSource(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {text, 1.0};
  const auto share = parseNumber(std::string_view(text).substr(equals + 1));
  if (!share || !(*share >= 0.0) || !std::isfinite(*share))
    throw UsageError(fmt::format("--shapes {}: expected a share not below 0 behind '=', found '{}'",
                                 text, text.substr(equals + 1)));
  return {text.substr(0, equals), *share};
}

void addRequestOptions(CLI::App& verb, FillOptions& o) {
  addShapeOption(verb, "--shapes,--shape", o.shapes,
                 "Shape-files, or single shapes of them, each with its share (default 1)",
                 "FILE[:NAME][=SHARE]...");
  verb.add_option("--container", o.container,
                  "box:LX,LY,LZ periodic:LX,LY,LZ cylinder:R,H drum:R,L sphere:R "
                  "hopper:R,r,ANGLE,H mesh:FILE")
      ->required()
      ->option_text("C");
  CLI::Option* fraction = verb.add_option("--solid-fraction", o.solidFraction,
                                          "Volume of the bodies over that of the container")
                              ->option_text("F");
  CLI::Option* number = verb.add_option("--number", o.number, "Number of bodies")->option_text("N");
  fraction->excludes(number);
  if (CLI::Option* jammed = verb.get_option_no_throw("--jammed")) fraction->excludes(jammed);
  verb.add_option("--share-by", o.shareBy, "What shares count: number (default), mass or volume")
      ->check(CLI::IsMember({"number", "mass", "volume"}));
  verb.add_option("--grading", o.grading,
                  "Sizes [m], see --size-by: uniform:A,B "
                  "lognormal:MEDIAN,SIGMA fuller:A,B,Q beta:A,B,P,Q or FILE.csv with the columns "
                  "d,passing");
  verb.add_option("--by", o.gradingBy, "What the curve counts: mass (default) or number")
      ->check(CLI::IsMember({"number", "mass"}));
  verb.add_option("--size-by", o.sizeBy,
                  "Size of a body: volume, the diameter of the ball of equal volume (default), or "
                  "sieve, the square opening that it passes")
      ->check(CLI::IsMember({"volume", "sieve"}));
  verb.add_option("--seed", o.seed, "Seed of positions and orientations, default 1");
  verb.add_option("--group", o.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, o.pack, false);
}

/// A request, with shapes read and surveyed and the container made.
struct Request : sim::FillRequest {
  bool unchanged = false;  ///< the shapes are as the shape-files have them
};

/// Also lists the files that are read in `options.pack`.
/// @throws UsageError, ParseError, IoError for a request that cannot be meant
Request readRequest(FillOptions& options, const CommonOptions& common) {
  if (!options.jammed && !options.solidFraction && !options.number)
    throw UsageError("expected --solid-fraction, --number or, with fill, --jammed");
  Request request;
  if (options.solidFraction && !(*options.solidFraction > 0.0 && *options.solidFraction < 1.0))
    throw UsageError(
        fmt::format("--solid-fraction: expected a number between 0 and 1, found {:.6g}",
                    *options.solidFraction));
  request.solidFraction = options.solidFraction;
  request.number = options.number;
  const auto measureOf = [](const std::string& word) {
    return word == "number" ? sim::Measure::number : sim::Measure::mass;
  };
  request.plan.shareBy = measureOf(options.shareBy);
  request.plan.gradingBy = measureOf(options.gradingBy);
  request.plan.bySieve = options.sizeBy == "sieve";
  request.container = sim::Container::parse(options.container);
  options.pack.out.inputs = {options.grading};
  if (const std::size_t colon = options.container.find(':'); colon != std::string::npos)
    options.pack.out.inputs.push_back(options.container.substr(colon + 1));
  if (!options.grading.empty()) request.plan.grading = sim::SizeGrading::parse(options.grading);

  Diagnostics diagnostics(common.strict);
  std::vector<sim::LibrarySource> sources;
  std::map<std::string, double> shares;
  for (const std::string& text : options.shapes) {
    const auto [file, share] = sharedSource(text);
    options.pack.libraries.push_back(file);
    sources.push_back(sim::librarySource(file));
    Diagnostics ignored;
    for (const shape::Shape& s : sim::gatheredShapes({sources.back()}, ignored))
      shares[s.name] += share;
  }
  request.shapes = sim::gatheredShapes(sources, diagnostics);
  for (const shape::Shape& s : request.shapes) request.plan.shares.push_back(shares[s.name]);
  const auto surveyed = sim::surveyShapes(request.shapes);
  request.unchanged = surveyed.empty();
  printWarnings(diagnostics, common);
  saySurveyed(surveyed, common);
  return request;
}

/// Bodies in the container, with its walls.
MadePack packIn(const Request& request, std::vector<sim::PlacedBody> bodies) {
  MadePack made;
  made.packing.shapes = request.shapes;
  made.packing.bodies = std::move(bodies);
  sim::keepUsedShapes(made.packing);
  request.container.addWalls(made.packing);
  made.unchanged =
      request.unchanged && made.packing.shapes.size() == request.shapes.size();  // nor walls
  return made;
}

/// A body of each shape in the middle of the container, with its walls: for checks.
MadePack samplePack(const FillOptions& options, const Request& request) {
  // Refuses shares and shapes that cannot be packed.
  sim::plannedNumber(request.shapes, request.plan, 1);
  std::vector<sim::PlacedBody> bodies;
  for (std::uint32_t k = 0; k < request.shapes.size(); ++k) {
    if (!(request.plan.shares[k] > 0.0)) continue;
    sim::PlacedBody body;
    body.shape = k;
    body.group = options.group;
    body.pos = request.container.box().centre();
    bodies.push_back(body);
  }
  return packIn(request, std::move(bodies));
}

/// The grading as bodies have it, beside its target; empty if none is requested.
std::optional<sim::RealisedGrading> gradingOf(const Request& request,
                                              const std::vector<sim::PlacedBody>& bodies,
                                              const CommonOptions& common) {
  if (!request.plan.grading || bodies.empty()) return std::nullopt;
  std::vector<sim::PlannedBody> sizes;
  for (const sim::PlacedBody& b : bodies) sizes.push_back({b.shape, b.homothety});
  const sim::RealisedGrading grading = sim::realisedGrading(request.shapes, request.plan, sizes);
  say(common, fmt::format("grading {} by {}: largest distance from the target {:.2g}, half the "
                          "share of the largest body {:.2g}",
                          request.plan.grading->text(), sim::nameOf(request.plan.gradingBy),
                          grading.distance, grading.halfLargest));
  return grading;
}

/// Adds the member `grading`, if there is one.
void addGrading(JsonWriter& json, const std::optional<sim::RealisedGrading>& grading) {
  if (!grading) return;
  json.key("grading").beginObject().member("distance", grading->distance);
  json.member("halfLargest", grading->halfLargest).end();
}

int scatter(FillOptions& options, const CommonOptions& common) {
  const Request request = readRequest(options, common);
  checkPack(samplePack(options, request), options.pack, common);
  const std::vector<sim::PlannedBody> plan = sim::plannedBodies(request);
  sim::ScatterResult result =
      sim::scatter(request.shapes, plan, request.container,
                   {options.seed, options.group, progressBar(common, "placing")});
  if (result.bodies.size() < plan.size())
    throw ModelError(fmt::format(
        "{} of {} bodies fit, up to a solid fraction of {:.4f}; {:.4f} is requested. fill reaches "
        "more than random sequential addition",
        result.bodies.size(), plan.size(), result.solidFraction,
        sim::solidVolume(request.shapes, plan) / request.container.volume()));
  const auto grading = gradingOf(request, result.bodies, common);
  const std::string what =
      fmt::format("{} in {}, solid fraction {:.6f}, seed {}", bodyCount(result.bodies.size()),
                  options.container, result.solidFraction, options.seed);
  say(common, what);
  MadePack made = packIn(request, std::move(result.bodies));
  made.remark = "packgen scatter: " + what;
  made.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("seed", options.seed);
    addGrading(json, grading);
  };
  writePack(std::move(made), options.pack, common);
  return 0;
}

/// Solid fraction from which a pressure acts: below that at which friction holds bodies.
constexpr double loosePressed = 0.45;

/// Fills loosely, then presses by the engine of runs until the packing carries the pressure.
int fillUnderPressure(const FillOptions& options, Request& request, const sim::FillOptions& o,
                      const CommonOptions& common) {
  sim::PackSettings settings = options.pack.settings;
  if (options.friction) settings.mu.general = *options.friction;
  if (!settings.gravity) settings.gravity = Vec3::Zero();
  PressRequest pressing;
  sim::PressOptions& press = pressing.press;
  press.name = "--container " + options.container;
  press.pressure = settings.load.pressure = options.pressure.value_or(sim::DrivePlan{}.pressure);
  press.axes = request.container.pressedAxes();
  press.gravity = settings.gravity;
  press.rest = sim::restUnderPressure();
  press.overlap = settings.overlap;
  press.keepStiffness = settings.kn || settings.young;
  if (settings.drive) settings.drive->follow(press.pressure);
  press.drive = settings.drive;
  press.duration = settings.duration;
  press.interConf = settings.interConf;
  pressing.out = options.pack.out;
  nameShapeFile(pressing.out, "");
  {  // Refuses what would not do before bodies grow.
    const auto sample = sim::completed(samplePack(options, request).packing, settings);
    checkPress(pressing, sample.conf, sample.shapes, "fill", common);
  }
  if (options.jammed && !request.number) request.solidFraction = loosePressed;
  const sim::FillResult loose = sim::filledTo(request, o);
  const auto grading = gradingOf(request, loose.bodies, common);
  const std::string what = fmt::format("{} in {}, pressed by {} Pa with friction {:.6g}, seed {}",
                                       bodyCount(loose.bodies.size()), options.container,
                                       press.pressure, settings.mu.general, options.seed);
  say(common, fmt::format("{}, from a solid fraction of {:.6g}", what, loose.solidFraction));
  Diagnostics diagnostics(common.strict);
  sim::CompletedConf done = sim::completed(packIn(request, loose.bodies).packing, settings);
  warnOfSettings(done, settings, diagnostics);
  printWarnings(diagnostics, common);
  for (const std::string& reason : done.reasons) say(common, reason);
  pressing.remark = "packgen fill: " + what;
  pressing.extra = [&](JsonWriter& json) {
    json.member("seed", options.seed).member("pressure", press.pressure);
    json.member("friction", settings.mu.general);
    addGrading(json, grading);
  };
  sim::RunInput input;
  input.conf = std::move(done.conf);
  input.shapes = std::move(done.shapes);
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
  Request request = readRequest(options, common);
  const sim::FillOptions o{options.seed, options.group, threadCount(common.jobs),
                           progressBar(common, "filling")};
  if (options.friction || options.pressure) return fillUnderPressure(options, request, o, common);
  checkPack(samplePack(options, request), options.pack, common);
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
  const std::string what =
      fmt::format("{} in {}, solid fraction {:.6f}, seed {}", bodyCount(result.bodies.size()),
                  options.container, result.solidFraction, options.seed);
  say(common, what + ", no overlap");
  MadePack made = packIn(request, result.bodies);
  made.remark = "packgen fill: " + what;
  made.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("overlap", 0);
    json.member("seed", options.seed);
    addGrading(json, grading);
    if (result.jammed) addJammed(json, *result.jammed);
  };
  writePack(std::move(made), options.pack, common);
  return 0;
}

}  // namespace

Verb addScatterVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FillOptions>();
  CLI::App& verb = addVerb(
      app, "scatter",
      "Place bodies at random in a container, without overlaps (random sequential addition)",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen scatter --shapes box.shp --container box:10,10,10 --number 100 -o loose/conf0\n"
      "  packgen scatter --shapes box.shp --container cylinder:5,10 --solid-fraction 0.2 "
      "--grading fuller:0.5,2,0.5 -o graded/conf0\n"
      "  packgen scatter --shapes box.shp --container periodic:8,8,8 --number 80 -o cell/conf0");
  addRequestOptions(verb, *options);
  return {&verb, [options, &common] { return scatter(*options, common); }};
}

Verb addFillVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FillOptions>();
  CLI::App& verb = addVerb(
      app, "fill", "Make a dense packing without overlaps: bodies grow from random positions",
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
  addRequestOptions(verb, *options);
  return {&verb, [options, &common] { return fill(*options, common); }};
}

}  // namespace scree::tools
