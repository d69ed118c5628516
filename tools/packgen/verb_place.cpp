// SPDX-License-Identifier: GPL-3.0-or-later
// lattice and from: bodies that stand where the user puts them; scatter and fill: bodies at random
// in a container.
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/fill.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace scree::tools {
namespace {

struct LatticeVerbOptions {
  PackOptions pack;
  std::string type = "sc";
  sim::LatticeOptions lattice;
};

int lattice(LatticeVerbOptions& options, const CommonOptions& common) {
  sim::LatticeOptions& o = options.lattice;
  o.type = sim::latticeType(options.type);
  sim::LatticeResult result = sim::lattice(libraryOf(options.pack, true, common).shapes, o);
  if (result.solidFraction > 1.0 + 1e-9 && !options.pack.allowOverlap)
    throw ModelError(
        fmt::format("--spacing {}: the bodies overlap, solid fraction {:.2f}; see --allow-overlap",
                    o.spacing.value_or(0.0), result.solidFraction));
  MadePack made;
  if (o.randomOrientation || o.jitter > 0.0)
    made.report.remark = fmt::format("packgen lattice: seed {}", o.seed);
  say(common,
      fmt::format(
          "{} on {} {} x {} x {}, cell {:.6g} x {:.6g} x {:.6g} m, solid fraction {:.6f}, seed {}",
          bodyCount(result.packing.bodies.size()), options.type, o.cells[0], o.cells[1], o.cells[2],
          result.cell.size.x(), result.cell.size.y(), result.cell.size.z(), result.solidFraction,
          o.seed));
  made.packing = std::move(result.packing);
  made.report.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("cell", result.cell.size);
    json.member("seed", o.seed);
  };
  writePack(std::move(made), options.pack, common);
  return 0;
}

struct FromVerbOptions {
  PackOptions pack;
  std::string table;
};

int fromTable(FromVerbOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  auto table = sim::readPoseTable(TextReader::fromFile(options.table),
                                  libraryOf(options.pack, false, common).shapes, diagnostics);
  options.pack.out.inputs.push_back(options.table);
  options.pack.settings.source = inputName(options.table);
  printWarnings(diagnostics, common);
  saySurveyed(table.surveyed, common);
  writePack({std::move(table.packing)}, options.pack, common);
  return 0;
}

}  // namespace

Verb addLatticeVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<LatticeVerbOptions>();
  CLI::App& verb =
      addVerb(app, "lattice", "Place bodies on a crystal lattice",
              "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
              "  packgen lattice --shape box.shp --cells 4 4 4 --walls -o cubes/conf0\n"
              "  packgen lattice --shape box.shp --type fcc --cells 2 2 2 "
              "--random-orientation -o fcc/conf0\n"
              "  packgen lattice --shape box.shp --spacing 1.5 --cells 3 1 3 --kn 1e7 --mu 0.3 -o "
              "wide/conf0");
  sim::LatticeOptions& o = options->lattice;
  verb.add_option("--type", options->type, "sc, bcc, fcc or hcp; default sc");
  addOption(verb, "--cells", o.cells, "NX NY NZ", "Cells along x, y, z; default 1 1 1",
            CLI::Range(1U, 100'000'000U));
  verb.add_option("--spacing", o.spacing,
                  "Distance between centres of nearest neighbours [m]; default touching");
  addOption(verb, "--jitter", o.jitter, "J",
            "Move each body off its site at random, by up to this share (0 to 1) of half the gap "
            "between neighbours; default 0",
            CLI::Range(0.0, 1.0));
  verb.add_flag("--random-orientation", o.randomOrientation, "Rotate each body at random");
  verb.add_option("--seed", o.seed, "Seed of orientations and jitter, default 1");
  verb.add_option("--group", o.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, options->pack, true,
                 "Shape-file, or one shape of it; several shapes alternate");
  return {&verb, [options, &common] { return lattice(*options, common); }};
}

Verb addFromVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FromVerbOptions>();
  CLI::App& verb =
      addVerb(app, "from", "Place bodies as a table lists them",
              "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
              "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' > poses.csv\n"
              "  packgen from poses.csv --shapes box.shp -o two/conf0\n"
              "  packgen from poses.csv --shapes box.shp --walls 0.5 --duration 2 -o walled/conf0");
  verb.add_option("TABLE", options->table,
                  "Table with a header line: x,y,z and shape, group, cluster, homothety, "
                  "qw,qx,qy,qz, vx,vy,vz, wx,wy,wz, driven; '-' is standard input")
      ->required();
  addPackOptions(verb, options->pack, true, "Shape-files, or single shapes of them");
  return {&verb, [options, &common] { return fromTable(*options, common); }};
}

namespace {

/// Options of scatter and fill: the bodies requested, and where they go.
struct FillOptions {
  PackOptions pack;
  sim::FillRequest request;
  bool jammed = false;
  std::optional<double> friction, pressure;
};

void addRequestOptions(CLI::App& verb, FillOptions& options) {
  sim::FillRequest& o = options.request;
  sim::PlanOptions& plan = o.plan;
  std::vector<std::string>& inputs = options.pack.out.inputs;
  addParsed<sim::Container>(
      verb, "--container", o.container, inputs, "C",
      "box:LX,LY,LZ periodic:LX,LY,LZ cylinder:R,H drum:R,L sphere:R hopper:R,r,ANGLE,H mesh:FILE")
      ->required();
  CLI::Option* fraction =
      addOption(verb, "--solid-fraction", o.solidFraction, "F",
                "Volume of the bodies over that of the container", CLI::Range(1e-9, 1.0 - 1e-9));
  CLI::Option* number = addOption(verb, "--number", o.number, "N", "Number of bodies");
  fraction->excludes(number);
  if (CLI::Option* jammed = verb.get_option_no_throw("--jammed")) fraction->excludes(jammed);
  using sim::Measure;
  addChoice(verb, "--share-by", plan.shareBy,
            {{"number", Measure::number}, {"mass", Measure::mass}, {"volume", Measure::mass}},
            "What shares count: number (default), mass or volume");
  addChoice(verb, "--by", plan.gradingBy, {{"number", Measure::number}, {"mass", Measure::mass}},
            "What the curve counts: mass (default) or number");
  addParsed<sim::SizeGrading>(
      verb, "--grading", plan.grading, inputs, "G",
      "Sizes [m], see --size-by: uniform:A,B lognormal:MEDIAN,SIGMA fuller:A,B,Q beta:A,B,P,Q or "
      "FILE.csv with the columns d,passing");
  addChoice(verb, "--size-by", plan.bySieve, {{"volume", false}, {"sieve", true}},
            "Size of a body: volume, the diameter of the ball of equal volume (default), or sieve, "
            "the square opening that it passes");
  for (const char* name : {"--by", "--size-by"})
    verb.get_option(name)->needs(verb.get_option("--grading"));
  verb.add_option("--seed", o.place.seed, "Seed of positions and orientations, default 1");
  verb.add_option("--group", o.place.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, options.pack, false,
                 "Shape-files, or single shapes of them, each with its share (default 1)");
}

void readShapes(FillOptions& options, const CommonOptions& common) {
  sim::FillRequest& request = options.request;
  if (!options.jammed && !request.solidFraction && !request.number)
    throw UsageError("expected --solid-fraction, --number or, with fill, --jammed");
  if (options.jammed && request.number == 1u)
    throw UsageError("--jammed: one body alone meets no other; expected --number 2 or more");
  sim::ShapeLibrary library = libraryOf(options.pack, true, common);
  request.shapes = std::move(library.shapes);
  request.plan.shares = std::move(library.shares);
  request.place.threads = threadCount(common.jobs);
  request.place.progress = progressBar(common, "filling");
}

/// Bodies in the container, with its walls.
sim::Packing packIn(const sim::FillRequest& request, std::vector<sim::PlacedBody> bodies) {
  sim::Packing packing;
  packing.shapes = request.shapes;
  packing.bodies = std::move(bodies);
  sim::keepUsedShapes(packing);
  request.container.addWalls(packing);
  return packing;
}

/// A body of each shape in the middle of the container, with its walls: for checks.
sim::Packing sampleOf(const sim::FillRequest& request) {
  // Refuses shares and shapes that cannot be packed.
  sim::plannedNumber(request.shapes, request.plan, 1);
  std::vector<sim::PlacedBody> bodies;
  for (std::uint32_t k = 0; k < request.shapes.size(); ++k) {
    if (!(request.plan.shares[k] > 0.0)) continue;
    sim::PlacedBody& body = bodies.emplace_back();
    body.shape = k;
    body.group = request.place.group;
    body.pos = request.container.box().centre();
  }
  return packIn(request, std::move(bodies));
}

/// Refuses what would not do before a packing is made.
void checkSample(const FillOptions& options, const CommonOptions& common) {
  MadePack sample{sampleOf(options.request)};
  PackOutput out = options.pack.out;
  Diagnostics ignored;
  prepared(sample, options.pack, out, ignored, common);
}

/// Says how many bodies there are, and their grading beside its target.
/// @returns what adds the same to the object of --json
std::function<void(JsonWriter&)> reported(const sim::FillRequest& request,
                                          const std::vector<sim::PlacedBody>& bodies,
                                          const std::string& what, const CommonOptions& common) {
  say(common, what);
  std::optional<sim::RealisedGrading> grading;
  if (request.plan.grading) {
    std::vector<sim::PlannedBody> sizes;
    for (const sim::PlacedBody& b : bodies) sizes.push_back({b.shape, b.homothety});
    grading = sim::realisedGrading(request.shapes, request.plan, sizes);
    say(common, fmt::format("grading {}: largest distance from the target {:.2g}, half the share "
                            "of the largest body {:.2g}",
                            request.plan.grading->text(), grading->distance, grading->halfLargest));
  }
  return [grading, seed = request.place.seed](JsonWriter& json) {
    json.member("seed", seed);
    if (!grading) return;
    json.key("grading").beginObject().member("distance", grading->distance);
    json.member("halfLargest", grading->halfLargest).end();
  };
}

std::string describe(const FillOptions& options, std::size_t bodies, const std::string& how) {
  return fmt::format("{} in {}, {}, seed {}", bodyCount(bodies), options.request.container.text(),
                     how, options.request.place.seed);
}

void writeFilled(const FillOptions& options, const sim::FillResult& result, const char* verb,
                 const CommonOptions& common) {
  const std::string what = describe(options, result.bodies.size(),
                                    fmt::format("solid fraction {:.6f}", result.solidFraction));
  const auto report = reported(options.request, result.bodies, what, common);
  MadePack made{packIn(options.request, result.bodies),
                {fmt::format("packgen {}: {}", verb, what)}};
  made.report.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("overlap", 0);
    report(json);
    if (!result.jammed) return;
    const sim::JammedState& state = *result.jammed;
    json.key("jammed").beginObject().member("solidFraction", state.solidFraction);
    json.member("overlap", state.overlap).member("coordination", state.coordination.mean);
    json.member("coordinationWithoutRattlers", state.coordination.withoutRattlers);
    json.member("constraints", state.coordination.constraints);
    json.member("resultant", state.resultant);
    json.member("rattlers", state.coordination.rattlers).end();
  };
  writePack(std::move(made), options.pack, common);
}

int scatter(FillOptions& options, const CommonOptions& common) {
  readShapes(options, common);
  const sim::FillRequest& request = options.request;
  checkSample(options, common);
  const std::vector<sim::PlannedBody> plan = sim::plannedBodies(request);
  const sim::FillResult placed =
      sim::scatter(request.shapes, plan, request.container, request.place);
  if (placed.bodies.size() < plan.size())
    throw ModelError(fmt::format(
        "{} of {} bodies fit, up to a solid fraction of {:.4f}, not {:.4f}; fill reaches more",
        placed.bodies.size(), plan.size(), placed.solidFraction,
        sim::solidVolume(request.shapes, plan) / request.container.volume()));
  writeFilled(options, placed, "scatter", common);
  return 0;
}

/// Solid fraction from which a pressure acts: below that at which friction holds bodies.
constexpr double loosePressed = 0.45;

/// Fills loosely, then presses by the engine of runs until the packing carries the pressure.
int fillUnderPressure(FillOptions& options, const CommonOptions& common) {
  sim::FillRequest& request = options.request;
  sim::PackSettings settings = options.pack.settings;
  PressRequest pressing;
  sim::PressOptions& press = pressing.press;
  press.name = settings.source = "--container " + request.container.text();
  if (options.friction) settings.parameters["muContact"].general = *options.friction;
  settings.gravity = press.gravity = settings.gravity.value_or(Vec3::Zero());
  press.pressure = settings.load.pressure = options.pressure.value_or(sim::DrivePlan{}.pressure);
  press.axes = request.container.pressedAxes();
  press.rest = sim::restUnderPressure();
  press.overlap = settings.allowedOverlap();
  press.keepStiffness =
      settings.parameters.contains("knContact") || settings.parameters.contains("youngModulus");
  if (settings.drive) settings.drive->follow(press.pressure);
  press.drive = settings.drive;
  press.duration = settings.duration;
  press.interConf = settings.interConf;
  pressing.out = options.pack.out;
  nameShapeFile(pressing.out, "");
  if (options.jammed && !request.number) request.solidFraction = loosePressed;
  {  // Refuses what would not do before bodies grow.
    Diagnostics ignored;
    const auto sample = sim::completed(sampleOf(request), settings, ignored);
    checkPress(pressing, sample.conf, sample.shapes, "fill", common);
    const std::vector<sim::PlannedBody> plan = sim::plannedBodies(request);
    double largest = 0.0;
    for (const sim::PlannedBody& b : plan)
      largest = std::max(largest, 2.0 * b.homothety * sim::boundingRadius(request.shapes[b.shape]));
    sim::requireRoomToPress(press, sample.conf.cell, sim::solidVolume(request.shapes, plan),
                            largest);
  }
  const sim::FillResult loose = sim::filledTo(request);
  Diagnostics diagnostics(common.strict);
  sim::CompletedConf done = sim::completed(packIn(request, loose.bodies), settings, diagnostics);
  printWarnings(diagnostics, common);
  const double friction = settings.parameters["muContact"].general.value_or(0.5);
  const std::string what =
      describe(options, loose.bodies.size(),
               fmt::format("pressed by {} Pa with friction {:.6g}", press.pressure, friction));
  const auto report = reported(request, loose.bodies, what, common);
  pressing.report = {"packgen fill: " + what, std::move(done.reasons), [&](JsonWriter& json) {
                       report(json);
                       json.member("pressure", press.pressure).member("friction", friction);
                     }};
  sim::RunInput input;
  input.conf = std::move(done.conf);
  input.shapes = std::move(done.shapes);
  return pressAndWrite(std::move(input), pressing, "fill", common);
}

int fill(FillOptions& options, const CommonOptions& common) {
  readShapes(options, common);
  if (options.friction || options.pressure) return fillUnderPressure(options, common);
  checkSample(options, common);
  const sim::FillResult result =
      options.jammed ? sim::filledToJamming(options.request,
                                            [&](const std::string& text) { say(common, text); })
                     : sim::filledTo(options.request);
  if (result.jammed)
    say(common, fmt::format("jammed at a solid fraction of {:.6f} with {:.4f} times the sizes: "
                            "mean overlap {:.2g} of the size, resultants {:.2g} of the mean force, "
                            "coordination {:.4f}, {:.4f} without {} rattlers",
                            result.jammed->solidFraction, result.scaling, result.jammed->overlap,
                            result.jammed->resultant, result.jammed->coordination.mean,
                            result.jammed->coordination.withoutRattlers,
                            result.jammed->coordination.rattlers));
  writeFilled(options, result, "fill", common);
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
  addOption(verb, "--friction", options->friction, "MU",
            "Then press the packing with this friction coefficient; the pressure is 1e4 Pa without "
            "--pressure",
            CLI::NonNegativeNumber);
  addOption(verb, "--pressure", options->pressure, "P",
            "Then press the packing by P [Pa] until it carries P at rest, as compact does. The "
            "friction is that of --friction, else of --mu",
            CLI::PositiveNumber);
  addRequestOptions(verb, *options);
  return {&verb, [options, &common] { return fill(*options, common); }};
}

}  // namespace scree::tools
